/** When a circuit breaker opens, and for how long. */
export interface BreakerSettings {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** Share of failures that opens it, above 0 up to 1 … */
  readonly errorThreshold: number;
  /** … of the calls in so many seconds … */
  readonly windowSeconds: number;
  /** … once there are so many. */
  readonly minRequests: number;
  /** How long it stays open before one call may try the service again. */
  readonly recoveryMs: number;
}

/** What is known of a service. Closed without `opened`; open with it, half-open while there is a `probe`. */
export interface Breaker {
  readonly failuresInRow: number;
  /** `[second, calls, failures]`, oldest first. */
  readonly seconds: readonly (readonly [second: number, calls: number, failures: number])[];
  readonly opened?: { readonly atMs: number; readonly because: string; readonly lastError: string };
  /** The one call that tries an open service, and the process that makes it. */
  readonly probe?: { readonly id: string; readonly process: string; readonly atMs: number };
}

/** How a call to a service ended: it answered (with an error of the caller too), it failed, or nothing was learnt of it. */
export type ServiceEnd =
  | { readonly type: 'answered' | 'unknown' }
  | { readonly type: 'failed'; readonly error: string };

const NEW: Breaker = { failuresInRow: 0, seconds: [] };
/** A probe of a process that cannot be asked whether it lives (another container) holds so long. */
const PROBE_MS = 15 * 60_000;
/** When to ask again while a probe is on its way. */
const PROBE_SOON_MS = 1_000;
/** A breaker that nobody used for so long is forgotten: failures of an hour ago say little. */
const FORGET_MS = 60 * 60_000;

/**
 * Whether a call may go to a service: always while its breaker is closed; after the recovery time one alone, the probe, until
 * its end is known. `mayLive` tells whether the process of a probe still runs.
 */
export function admit(
  breaker: Breaker | undefined,
  settings: BreakerSettings,
  probe: { readonly id: string; readonly process: string },
  nowMs: number,
  mayLive: (process: string) => boolean,
): { readonly breaker?: Breaker } | { readonly waitMs: number } {
  if (!breaker?.opened) return {};
  const openForMs = nowMs - breaker.opened.atMs;
  // A moment in the future: the clock was set back, and nothing says how long ago it was.
  if (openForMs >= 0 && openForMs < settings.recoveryMs) return { waitMs: settings.recoveryMs - openForMs };
  const old = breaker.probe;
  if (old && Math.abs(nowMs - old.atMs) < PROBE_MS && mayLive(old.process)) return { waitMs: PROBE_SOON_MS };
  return { breaker: { ...breaker, probe: { ...probe, atMs: nowMs } } };
}

/**
 * The breaker after a call has ended; undefined when nothing is left to know. While it is open only the probe counts, for the
 * others began before it opened.
 */
export function afterCall(
  breaker: Breaker | undefined,
  settings: BreakerSettings,
  end: ServiceEnd,
  probeId: string,
  nowMs: number,
): Breaker | undefined {
  if (breaker?.opened) return breaker.probe?.id === probeId ? afterProbe(breaker, end, nowMs) : breaker;
  if (end.type === 'unknown') return breaker;
  const failed = end.type === 'failed' ? 1 : 0;
  const next = {
    failuresInRow: failed ? (breaker ?? NEW).failuresInRow + 1 : 0,
    seconds: counted((breaker ?? NEW).seconds, settings.windowSeconds, Math.floor(nowMs / 1000), failed),
  };
  if (end.type !== 'failed') return next;
  const because = reasonToOpen(next, settings);
  return because === undefined ? next : { ...next, opened: { atMs: nowMs, because, lastError: end.error } };
}

function afterProbe({ probe: _, ...open }: Breaker, end: ServiceEnd, nowMs: number): Breaker | undefined {
  if (end.type === 'answered') return undefined;
  if (end.type !== 'failed' || !open.opened) return open;
  return { ...open, opened: { ...open.opened, atMs: nowMs, lastError: end.error } };
}

function counted(
  seconds: Breaker['seconds'],
  windowSeconds: number,
  second: number,
  failed: 0 | 1,
): Breaker['seconds'] {
  const kept = seconds.filter(([at]) => at > second - windowSeconds && at <= second);
  const [, calls, failures] = kept.find(([at]) => at === second) ?? [second, 0, 0];
  return [...kept.filter(([at]) => at !== second), [second, calls + 1, failures + failed]];
}

/** Why it opens after a failure, in words that follow the service's name; undefined when it stays closed. */
function reasonToOpen({ failuresInRow, seconds }: Breaker, settings: BreakerSettings): string | undefined {
  if (failuresInRow >= settings.failures) return `failed ${failuresInRow} times in a row`;
  const calls = seconds.reduce((sum, [, n]) => sum + n, 0);
  const failures = seconds.reduce((sum, [, , n]) => sum + n, 0);
  if (calls < settings.minRequests || failures < calls * settings.errorThreshold) return undefined;
  return `failed in ${failures} of ${calls} calls within ${settings.windowSeconds} s`;
}

/** Whether nothing is lost when a breaker is forgotten. */
export function isStale({ opened, probe, seconds }: Breaker, nowMs: number): boolean {
  const lastMs = opened?.atMs ?? (seconds.at(-1)?.[0] ?? 0) * 1000;
  return probe === undefined && Math.abs(nowMs - lastMs) > FORGET_MS;
}
