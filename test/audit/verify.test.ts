import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAuditLog } from '../../src/audit/append.js';
import { verifyAuditLog } from '../../src/audit/verify.js';
import { aRecord, folder, linesOf, write } from './records.js';

const KEY = 'a key of the tests, long enough';

describe('audit verify', () => {
  test('a log that cannot be read: what happened, and what to do', async () => {
    const path = join(folder(), 'audit.jsonl');
    mkdirSync(path);
    await expect(verifyAuditLog(path)).rejects.toMatchObject({
      exit: 'failed',
      message: `The audit log ${path} cannot be read: it is not a regular file.`,
    });
    const below = join(path, '..', 'file');
    writeFileSync(below, '');
    await expect(verifyAuditLog(join(below, 'audit.jsonl'))).rejects.toMatchObject({ exit: 'failed' });
  });

  test('a log that was deleted, of which the head file still tells', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 2);
    rmSync(path);
    expect((await verifyAuditLog(path)).problem).toEqual({
      file: 'audit.jsonl',
      line: 1,
      reason: 'is not there: the log ends before record 2, which audit.head remembers',
    });
  });

  test('an end that is cut off together with the head file: the sessions remember it', async () => {
    const dir = folder();
    const path = join(dir, 'audit.jsonl');
    await write(path, 3);
    const [whole, head] = [readFileSync(path), readFileSync(join(dir, 'audit.head'))];
    await write(path, 2, { headCopy: join(dir, 'sessions/s2/audit-head') }, 4);
    writeFileSync(path, whole);
    writeFileSync(join(dir, 'audit.head'), head);
    expect((await verifyAuditLog(path)).ok).toBe(true);
    expect((await verifyAuditLog(path, { sessions: join(dir, 'sessions') })).problem).toEqual({
      file: 'audit.jsonl',
      line: 4,
      reason: `is not there: the log ends before record 5, which ${join(dir, 'sessions/s2/audit-head')} remembers`,
    });
  });

  test('a head that was noted elsewhere shows what was written anew with all files', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 3);
    const noted = (await verifyAuditLog(path)).head;
    expect((await verifyAuditLog(path, { noted })).ok).toBe(true);
    for (const file of [path, path.replace('.jsonl', '.head')]) rmSync(file);
    await write(path, 3, {}, 7);
    expect((await verifyAuditLog(path)).ok).toBe(true);
    expect((await verifyAuditLog(path, { noted })).problem).toEqual({
      file: 'audit.jsonl',
      line: 3,
      reason: 'is not the record 3 that the noted head remembers',
    });
  });

  test.each([
    ['absent', (head: string) => rmSync(head)],
    ['damaged', (head: string) => writeFileSync(head, '{}')],
  ])('a head file that is %s', async (state, spoil) => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 2);
    spoil(path.replace('.jsonl', '.head'));
    expect((await verifyAuditLog(path)).problem).toEqual({
      file: 'audit.head',
      reason: `is ${state}: records cut from the end of the log would not show`,
    });
    // The next record does not hide it.
    await write(path, 1);
    expect((await verifyAuditLog(path)).problem).toEqual({
      file: 'audit.jsonl',
      line: 3,
      reason: 'says that records were missing before it: the head file was lost',
    });
  });

  test('records that were cut off stay missing after further ones', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 5);
    writeFileSync(path, `${linesOf(path).slice(0, 3).join('\n')}\n`);
    await write(path, 1);
    expect((await verifyAuditLog(path)).problem).toEqual({
      file: 'audit.jsonl',
      line: 4,
      reason: 'says that records were missing before it: up to 5 there had been',
    });
  });

  test('a log that was deleted stays missing after further records', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 5);
    rmSync(path);
    await write(path, 1);
    expect((await verifyAuditLog(path)).problem).toMatchObject({ line: 1, reason: expect.stringMatching(/up to 5/) });
  });

  test('a last record that was changed is not passed off as a torn line by the next', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 3);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"ada"(?![\s\S]*"ada")/, '"eve"'));
    await write(path, 1);
    expect((await verifyAuditLog(path)).problem).toEqual({
      file: 'audit.jsonl',
      line: 3,
      reason: 'was changed: its hash is not the one of its content',
    });
  });

  test('a torn line that somebody changes after it was sealed', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 2);
    appendFileSync(path, '{"half":"a rec');
    await write(path, 1, {}, 3);
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, records: 3, notes: 1, torn: 1 });
    writeFileSync(path, readFileSync(path, 'utf8').replace('"a rec', '"a bec'));
    expect((await verifyAuditLog(path)).problem).toEqual({ file: 'audit.jsonl', line: 3, reason: 'is no record' });
  });

  test('a last record without its line break is kept, and gets one', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 2);
    truncateSync(path, statSync(path).size - 1);
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, records: 2 });
    await write(path, 1, {}, 3);
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, records: 3, notes: 0, torn: 0 });
  });

  test('records from before there was a chain are counted, and vouched for from then on', async () => {
    const path = join(folder(), 'audit.jsonl');
    const old = [1, 2, 3].map((i) => JSON.stringify(aRecord({ call_id: `old${i}` })));
    writeFileSync(path, `${old.join('\n')}\n{"torn`);
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, records: 0, unchained: 4 });
    await write(path, 2);
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, records: 2, notes: 1, unchained: 4, torn: 0 });
    writeFileSync(path, readFileSync(path, 'utf8').replace('old2', 'old9'));
    expect((await verifyAuditLog(path)).problem).toMatchObject({ line: 1 });
  });

  test('a record of another log in the place of one', async () => {
    const [path, other] = [join(folder(), 'audit.jsonl'), join(folder(), 'audit.jsonl')];
    await write(path, 4);
    await write(other, 4, {}, 11);
    writeFileSync(
      path,
      `${linesOf(path)
        .with(1, linesOf(other)[1] ?? '')
        .join('\n')}\n`,
    );
    expect((await verifyAuditLog(path)).problem).toEqual({
      file: 'audit.jsonl',
      line: 2,
      reason: 'does not follow the record before it',
    });
  });

  test('an absent log is whole', async () => {
    expect(await verifyAuditLog(join(folder(), 'audit.jsonl'))).toMatchObject({ ok: true, records: 0, segments: [] });
  });

  test('the hash is SHA-256 of the line without it, as any other program can tell', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 1);
    const [line = ''] = linesOf(path);
    const bare = line.replace(/,"hash":"[0-9a-f]{64}"\}$/, '}');
    expect(JSON.parse(line).hash).toBe(createHash('sha256').update(bare).digest('hex'));
  });
});

describe('a log with a key', () => {
  test('takes no record without the key, or with another: nothing runs', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 2, { key: KEY });
    await expect(openAuditLog(path)).rejects.toThrow(/is signed, and there is no key. Nothing runs/);
    await expect(openAuditLog(path, { key: `${KEY}!` })).rejects.toThrow(/key is not the one of its last record/);
    expect(linesOf(path)).toHaveLength(2);
  });

  test('written anew without the key, the log is not signed', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 3);
    expect((await verifyAuditLog(path)).ok).toBe(true);
    expect((await verifyAuditLog(path, { key: KEY })).problem).toEqual({
      file: 'audit.jsonl',
      line: 4,
      reason: 'ends a log without a signature, although there is a key',
    });
  });

  test('written anew with another key, its first record shows it', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 3, { key: 'the key of somebody else' });
    expect((await verifyAuditLog(path, { key: KEY })).problem).toEqual({
      file: 'audit.jsonl',
      line: 1,
      reason: 'is not signed with the key',
    });
  });

  test('a record without a signature behind signed ones shows without the key, too', async () => {
    const dir = folder();
    const path = join(dir, 'audit.jsonl');
    await write(path, 2, { key: KEY });
    writeFileSync(path, readFileSync(path, 'utf8').replace(/,"mac":"[0-9a-f]+"\}\n$/, '}\n'));
    expect((await verifyAuditLog(path)).problem).toEqual({
      file: 'audit.jsonl',
      line: 2,
      reason: 'has no signature, although those before it have one',
    });
  });

  test('a key that comes later signs what was before through the chain', async () => {
    const path = join(folder(), 'audit.jsonl');
    await write(path, 2);
    await write(path, 2, { key: KEY }, 3);
    expect(await verifyAuditLog(path, { key: KEY })).toMatchObject({
      ok: true,
      records: 4,
      signedFrom: 3,
      signaturesChecked: true,
    });
    expect(await verifyAuditLog(path)).toMatchObject({ ok: true, signedFrom: 3, signaturesChecked: false });
  });
});
