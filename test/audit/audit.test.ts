import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAuditLog } from '../../src/audit/append.js';
import { findCall, searchAuditLog } from '../../src/audit/read.js';
import { aRecord, folder, linesOf } from './records.js';

describe('the audit log', () => {
  test('cannot be opened where it cannot be written, and says what to do', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'file'), '');
    await expect(openAuditLog(join(dir, 'file', 'audit.jsonl'))).rejects.toThrow(/cannot be written.*Nothing runs/);
  });

  test('is not followed through a symbolic link', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'elsewhere'), '');
    symlinkSync(join(dir, 'elsewhere'), join(dir, 'audit.jsonl'));
    await expect(openAuditLog(join(dir, 'audit.jsonl'))).rejects.toThrow('cannot be written');
  });

  test('is a folder: refused', async () => {
    const dir = folder();
    mkdirSync(join(dir, 'audit.jsonl'));
    await expect(openAuditLog(join(dir, 'audit.jsonl'))).rejects.toThrow('cannot be written');
  });

  test('has mode 0600 in a folder 0700, even when it was open before', async () => {
    const dir = join(folder(), 'state');
    const path = join(dir, 'audit.jsonl');
    (await openAuditLog(path)).close();
    chmodSync(path, 0o666);
    const log = await openAuditLog(path);
    await log.append(aRecord());
    log.close();
    expect([statSync(path).mode & 0o777, statSync(dir).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test('everything beside it has mode 0600', async () => {
    const dir = folder();
    const log = await openAuditLog(join(dir, 'audit.jsonl'), { maxBytes: 1, headCopy: join(dir, 's1/audit-head') });
    await log.append(aRecord());
    await log.append(aRecord());
    log.close();
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file !== 's1');
    expect(files.sort()).toEqual([
      'audit-1.jsonl',
      'audit.head',
      'audit.jsonl',
      'audit.jsonl.reserve',
      's1/audit-head',
    ]);
    expect(new Set(files.map((file) => statSync(join(dir, file)).mode & 0o777))).toEqual(new Set([0o600]));
  });

  test('appends; a line that a crash cut stays, and the next record begins a new line', async () => {
    const path = join(folder(), 'audit.jsonl');
    writeFileSync(path, '{"torn":"half a reco', { mode: 0o600 });
    const log = await openAuditLog(path);
    await log.append(aRecord({ call_id: 'c1' }));
    await log.append(aRecord({ call_id: 'c2' }));
    log.close();
    expect(linesOf(path).map((line) => (line.startsWith('{"torn') ? line : JSON.parse(line).event))).toEqual([
      '{"torn":"half a reco',
      'log-torn',
      'decided',
      'decided',
    ]);
    expect((await searchAuditLog(path, {}, 10)).map(({ line, record }) => [line, record?.call_id])).toEqual([
      [1, undefined],
      [3, 'c1'],
      [4, 'c2'],
    ]);
  });

  test('an empty line, which two processes may leave after a crash, is no damage; lines keep their numbers', async () => {
    const path = join(folder(), 'audit.jsonl');
    writeFileSync(
      path,
      `${JSON.stringify(aRecord({ call_id: 'c1' }))}\n\n${JSON.stringify(aRecord({ call_id: 'c2' }))}\n`,
    );
    const found = await searchAuditLog(path, {}, 10);
    expect(found.map(({ line, record }) => [line, record?.call_id])).toEqual([
      [1, 'c1'],
      [3, 'c2'],
    ]);
  });

  test('is searched by field, time and text; the last ones win', async () => {
    const path = join(folder(), 'audit.jsonl');
    const log = await openAuditLog(path);
    await log.append(aRecord({ call_id: 'c1', tool: 'kubectl_get', timestamp: '2024-07-10T10:00:00.000Z' }));
    await log.append(aRecord({ call_id: 'c2', tool: 'kubectl_scale', risk_level: 'high' }));
    await log.append(aRecord({ call_id: 'c3', tool: 'kubectl_get', parameters: { name: 'Order-Service' } }));
    log.close();
    const ids = async (filter: Parameters<typeof searchAuditLog>[1], limit = 10) =>
      (await searchAuditLog(path, filter, limit)).map(({ record }) => record?.call_id);
    expect(await ids({ tool: 'kubectl_get' })).toEqual(['c1', 'c3']);
    expect(await ids({ risk: 'high' })).toEqual(['c2']);
    expect(await ids({ text: 'order-service' })).toEqual(['c3']);
    expect(await ids({ sinceMs: Date.parse('2024-07-10T12:00:00Z') })).toEqual(['c2', 'c3']);
    expect(await ids({}, 1)).toEqual(['c3']);
  });

  test('finds a call of the last session, or of the one that is named', async () => {
    const path = join(folder(), 'audit.jsonl');
    const log = await openAuditLog(path);
    await log.append(aRecord({ session_id: 's1' }));
    await log.append(aRecord({ session_id: 's2' }));
    await log.append(aRecord({ session_id: 's2', event: 'finished' }));
    log.close();
    const found = async (session?: string) => (await findCall(path, 'c1', session)).map((r) => [r.session_id, r.event]);
    expect(await found()).toEqual([
      ['s2', 'decided'],
      ['s2', 'finished'],
    ]);
    expect(await found('s1')).toEqual([['s1', 'decided']]);
  });

  test('an absent log is an empty one', async () => {
    expect(await searchAuditLog(join(folder(), 'none'), {}, 5)).toEqual([]);
  });
});
