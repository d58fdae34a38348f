import type { Link } from '../audit/chain.js';
import { type ExportFormat, exportRecords } from '../audit/export.js';
import { readMatching } from '../audit/read.js';
import { type AuditStats, type Counts, countRecords } from '../audit/stats.js';
import { type Verdict, verifyAuditLog } from '../audit/verify.js';
import { OpsError } from '../domain/errors.js';
import { packageVersion } from '../lib/package-root.js';
import { auditPath } from '../lib/paths.js';
import { visibleLine } from '../lib/visible.js';
import { type FilterOptions, filterOf } from './audit-commands.js';
import { auditKey, sessionsFolder } from './audit-settings.js';
import type { Io } from './io.js';

/** `audit verify`: exit 1 when the log is not what was written. */
export async function verifyAudit(
  io: Io,
  options: { readonly head?: string; readonly output: 'text' | 'json' },
): Promise<void> {
  const noted = options.head === undefined ? undefined : parseHead(options.head);
  const verdict = await verifyAuditLog(auditPath(io.paths), { key: auditKey(io), sessions: sessionsFolder(io), noted });
  if (options.output === 'json') io.out(`${JSON.stringify(toJson(verdict), null, 2)}\n`);
  else io.out(describeVerdict(verdict, auditPath(io.paths)));
  if (!verdict.ok) io.exit = 'failed';
}

/** `audit stats`. */
export async function printStats(
  io: Io,
  text: string | undefined,
  options: FilterOptions & { readonly output: 'text' | 'json' },
): Promise<void> {
  const stats = await countRecords(readMatching(auditPath(io.paths), filterOf(text, options)));
  io.out(options.output === 'json' ? `${JSON.stringify(stats, null, 2)}\n` : describeStats(stats));
}

/** `audit export`. */
export async function exportAudit(
  io: Io,
  text: string | undefined,
  options: FilterOptions & { readonly format: ExportFormat },
): Promise<void> {
  const records = readMatching(auditPath(io.paths), filterOf(text, options));
  for await (const part of exportRecords(records, options.format, packageVersion())) {
    if (io.signal.aborted) return;
    io.out(part);
  }
}

const toJson = ({ signedFrom, signaturesChecked, endsTorn, head, problem, ...counts }: Verdict): object => ({
  ...counts,
  ends_torn: endsTorn,
  head: head ? { seq: head.seq, hash: head.hash } : null,
  signed_from: signedFrom ?? null,
  signatures_checked: signaturesChecked,
  problem: problem ?? null,
});

function describeVerdict(verdict: Verdict, path: string): string {
  const { ok, problem, head, segments, records, notes, torn, unchained } = verdict;
  const place = problem && `${problem.file}${problem.line === undefined ? '' : ` line ${problem.line}`}`;
  const rows: [string, string | number | undefined][] = [
    ['log', `${path}, ${segments.length} ${segments.length === 1 ? 'file' : 'files'}`],
    ['records', `${records}${ok ? '' : ' before the fault'}, each following the one before it`],
    [
      'notes',
      notes > 0 ? `${notes} of the log about itself${torn > 0 ? `, ${torn} on lines cut by a crash` : ''}` : undefined,
    ],
    ['older', unchained > 0 ? `${unchained} lines from before there was a chain` : undefined],
    ['unended', verdict.endsTorn ? 'the last line, which the next record will seal' : undefined],
    ['signed', describeSignatures(verdict)],
    ['head', head && `${head.seq}:${head.hash}`],
    ['result', problem ? `BROKEN: ${place} ${problem.reason}` : 'whole'],
  ];
  const known = rows.filter(([, value]) => value !== undefined);
  return known.map(([name, value]) => `${name.padEnd(8)} ${visibleLine(String(value))}\n`).join('');
}

function describeSignatures({ signedFrom, signaturesChecked }: Verdict): string | undefined {
  if (signedFrom === undefined) return undefined;
  return `from record ${signedFrom} on, ${signaturesChecked ? 'checked' : 'not checked: OPSAGENT_AUDIT_KEY is not set'}`;
}

/** How many names of each kind people get to see; JSON has them all. */
const TOP = 20;

function describeStats(stats: AuditStats): string {
  const { duration_ms: duration } = stats;
  const rows: [string, string][] = [
    ['calls', `${stats.calls} in ${stats.sessions} sessions`],
    ['time', stats.first === null ? '' : `${stats.first} to ${stats.last}`],
    ['refused', String(stats.refused)],
    ['unfinished', String(stats.unfinished)],
    ['duration', duration.p50 === null ? '' : `p50 ${duration.p50} ms, p95 ${duration.p95} ms`],
    ['cost', `${stats.cost_usd} USD`],
    ...countRows('decision', stats.by_decision),
    ...countRows('status', stats.by_status),
    ...countRows('risk', stats.by_risk),
    ...countRows('confirmed', stats.confirmed_by),
    ...countRows('user', stats.by_user),
    ...countRows('tool', stats.by_tool),
    ...countRows('day', Object.fromEntries(Object.entries(stats.by_day).slice(-TOP))),
  ];
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.padEnd(10)} ${visibleLine(value)}\n`)
    .join('');
}

function countRows(name: string, counts: Counts): [string, string][] {
  const all = Object.entries(counts);
  const width = String(Math.max(0, ...all.map(([, times]) => times))).length;
  const rows = all.slice(0, TOP).map(([key, times]) => `${String(times).padStart(width)}  ${key}`);
  if (all.length > TOP) rows.push(`… and ${all.length - TOP} more: --output json`);
  return rows.map((row, i) => [i === 0 ? name : '', row]);
}

function parseHead(text: string): Link {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash };
  throw new OpsError(
    'usage',
    `--head takes NUMBER:HASH, not ${JSON.stringify(text)}.`,
    'opsagent audit verify prints it.',
  );
}
