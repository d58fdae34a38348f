import type { AuditRecord } from '../domain/types.js';

/** How often each name came up. */
export type Counts = Readonly<Record<string, number>>;

/** What `audit stats` counts; every call that ended is counted once. */
export interface AuditStats {
  readonly calls: number;
  readonly sessions: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly by_tool: Counts;
  readonly by_user: Counts;
  readonly by_risk: Counts;
  readonly by_decision: Counts;
  readonly by_status: Counts;
  /** UTC. */
  readonly by_day: Counts;
  /** Who said yes to calls that needed it: `ada (user)`. */
  readonly confirmed_by: Counts;
  /** Denied, not confirmed, or over a limit. */
  readonly refused: number;
  /** Allowed or confirmed, and no end is on record: they still run, or opsagent was killed. */
  readonly unfinished: number;
  /** Of calls that ran, to three digits; null without any. */
  readonly duration_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly cost_usd: number;
}

/** More different names than this are counted together: a model may make up any name of a tool. */
const MAX_NAMES = 1_000;
const REST = '(others)';
const REFUSED = new Set(['denied', 'rejected', 'limited']);
const RAN = new Set(['ok', 'failed', 'timed-out', 'cancelled']);

/** Counts records. Memory is bounded, whatever they hold. */
export async function countRecords(records: AsyncIterable<AuditRecord>): Promise<AuditStats> {
  const tally = new Tally();
  for await (const record of records) tally.add(record);
  return tally.result();
}

class Tally {
  private calls = 0;
  private decided = 0;
  private ended = 0;
  private refused = 0;
  private cost = 0;
  private first: string | null = null;
  private last: string | null = null;
  private readonly sessions = new Set<string>();
  private readonly durations = new Map<number, number>();
  private readonly counts = {
    by_tool: new Map<string, number>(),
    by_user: new Map<string, number>(),
    by_risk: new Map<string, number>(),
    by_decision: new Map<string, number>(),
    by_status: new Map<string, number>(),
    by_day: new Map<string, number>(),
    confirmed_by: new Map<string, number>(),
  };

  add(record: AuditRecord): void {
    this.first ??= record.timestamp;
    this.last = record.timestamp;
    this.sessions.add(record.session_id);
    if (record.event === 'decided') this.decided += 1;
    if (record.event !== 'finished') return;
    const { decision, approval, status = '' } = record;
    this.calls += 1;
    count(this.counts.by_tool, record.tool);
    count(this.counts.by_user, record.user);
    count(this.counts.by_risk, record.risk_level);
    count(this.counts.by_status, status);
    count(this.counts.by_day, record.timestamp.slice(0, 10));
    if (decision) count(this.counts.by_decision, decision.effect);
    if (approval?.granted) count(this.counts.confirmed_by, `${record.user} (${approval.by})`);
    // A limited call was never decided on record.
    if (decision && status !== 'limited') this.ended += 1;
    if (REFUSED.has(status)) this.refused += 1;
    if (RAN.has(status)) count(this.durations, Number((record.duration_ms ?? 0).toPrecision(3)));
    this.cost += record.cost_usd ?? 0;
  }

  result(): AuditStats {
    const { calls, first, last, refused } = this;
    const { by_day: byDay, ...others } = this.counts;
    const sorted = Object.fromEntries(
      Object.entries(others).map(([name, counts]) => [name, sortedCounts(counts)]),
    ) as Record<keyof typeof others, Counts>;
    return {
      calls,
      sessions: this.sessions.size,
      first,
      last,
      ...sorted,
      by_day: Object.fromEntries([...byDay].sort(([a], [b]) => a.localeCompare(b))),
      refused,
      unfinished: Math.max(0, this.decided - this.ended),
      duration_ms: { p50: percentile(this.durations, 0.5), p95: percentile(this.durations, 0.95) },
      cost_usd: Number(this.cost.toFixed(6)),
    };
  }
}

function count<K extends string | number>(counts: Map<K | typeof REST, number>, name: K): void {
  const key = counts.has(name) || typeof name === 'number' || counts.size < MAX_NAMES ? name : REST;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const sortedCounts = (counts: ReadonlyMap<string, number>): Counts =>
  Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)));

/** The smallest duration that is not shorter than this share of all (nearest rank). */
function percentile(durations: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...durations.values()].reduce((sum, one) => sum + one, 0);
  let seen = 0;
  for (const [duration, times] of [...durations].sort(([a], [b]) => a - b)) {
    seen += times;
    if (seen >= share * total) return duration;
  }
  return null;
}
