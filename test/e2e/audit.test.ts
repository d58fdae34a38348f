import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openAuditLog } from '../../src/audit/append.js';
import { aRecord } from '../audit/records.js';
import { auditFile, BIN, cleanEnv, newHome, readAudit, runCli } from '../helpers/cli.js';

const KEY = { OPSAGENT_AUDIT_KEY: '0123456789abcdef0123456789abcdef' };

/** A folder with one tool of the tests: `touch`, a shell line. */
function toolDir(line: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-tools-'));
  writeFileSync(
    join(dir, 'x.yaml'),
    `version: 1\nsystem: x\ntools:\n  - { name: x, description: Runs one line of a shell., risk_level: high, run: { kind: command, argv: [bash, -c, ${JSON.stringify(line)}] } }\n`,
  );
  return dir;
}

const runX = (line: string, home: string, env: Record<string, string> = {}) =>
  runCli(['tools', 'run', 'x', '--yes', '--tools', toolDir(line)], { home, env });

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

describe('opsagent audit verify', () => {
  test('names the first broken line, and exits 1', async () => {
    const home = newHome();
    await runX('true', home);
    await runX('true', home);
    const file = auditFile(home);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"risk_level":"high"', '"risk_level":"higH"'));
    const run = await runCli(['audit', 'verify'], { home });
    expect([run.code, run.stdout]).toEqual([
      1,
      expect.stringContaining(
        'result   BROKEN: audit.jsonl line 1 was changed: its hash is not the one of its content\n',
      ),
    ]);
  });

  test('shows what was cut off with the head file: the session remembers it', async () => {
    const home = newHome();
    await runX('true', home);
    const file = auditFile(home);
    const head = file.replace('.jsonl', '.head');
    const before = [file, head].map((path) => readFileSync(path));
    await runX('true', home);
    for (const [i, path] of [file, head].entries()) writeFileSync(path, before[i] ?? '');
    const run = await runCli(['audit', 'verify'], { home });
    expect([run.code, run.stdout]).toEqual([
      1,
      expect.stringMatching(/line 3 is not there: .* record 4, which .*audit-head/),
    ]);
  });

  test('prints counts, files and head of a whole log, which later is checked against that head', async () => {
    const home = newHome();
    const log = await openAuditLog(auditFile(home), { key: KEY.OPSAGENT_AUDIT_KEY, maxBytes: 1_000 });
    for (let i = 0; i < 6; i++) await log.append(aRecord({ call_id: `c${i}` }));
    log.close();
    const run = await runCli(['audit', 'verify', '--output', 'json'], { home, env: KEY });
    const verdict = JSON.parse(run.stdout) as { head: { seq: number; hash: string }; segments: string[] };
    const files = readdirSync(dirname(auditFile(home))).filter((name) => name.endsWith('.jsonl'));
    expect([run.code, verdict]).toEqual([
      0,
      {
        ok: true,
        records: 6,
        notes: files.length - 1,
        torn: 0,
        unchained: 0,
        segments: expect.arrayContaining(files),
        ends_torn: false,
        head: { seq: 6 + files.length - 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        signed_from: 1,
        signatures_checked: true,
        problem: null,
      },
    ]);
    expect(files.length).toBeGreaterThan(1);
    const noted = `${verdict.head.seq}:${verdict.head.hash}`;
    expect((await runCli(['audit', 'verify', '--head', noted], { home })).stdout).toMatch(
      /signed {3}from record 1 on, not checked[\s\S]*result {3}whole\n$/,
    );
    const other = `${verdict.head.seq}:${'0'.repeat(64)}`;
    expect((await runCli(['audit', 'verify', '--head', other], { home })).stdout).toContain('the noted head remembers');
    expect((await runCli(['audit', 'verify', '--head', 'x'], { home })).code).toBe(2);
  });
});

test('a size at which the log would be cut for every few calls is refused, in the config and at the start', async () => {
  const home = newHome();
  const set = await runCli(['config', 'set', 'audit.max_bytes', '1000'], { home });
  expect([set.code, set.stderr]).toEqual([
    2,
    'opsagent: audit.max_bytes takes a whole number above 0 of 1048576 or more, not "1000".\n',
  ]);
  const run = await runX('true', home, { OPSAGENT_AUDIT_MAX_BYTES: '1048575' });
  expect([run.code, run.stderr]).toEqual([
    2,
    expect.stringContaining('which is no number of bytes of 1048576 or more'),
  ]);
  expect(existsSync(auditFile(home))).toBe(false);
  expect((await runX('true', home, { OPSAGENT_AUDIT_MAX_BYTES: '1048576' })).code).toBe(0);
});

test('opsagent audit stats and export take the filters of a search', async () => {
  const home = newHome();
  await runX('exit 3', home);
  await runX('true', home);
  const stats = await runCli(['audit', 'stats', '--status', 'failed', '--output', 'json'], { home });
  expect(JSON.parse(stats.stdout)).toMatchObject({ calls: 1, by_status: { failed: 1 }, unfinished: 0 });
  expect((await runCli(['audit', 'stats'], { home })).stdout).toMatch(/^calls {6}2 in 2 sessions\ntime/);
  const csv = await runCli(['audit', 'export', '--format', 'csv', '--status', 'failed'], { home });
  expect(csv.stdout.split('\r\n')).toEqual([
    expect.stringMatching(/^seq,timestamp,/),
    expect.stringMatching(/^2,.*,finished,/),
    '',
  ]);
  const json = await runCli(['audit', 'export', '--session', readAudit(home)[0]?.session_id ?? ''], { home });
  expect(JSON.parse(json.stdout)).toEqual(readAudit(home).slice(0, 2));
});
