import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAuditLog } from '../../src/audit/append.js';
import { aRecord } from '../audit/records.js';
import { auditFile, newHome, readAudit, runCli } from '../helpers/cli.js';
import { KEY, runX } from './audit-tool.js';

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
