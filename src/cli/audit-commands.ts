import ms from 'ms';
import { type AuditFilter, type AuditLine, findCall, searchAuditLog } from '../audit/read.js';
import { OpsError } from '../domain/errors.js';
import type { AuditRecord } from '../domain/types.js';
import { auditPath } from '../lib/paths.js';
import { visible, visibleLine } from '../lib/visible.js';
import type { Io } from './io.js';
import { formatTable } from './table.js';

/** Options that say which records are meant. */
export interface FilterOptions {
  readonly tool?: string;
  readonly user?: string;
  readonly risk?: string;
  readonly event?: string;
  readonly decision?: string;
  readonly status?: string;
  readonly session?: string;
  readonly since?: string;
  readonly until?: string;
}

/** `audit tail`. */
export async function tailAudit(io: Io, options: { readonly lines: number; readonly json?: boolean }): Promise<void> {
  await print(io, await searchAuditLog(auditPath(io.paths), {}, options.lines), options.json);
}

/** `audit search`. */
export async function searchAudit(
  io: Io,
  text: string | undefined,
  options: FilterOptions & { readonly lines: number; readonly json?: boolean },
): Promise<void> {
  await print(io, await searchAuditLog(auditPath(io.paths), filterOf(text, options), options.lines), options.json);
}

/** Reads the options that say which records are meant. @throws OpsError usage for a time that is none. */
export function filterOf(text: string | undefined, options: FilterOptions): AuditFilter {
  const wanted: Record<keyof AuditFilter, string | number | undefined> = {
    tool: options.tool,
    user: options.user,
    risk: options.risk,
    event: options.event,
    effect: options.decision,
    status: options.status,
    session: options.session,
    sinceMs: options.since === undefined ? undefined : parseWhen(options.since, '--since'),
    untilMs: options.until === undefined ? undefined : parseWhen(options.until, '--until'),
    text,
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

/** `audit show CALL`. */
export async function showCall(io: Io, call: string, options: { readonly json?: boolean }): Promise<void> {
  const [callId, session] = call.split('/').reverse();
  const records = await findCall(auditPath(io.paths), callId ?? '', session);
  if (records.length === 0) {
    throw new OpsError(
      'usage',
      `The audit log has no call ${visibleLine(call)}.`,
      'See the last ones with: opsagent audit tail',
    );
  }
  if (options.json) return io.out(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  io.out(records.map(describeRecord).join('\n'));
}

async function print(io: Io, entries: readonly AuditLine[], json: boolean | undefined): Promise<void> {
  const broken = entries.filter((entry) => !entry.record).map((entry) => `${entry.file}:${entry.line}`);
  const records = entries.flatMap((entry) => (entry.record ? [entry.record] : []));
  if (json) io.out(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  else if (records.length === 0) io.say(`No record to show in ${auditPath(io.paths)}\n`);
  else
    io.out(
      await formatTable(
        ['TIME', 'CALL', 'EVENT', 'RISK', 'OUTCOME', 'TOOL', 'ACTION'],
        records.map(toRow),
        io.outIsTerminal ? io.width : 400,
      ),
    );
  if (broken.length > 0) io.say(`Not records, perhaps cut by a crash: ${broken.join(', ')}\n`);
}

const toRow = (record: AuditRecord): string[] => [
  record.timestamp.replace('T', ' ').slice(0, 19),
  record.call_id,
  record.event,
  record.risk_level,
  outcomeOf(record),
  visibleLine(record.tool),
  visibleLine(record.action?.display ?? switchOf(record) ?? JSON.stringify(record.parameters)).slice(0, 300),
];

const HOW = { card: 'on the card', key: 'with Shift+Tab', command: 'with a command' } as const;

/** A switch of the mode in words; undefined for every other record. */
const switchOf = ({ mode_switch: change, user }: AuditRecord): string | undefined =>
  change && `mode from ${change.from} to ${change.to}, by ${user} ${HOW[change.via]}`;

function outcomeOf({ event, status, decision, approval, mode_switch: change }: AuditRecord): string {
  if (event !== 'decided') return change?.to ?? status ?? '';
  if (decision?.effect !== 'confirm') return decision?.effect ?? '';
  return approval?.granted ? `yes (${approval.by})` : `no (${approval?.by})`;
}

function describeRecord(record: AuditRecord): string {
  const rows: [string, string | undefined][] = [
    ['event', `${record.event} at ${record.timestamp}`],
    ['session', `${record.session_id}, user ${record.user} from ${record.ip_address}`],
    ['call', `${record.call_id}${record.parent_id ? ` (step of ${record.parent_id})` : ''} ${record.tool}`],
    ['mode', switchOf(record)],
    ['risk', record.risk_level],
    ['parameters', JSON.stringify(record.parameters)],
    ['repaired', record.repairs?.join('; ')],
    ['action', record.action?.display],
    ['decision', record.decision && `${record.decision.effect}: ${record.decision.reason}`],
    ['rules', record.decision?.rules.map((rule) => `${rule.id} (${rule.effect})`).join(', ') || undefined],
    [
      'answer',
      record.approval &&
        `${record.approval.granted ? 'yes' : 'no'} by ${record.approval.by} ${record.approval.note ?? ''}`,
    ],
    [
      'status',
      record.status &&
        `${record.status}${record.exit_code === undefined ? '' : `, exit code ${record.exit_code}`}, ${record.duration_ms} ms`,
    ],
    ['error', record.execution_result?.error ?? undefined],
    ['output', record.execution_result?.output || undefined],
    ['chain', record.hash ? `record ${record.seq}, hash ${record.hash}` : undefined],
    ['bytes', record.output_sha256 && `${record.output_bytes}, sha256 ${record.output_sha256}`],
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== undefined);
  return `${known
    .map(
      ([name, value]) =>
        `${name.padEnd(11)} ${visible(value)
          .trimEnd()
          .replaceAll('\n', `\n${' '.repeat(12)}`)}`,
    )
    .join('\n')}\n`;
}

/** `2h`, `7d` back from now, or anything that Date can read. In ms since 1970. */
function parseWhen(text: string, flag: string): number {
  const back = /^\d+(\.\d+)?\s*[a-z]+$/i.test(text) ? ms(text as ms.StringValue) : undefined;
  const at = back === undefined ? Date.parse(text) : Date.now() - back;
  if (Number.isFinite(at)) return at;
  throw new OpsError(
    'usage',
    `${flag} ${JSON.stringify(text)} is neither a duration nor a date.`,
    'Write 30m, 2h, 7d, or 2024-07-10T14:30.',
  );
}
