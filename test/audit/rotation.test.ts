import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAuditLog } from '../../src/audit/append.js';
import { findCall, readAuditLog, searchAuditLog } from '../../src/audit/read.js';
import { verifyAuditLog } from '../../src/audit/verify.js';
import { aRecord, folder, linesOf, write } from './records.js';

/** Two records and a bit. */
const MAX_BYTES = 1_200;

const logFiles = (path: string) =>
  readdirSync(join(path, '..'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort();

async function callsOf(path: string): Promise<(string | undefined)[]> {
  const calls = [];
  for await (const { record } of readAuditLog(path)) calls.push(record?.call_id);
  return calls;
}

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `c${from + i}`);

describe('rotation of the audit log', () => {
  test('a file that has the name already is not touched; the log grows on', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 2);
    const archive = path.replace('.jsonl', '-1.jsonl');
    writeFileSync(archive, 'somebody else’s\n');
    await write(path, 2, { maxBytes: 1 }, 3);
    expect(readFileSync(archive, 'utf8')).toBe('somebody else’s\n');
    expect(linesOf(path)).toHaveLength(4);
  });

  test('a file of the middle that is missing, and a line that is changed in one, are named', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 8, { maxBytes: MAX_BYTES });
    const [, second = '', third = ''] = (await verifyAuditLog(path)).segments;
    const file = join(path, '..', second);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"ada"', '"eve"'));
    expect((await verifyAuditLog(path)).problem).toMatchObject({ file: second, line: 2 });
    rmSync(file);
    expect((await verifyAuditLog(path)).problem).toMatchObject({
      file: third,
      line: 1,
      reason: expect.stringContaining('lines are missing'),
    });
  });

  test('goes by size; the chain goes on, and all files are read in order', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 20, { maxBytes: MAX_BYTES });
    const { segments, ok, records, notes, head } = await verifyAuditLog(path);
    expect({ ok, records, notes, seq: head?.seq }).toEqual({
      ok: true,
      records: 20,
      notes: segments.length - 1,
      seq: 20 + segments.length - 1,
    });
    expect(segments.toSorted()).toEqual(logFiles(path));
    expect(segments.length).toBeGreaterThan(4);
    expect(await callsOf(path)).toEqual(numbered(1, 20));
    expect((await searchAuditLog(path, {}, 7)).map(({ record }) => record?.call_id)).toEqual(numbered(14, 20));
    expect((await searchAuditLog(path, { text: '"c2"' }, 7)).map(({ file }) => file)).toEqual(['audit-1.jsonl']);
    expect((await findCall(path, 'c1')).map((record) => record.call_id)).toEqual(['c1']);
  });

  test('each file is named after its first record', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 6, { maxBytes: 1 });
    expect(logFiles(path)).toEqual([
      'audit-1.jsonl',
      'audit-2.jsonl',
      'audit-4.jsonl',
      'audit-6.jsonl',
      'audit-8.jsonl',
      'audit.jsonl',
    ]);
    const [note = ''] = linesOf(path);
    expect(JSON.parse(note)).toMatchObject({ seq: 10, event: 'log-rotated', from: 'audit-8.jsonl' });
  });

  test('is seen by others who have the log open', async () => {
    const path = join(folder(), 'audit.jsonl');
    const [a, b] = [await openAuditLog(path, { maxBytes: MAX_BYTES }), await openAuditLog(path, { maxBytes: 1e9 })];
    for (let i = 1; i <= 12; i++) await (i % 2 ? a : b).append(aRecord({ call_id: `c${i}` }));
    a.close();
    b.close();
    expect(await callsOf(path)).toEqual(numbered(1, 12));
    expect((await verifyAuditLog(path)).ok).toBe(true);
  });

  test('that was interrupted before the log lost its old name is ended', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 3);
    linkSync(path, path.replace('.jsonl', '-1.jsonl'));
    expect(await callsOf(path)).toEqual(numbered(1, 3));
    expect((await verifyAuditLog(path)).ok).toBe(true);
    await write(path, 1, { maxBytes: 1 }, 4);
    expect(logFiles(path)).toEqual(['audit-1.jsonl', 'audit.jsonl']);
    expect(await callsOf(path)).toEqual(numbered(1, 4));
    expect((await verifyAuditLog(path)).ok).toBe(true);
  });

  test('that was interrupted before a new log was there is ended', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 3);
    renameSync(path, path.replace('.jsonl', '-1.jsonl'));
    expect((await verifyAuditLog(path)).ok).toBe(true);
    await write(path, 1, {}, 4);
    expect(await callsOf(path)).toEqual(numbered(1, 4));
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, records: 4, notes: 1 });
  });

  test('that was interrupted with half a line in the new log is ended', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 3);
    renameSync(path, path.replace('.jsonl', '-1.jsonl'));
    writeFileSync(path, '{"v":1,"seq":4,"ev');
    await write(path, 1, {}, 4);
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, records: 4, notes: 2, torn: 1 });
  });

  test('a log from before there was a chain becomes audit-0', async () => {
    const path = join(folder(), 'audit.jsonl');
    writeFileSync(path, `${JSON.stringify(aRecord({ call_id: 'c1' }))}\n`);
    await write(path, 2, { maxBytes: 1 }, 2);
    expect(logFiles(path)).toEqual(['audit-0.jsonl', 'audit.jsonl']);
    expect(await callsOf(path)).toEqual(numbered(1, 3));
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, records: 2, unchained: 1 });
  });
});
