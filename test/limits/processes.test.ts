import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../helpers/bundle.js';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'opsagent-limits-')), 'limits.json');

/** `program PATH TIMES`: reserves TIMES times, prints how often there was room, and ends with its input. */
const PROGRAM = `
import { openLockedState } from '#src/lib/locked-state.ts';
import { createLimits } from '#src/limits/limits.ts';
const [path, times, kind, ...tokens] = process.argv.slice(2);
const limits = createLimits({ state: openLockedState(path), env: {}, setting: () => undefined, clock: { now: () => new Date() } });
const tool = { name: 'tool', category: '', rateLimit: 30 };
let rooms = 0;
for (let n = 0; n < Number(times); n += 1) {
  if ('settle' in (await limits.reserve({ id: 'c' + n, tool, action: { kind, tokens } }, {}))) rooms += 1;
}
process.stdout.write(String(rooms));
process.stdin.resume().on('end', () => process.exit());
`;

describe('eight processes', () => {
  let program: string;
  beforeAll(async () => {
    program = await bundleProgram(PROGRAM);
  });
  const start = async (path: string, times: number, tokens: readonly string[]) => {
    const args = [program, path, `${times}`, 'command', ...tokens];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    const end = async (signal?: NodeJS.Signals) => {
      const gone = once(child, 'exit');
      if (signal) child.kill(signal);
      else child.stdin.end();
      await gone;
    };
    return { rooms: Number(chunk.toString()), end };
  };
  const eight = (path: string, times: number, tokens: readonly string[]) =>
    Promise.all(Array.from({ length: 8 }, () => start(path, times, tokens)));
  const sum = (all: readonly { rooms: number }[]) => all.reduce((total, { rooms }) => total + rooms, 0);

  test('get from one bucket what one process would, and nothing more', async () => {
    const beganAt = Date.now();
    const all = await eight(newPath(), 50, ['uptime']);
    // 30 at once, and one more each 2 s.
    const most = 30 + Math.floor((Date.now() - beganAt) / 2_000);
    await Promise.all(all.map(({ end }) => end()));
    expect(sum(all)).toBeGreaterThanOrEqual(30);
    expect(sum(all)).toBeLessThanOrEqual(most);
  });

  test('send one probe, and the next when the process of the first was killed', async () => {
    const path = newPath();
    const opened = { atMs: 0, because: 'failed 5 times in a row', lastError: 'x' };
    const breakers = {
      'cluster prod': { failuresInRow: 5, seconds: [], opened: { ...opened, atMs: Date.now() - 61_000 } },
    };
    writeFileSync(path, JSON.stringify({ rate: {}, breakers }));
    const tokens = ['kubectl', 'get', 'pods', '--context=prod'];
    const first = await eight(path, 3, tokens);
    expect(sum(first)).toBe(1);
    await Promise.all(first.filter(({ rooms }) => rooms === 0).map(({ end }) => end()));
    const meanwhile = await eight(path, 1, tokens);
    expect(sum(meanwhile)).toBe(0);
    await Promise.all(first.filter(({ rooms }) => rooms === 1).map(({ end }) => end('SIGKILL')));
    const second = await eight(path, 3, tokens);
    expect(sum(second)).toBe(1);
    await Promise.all([...meanwhile, ...second].map(({ end }) => end()));
  });
});
