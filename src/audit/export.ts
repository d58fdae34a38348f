import type { AuditRecord } from '../domain/types.js';
import { visible } from '../lib/visible.js';

export type ExportFormat = 'json' | 'jsonl' | 'csv' | 'cef';

/** Gives the records as text, piece by piece. csv: RFC 4180 · cef: ArcSight Common Event Format 0 · json: one array. */
export async function* exportRecords(
  records: AsyncIterable<AuditRecord>,
  format: ExportFormat,
  version: string,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(COLUMNS.map(([name]) => name));
  if (format === 'json') yield '[';
  let separator = '\n';
  for await (const record of records) {
    if (format === 'csv') yield csvLine(COLUMNS.map(([, value]) => value(record)));
    else if (format === 'cef') yield `${cefLine(record, version)}\n`;
    else if (format === 'jsonl') yield `${JSON.stringify(record)}\n`;
    else {
      yield `${separator}${JSON.stringify(record)}`;
      separator = ',\n';
    }
  }
  if (format === 'json') yield '\n]\n';
}

type Cell = string | number | boolean | null | undefined;

const COLUMNS: readonly (readonly [string, (record: AuditRecord) => Cell])[] = [
  ['seq', (r) => r.seq],
  ['timestamp', (r) => r.timestamp],
  ['event', (r) => r.event],
  ['session_id', (r) => r.session_id],
  ['call_id', (r) => r.call_id],
  ['parent_id', (r) => r.parent_id],
  ['user', (r) => r.user],
  ['ip_address', (r) => r.ip_address],
  ['tool', (r) => r.tool],
  ['risk_level', (r) => r.risk_level],
  ['decision', (r) => r.decision?.effect],
  ['reason', (r) => r.decision?.reason],
  ['rules', (r) => r.decision?.rules.map((rule) => rule.id).join(' ')],
  ['user_confirmed', (r) => r.user_confirmed],
  ['answer', (r) => r.approval && (r.approval.granted ? 'yes' : 'no')],
  ['answered_by', (r) => r.approval?.by],
  ['status', (r) => r.status],
  ['exit_code', (r) => r.exit_code],
  ['duration_ms', (r) => r.duration_ms],
  ['cost_usd', (r) => r.cost_usd],
  ['error_category', (r) => r.error_category],
  ['error', (r) => r.execution_result?.error],
  ['action', (r) => r.action?.display],
  ['parameters', (r) => JSON.stringify(r.parameters)],
  ['output', (r) => r.execution_result?.output],
  ['output_bytes', (r) => r.output_bytes],
  ['output_sha256', (r) => r.output_sha256],
  ['hash', (r) => r.hash],
  ['mode', (r) => r.mode_switch?.to],
];

/** What spreadsheets take for the beginning of a formula (OWASP, CSV Injection), in full width too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  const raw = String(cell ?? '');
  const text = `${FORMULA.test(raw) ? "'" : ''}${visible(raw)}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Severity 0 to 10, as CEF has it: low 0-3, medium 4-6, high 7-8, very high 9-10. */
const SEVERITY: Readonly<Record<AuditRecord['risk_level'], number>> = {
  low: 2,
  medium: 5,
  high: 8,
  critical: 10,
  unknown: 4,
};

function cefLine(record: AuditRecord, version: string): string {
  const kind = [record.event, record.status].filter(Boolean).join(':');
  const header = ['opsagent', 'opsagent', version, kind, record.tool, String(SEVERITY[record.risk_level])];
  const extension = extensionOf(record).flatMap(([key, value]) =>
    value === undefined || value === null || value === '' ? [] : [`${key}=${cefValue(String(value))}`],
  );
  return `CEF:0|${header.map(cefHeader).join('|')}|${extension.join(' ')}`;
}

/** Keys of the CEF dictionary; what it has no key for stands in custom fields with a label. */
function extensionOf(record: AuditRecord): (readonly [string, Cell])[] {
  const address = record.ip_address;
  const from: (readonly [string, Cell])[] = address.includes(':')
    ? [
        ['c6a2', address],
        ['c6a2Label', 'Source IPv6 Address'],
      ]
    : [['src', address]];
  return [
    ['rt', Date.parse(record.timestamp)],
    ['suser', record.user],
    ...from,
    ['externalId', `${record.session_id}/${record.call_id}`],
    ['act', record.decision?.effect],
    ['outcome', record.status],
    ['reason', record.execution_result?.error ?? record.decision?.reason],
    ['msg', record.action?.display],
    ...labelled('cs1', 'risk', record.risk_level),
    ...labelled(
      'cs2',
      'answeredBy',
      record.approval && `${record.approval.granted ? 'yes' : 'no'} by ${record.approval.by}`,
    ),
    ...labelled('cs3', 'parameters', JSON.stringify(record.parameters)),
    ...labelled('cs4', 'rules', record.decision?.rules.map((rule) => rule.id).join(' ')),
    ...labelled('cs5', 'hash', record.hash),
    ...labelled('cs6', 'mode', record.mode_switch?.to),
    ...labelled('cn1', 'seq', record.seq),
    ...labelled('cn2', 'durationMs', record.duration_ms),
  ];
}

const labelled = (key: string, label: string, value: Cell): (readonly [string, Cell])[] =>
  value === undefined || value === null || value === ''
    ? []
    : [
        [key, value],
        [`${key}Label`, label],
      ];

/** A header has no line breaks; backslash and pipe are escaped. */
const cefHeader = (text: string): string =>
  visible(text.replaceAll(/[\r\n]+/g, ' ')).replaceAll(/[\\|]/g, (c) => `\\${c}`);

/** In the extension backslash and equals sign are escaped, and line breaks are written as `\n` and `\r`. */
const cefValue = (text: string): string =>
  text
    .split(/(\r|\n)/)
    .map((part) =>
      part === '\n' ? '\\n' : part === '\r' ? '\\r' : visible(part).replaceAll(/[\\=]/g, (c) => `\\${c}`),
    )
    .join('');
