import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openAuditLog } from '../../src/audit/append.js';
import { aRecord } from '../audit/records.js';
import { auditFile, BIN, cleanEnv, newHome, runCli } from '../helpers/cli.js';
import { KEY, runX, toolDir } from './audit-tool.js';

let mounted: string | undefined;
afterEach(() => {
  if (mounted) spawnSync('umount', [mounted]);
  mounted = undefined;
});

/** A file system of 1 MiB; undefined where none can be mounted. */
function smallDisk(): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-small-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', dir]).status !== 0) return undefined;
  mounted = dir;
  return dir;
}

function fillUp(dir: string): void {
  for (const size of [65_536, 4_096, 1]) {
    for (;;) {
      try {
        appendFileSync(join(dir, 'filler'), Buffer.alloc(size));
      } catch {
        break;
      }
    }
  }
}

describe('nothing runs when the audit log cannot be written', () => {
  test('in a folder that is read-only', async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('needs root to become somebody else');
    const home = newHome();
    const state = join(home, 'state');
    mkdirSync(state);
    chownSync(home, 65534, 65534);
    chmodSync(state, 0o555);
    const marker = join(home, 'ran');
    const tools = toolDir(`touch ${marker}`);
    chmodSync(tools, 0o755);
    const run = spawnSync(
      'setpriv',
      [
        '--reuid=65534',
        '--regid=65534',
        '--clear-groups',
        process.execPath,
        BIN,
        'tools',
        'run',
        'x',
        '--yes',
        '--tools',
        tools,
      ],
      { env: cleanEnv(home, { OPSAGENT_STATE_DIR: state }), cwd: home, encoding: 'utf8' },
    );
    expect([run.status, run.stdout, run.stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/audit log .* cannot be written: EACCES[\s\S]*Make the folder writable/),
    ]);
    expect(existsSync(marker)).toBe(false);
  });

  test('on a disk that is full, although it was not when the log began', async ({ skip }) => {
    const disk = smallDisk();
    if (!disk) return skip('no tmpfs can be mounted here');
    const home = newHome();
    expect((await runX('true', home, { OPSAGENT_STATE_DIR: disk })).code).toBe(0);
    fillUp(disk);
    const marker = join(home, 'ran');
    const run = await runX(`touch ${marker}`, home, { OPSAGENT_STATE_DIR: disk });
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/ENOSPC[\s\S]*Nothing runs without a record/)]);
    expect(existsSync(marker)).toBe(false);
  });

  test('while a process of another machine holds it, for as long as it waits', async () => {
    const home = newHome();
    await runX('true', home);
    const stat = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const holder = { pid: process.pid, start: stat[19], boot, namespace: '', host: 'elsewhere', nonce: 'a'.repeat(16) };
    writeFileSync(`${auditFile(home)}.lock`, JSON.stringify(holder));
    const marker = join(home, 'ran');
    const run = await runX(`touch ${marker}`, home);
    expect([run.code, run.stderr]).toEqual([
      1,
      expect.stringMatching(`process ${process.pid} on elsewhere holds .*[\\s\\S]*If it is gone, delete`),
    ]);
    expect(existsSync(marker)).toBe(false);
  });

  test('when it is signed and the key is not there', async () => {
    const home = newHome();
    expect((await runX('true', home, KEY)).code).toBe(0);
    const marker = join(home, 'ran');
    const run = await runX(`touch ${marker}`, home);
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/is signed[\s\S]*Set OPSAGENT_AUDIT_KEY/)]);
    expect(existsSync(marker)).toBe(false);
    expect((await runX('true', home, { OPSAGENT_AUDIT_KEY: 'short' })).stderr).toContain('shorter than 16 characters');
  });
});

test('a switch of the mode does not take the room that is kept for the ends of calls on a full disk', async ({
  skip,
}) => {
  const disk = smallDisk();
  if (!disk) return skip('no tmpfs can be mounted here');
  const log = await openAuditLog(join(disk, 'audit.jsonl'));
  fillUp(disk);
  const parameters = 'x'.repeat(8_000);
  await expect(log.append(aRecord({ event: 'mode-switched', parameters }))).rejects.toThrow('ENOSPC');
  await log.append(aRecord({ event: 'finished', parameters }));
  log.close();
});

test('a disk that a call fills up: the end of the call is on record, and the log is whole', async ({ skip }) => {
  const disk = smallDisk();
  if (!disk) return skip('no tmpfs can be mounted here');
  const home = newHome();
  const run = await runX(`cat /dev/zero > ${disk}/filler; true`, home, { OPSAGENT_STATE_DIR: disk });
  expect(run.code).toBe(0);
  const env = { OPSAGENT_STATE_DIR: disk };
  const verify = await runCli(['audit', 'verify', '--output', 'json'], { home, env });
  expect([verify.code, JSON.parse(verify.stdout)]).toEqual([0, expect.objectContaining({ ok: true, records: 2 })]);
});
