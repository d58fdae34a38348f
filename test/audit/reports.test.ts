import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAuditLog } from '../../src/audit/append.js';
import { type ExportFormat, exportRecords } from '../../src/audit/export.js';
import { readMatching } from '../../src/audit/read.js';
import { countRecords } from '../../src/audit/stats.js';
import type { AuditRecord } from '../../src/domain/types.js';
import { aRecord, folder } from './records.js';

async function* from(...records: AuditRecord[]): AsyncGenerator<AuditRecord> {
  yield* records;
}

async function exported(format: ExportFormat, ...records: AuditRecord[]): Promise<string> {
  let text = '';
  for await (const part of exportRecords(from(...records), format, '1.2.3')) text += part;
  return text;
}

/** RFC 4180, read without mercy. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let rest = text;
  const row: string[] = [];
  while (rest !== '') {
    const found = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (!found) throw new Error(`no CSV: ${rest.slice(0, 80)}`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n') rows.push(row.splice(0));
    rest = rest.slice(found[0].length);
  }
  return rows;
}

async function cellsOf(record: AuditRecord): Promise<Record<string, string>> {
  const [header = [], row = []] = parseCsv(await exported('csv', record));
  return Object.fromEntries(header.map((name, i) => [name, row[i] ?? '']));
}

describe('the audit log as CSV', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=x', '＝1'])('%j is no formula', async (text) => {
    expect((await cellsOf(aRecord({ tool: text }))).tool).toMatch(/^'/);
  });

  test('quotes, commas and line breaks stay in their cell, and other controls are marked', async () => {
    const display = 'echo "a, b"\nrm x\u001b[31m';
    const cells = await cellsOf(aRecord({ action: { kind: 'command', tokens: [], display } }));
    expect(cells.action).toBe('echo "a, b"\nrm x␛[31m');
  });

  test('each record is a line with a cell for each column; absent values are empty', async () => {
    const finished = aRecord({
      event: 'finished',
      seq: 7,
      hash: 'f'.repeat(64),
      status: 'failed',
      exit_code: 7,
      duration_ms: 12,
      cost_usd: 0.5,
      approval: { granted: true, by: 'user' },
      user_confirmed: true,
      decision: { effect: 'confirm', reason: 'high risk', rules: [{ id: 'a.b', effect: 'confirm', reason: '' }] },
    });
    expect(await cellsOf(finished)).toEqual({
      seq: '7',
      timestamp: '2024-07-10T14:30:00.000Z',
      event: 'finished',
      session_id: 's1',
      call_id: 'c1',
      parent_id: '',
      user: 'ada',
      ip_address: '127.0.0.1',
      tool: 'tool',
      risk_level: 'low',
      decision: 'confirm',
      reason: 'high risk',
      rules: 'a.b',
      user_confirmed: 'true',
      answer: 'yes',
      answered_by: 'user',
      status: 'failed',
      exit_code: '7',
      duration_ms: '12',
      cost_usd: '0.5',
      error_category: '',
      error: '',
      action: 'kubectl get pod x',
      parameters: '{}',
      output: '',
      output_bytes: '',
      output_sha256: '',
      hash: 'f'.repeat(64),
      mode: '',
    });
  });
});

describe('the audit log as CEF', () => {
  test('pipes, equals signs, backslashes and line breaks are escaped where they have to be', async () => {
    const record = aRecord({
      tool: 'a|b\\c\nd=e',
      action: { kind: 'command', tokens: [], display: 'x=1 | y\\z\r\nend\u001b' },
    });
    expect(await exported('cef', record)).toBe(
      'CEF:0|opsagent|opsagent|1.2.3|decided|a\\|b\\\\c d=e|2|rt=1720621800000 suser=ada src=127.0.0.1 externalId=s1/c1 ' +
        'msg=x\\=1 | y\\\\z\\r\\nend␛ cs1=low cs1Label=risk cs3={} cs3Label=parameters\n',
    );
  });

  test('an IPv6 address has its own key, and a critical call the highest severity', async () => {
    const line = await exported(
      'cef',
      aRecord({ ip_address: 'fe80::1', risk_level: 'critical', event: 'finished', status: 'ok' }),
    );
    expect(line).toContain('|finished:ok|tool|10|');
    expect(line).toContain(' c6a2=fe80::1 c6a2Label=Source IPv6 Address ');
    expect(line).not.toContain('src=');
  });
});

test('the audit log as JSON is one array, also when it is empty, or a line each', async () => {
  const records = [aRecord({ call_id: 'c1' }), aRecord({ call_id: 'c2' })];
  expect(JSON.parse(await exported('json', ...records))).toEqual(records);
  expect(JSON.parse(await exported('json'))).toEqual([]);
  expect(
    (await exported('jsonl', ...records))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(records);
});

describe('statistics of the audit log', () => {
  const decision = (effect: 'allow' | 'confirm' | 'deny') => ({ decision: { effect, reason: '', rules: [] } });

  test('count calls once, by what they were and how they ended', async () => {
    const yes = { approval: { granted: true, by: 'user' as const } };
    const finished = (more: Partial<AuditRecord>) => aRecord({ event: 'finished', ...more });
    const records = [
      aRecord(decision('allow')),
      finished({ ...decision('allow'), status: 'ok', duration_ms: 100, cost_usd: 0.1 }),
      aRecord({ ...decision('confirm'), ...yes }),
      finished({
        ...decision('confirm'),
        ...yes,
        status: 'failed',
        duration_ms: 1234,
        cost_usd: 0.2,
        risk_level: 'high',
      }),
      aRecord(decision('deny')),
      finished({ ...decision('deny'), status: 'denied', tool: 'other', timestamp: '2024-07-11T00:00:00.000Z' }),
      finished({ ...decision('allow'), status: 'limited', user: 'eve', session_id: 's2' }),
      finished({ status: 'unknown-tool' }),
      // Killed while it ran.
      aRecord(decision('allow')),
    ];
    expect(await countRecords(from(...records))).toEqual({
      calls: 5,
      sessions: 2,
      first: '2024-07-10T14:30:00.000Z',
      last: '2024-07-10T14:30:00.000Z',
      by_tool: { tool: 4, other: 1 },
      by_user: { ada: 4, eve: 1 },
      by_risk: { low: 4, high: 1 },
      by_decision: { allow: 2, confirm: 1, deny: 1 },
      by_status: { denied: 1, failed: 1, limited: 1, ok: 1, 'unknown-tool': 1 },
      by_day: { '2024-07-10': 4, '2024-07-11': 1 },
      confirmed_by: { 'ada (user)': 1 },
      refused: 2,
      unfinished: 1,
      duration_ms: { p50: 100, p95: 1230 },
      cost_usd: 0.3,
    });
  });

  test('names that a model makes up do not fill the memory', async () => {
    const records = Array.from({ length: 1_500 }, (_, i) => aRecord({ event: 'finished', tool: `made-up-${i}` }));
    const { by_tool: byTool } = await countRecords(from(...records));
    expect([Object.keys(byTool).length, byTool['(others)']]).toEqual([1_001, 500]);
  });

  test('an empty log has none', async () => {
    expect(await countRecords(from())).toMatchObject({ calls: 0, first: null, duration_ms: { p50: null, p95: null } });
  });
});

test('what is counted and exported passes the same filter as a search', async () => {
  const path = join(folder(), 'audit.jsonl');
  const log = await openAuditLog(path, { maxBytes: 1 });
  for (const tool of ['a', 'b', 'a']) await log.append(aRecord({ tool, event: 'finished' }));
  log.close();
  expect((await countRecords(readMatching(path, { tool: 'a' }))).by_tool).toEqual({ a: 2 });
});
