import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { aSandbox, storedBytes } from './guests.js';

const { exec } = aSandbox(1);

/** The most memory that the children of this program have had, in MB, while `work` goes on. */
async function peakMb(work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = () => {
    for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        if (!status.includes(`PPid:\t${process.pid}\n`)) continue;
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // It has just ended.
      }
    }
  };
  const timer = setInterval(look, 20);
  await work();
  clearInterval(timer);
  return peak;
}

const LIMIT_MB = 512;
const input = storedBytes('c1', Buffer.alloc(128 * 1024 * 1024, 'a line of a log\n'));

test.skipIf(process.platform !== 'linux').each([
  ['a memory flood', 'kept = []\nwhile True: kept.append(bytearray(1 << 20))', [], 'failed'],
  ['a disk flood', 'file = open("/workspace/f", "wb")\nwhile True: file.write(bytes(1 << 20))', [], 'failed'],
  ['the largest input, read line by line', 'result = sum(1 for _ in open("/data/c1.txt", "rb"))', ['c1'], 'ok'],
] as const)(
  '%s takes less than the limit and 600 MB of this machine',
  { timeout: 90_000 },
  async (_, code, files, status) => {
    let ended: string | undefined;
    const before = process.memoryUsage().rss;
    const peak = await peakMb(async () => {
      ended = (await exec(code, { args: { files: [...files] }, results: [input] })).outcome.status;
    });
    const ownMb = (process.memoryUsage().rss - before) / 1024 / 1024;
    expect([ended, peak > 100, peak + Math.max(ownMb, 0) < LIMIT_MB + 600, Math.round(peak)]).toEqual([
      status,
      true,
      true,
      Math.round(peak),
    ]);
  },
);
