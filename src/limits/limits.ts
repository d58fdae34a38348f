import { randomUUID } from 'node:crypto';
import type { CallEnd, Clock, Limits, Reservation } from '../domain/ports.js';
import type { CallError, ToolCall } from '../domain/types.js';
import type { LockedState } from '../lib/locked-state.js';
import { mayLive, SELF } from '../lib/process-lock.js';
import { admit, afterCall, type Breaker, type ServiceEnd } from './breaker.js';
import { returnToken, takeToken } from './rate.js';
import { createRetry, type Pause, pauseFor } from './retry.js';
import { breakerSettings, type LimitSources, type RateLimit, rateLimitsOf } from './settings.js';
import { fromJson, type LimitState, toJson } from './state.js';
import { targetOf } from './target.js';

export interface LimitsOptions extends LimitSources {
  /** What all processes of a user share: buckets and breakers. */
  readonly state: LockedState;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly pause?: Pause;
}

/**
 * Rate limits, circuit breakers and repeats. A call has room when its service is not known to be down and no rate limit is
 * reached; both are looked at and taken in one step, right under concurrent processes.
 * @throws OpsError usage when a limit is configured wrongly.
 */
export function createLimits(options: LimitsOptions): Limits {
  const { state, clock, random = Math.random, pause = pauseFor } = options;
  const settings = breakerSettings(options);
  const probes = new Set<string>();

  /** Changes the state in one step; `change` gives undefined to leave it as it is. */
  const update = <T>(change: (old: LimitState, nowMs: number) => { next?: LimitState | undefined; result: T }) =>
    state.update<T>((json) => {
      const nowMs = clock.now().getTime();
      const { next, result } = change(fromJson(json, state.path), nowMs);
      return { state: next ? toJson(next, nowMs) : json, result };
    });

  async function reserve(call: ToolCall): Promise<Reservation | CallError> {
    const target = targetOf(call.action, options.env);
    const limits = rateLimitsOf(call.tool, options);
    const id = randomUUID();
    const refusal = await update<CallError | undefined>((old, nowMs) => {
      const breaker = target === undefined ? undefined : old.breakers[target];
      const admitted = admit(breaker, settings, { id, process: SELF }, nowMs, mayLive);
      if ('waitMs' in admitted) return { result: openError(target ?? '', breaker, admitted.waitMs) };
      const taken = takeAll(limits, old.rate, nowMs);
      if ('error' in taken) return { result: taken.error };
      if (admitted.breaker) probes.add(call.id);
      const breakers = admitted.breaker ? withBreaker(old.breakers, target, admitted.breaker) : old.breakers;
      return { next: { rate: { ...old.rate, ...taken.rate }, breakers }, result: undefined };
    });
    if (refusal) return refusal;

    const end = async (ended: ServiceEnd, ran: boolean) => {
      if (ran && target === undefined) return;
      await update((old, nowMs) => {
        const before = target === undefined ? undefined : old.breakers[target];
        const after = afterCall(before, settings, ended, id, nowMs);
        const rate = ran ? old.rate : giveBack(limits, old.rate);
        const next = { rate, breakers: withBreaker(old.breakers, target, after) };
        return { next: ran && after === before ? undefined : next, result: undefined };
      });
      probes.delete(call.id);
    };
    return {
      release: () => end({ type: 'unknown' }, false),
      settle: (callEnd) => end(serviceEndOf(callEnd), true),
    };
  }

  const retry = createRetry({ random, pause, now: () => performance.now(), isProbe: (call) => probes.has(call.id) });
  return { reserve, retry };
}

function takeAll(
  limits: readonly RateLimit[],
  rate: LimitState['rate'],
  nowMs: number,
): { readonly rate: Record<string, number> } | { readonly error: CallError } {
  const taken: Record<string, number> = {};
  let error: CallError | undefined;
  for (const limit of limits) {
    const got = takeToken(rate[limit.bucket], limit.rate, nowMs * 1000);
    if ('fullAtUs' in got) taken[limit.bucket] = got.fullAtUs;
    else if (got.waitUs / 1000 > (error?.retryAfterMs ?? 0)) error = rateError(limit, Math.ceil(got.waitUs / 1000));
  }
  return error ? { error } : { rate: taken };
}

function giveBack(limits: readonly RateLimit[], rate: LimitState['rate']): LimitState['rate'] {
  const back = limits.flatMap(({ bucket, rate: limit }) => {
    const fullAtUs = rate[bucket];
    return fullAtUs === undefined ? [] : [[bucket, returnToken(fullAtUs, limit)] as const];
  });
  return { ...rate, ...Object.fromEntries(back) };
}

function withBreaker(all: LimitState['breakers'], target: string | undefined, breaker: Breaker | undefined) {
  if (target === undefined) return all;
  const { [target]: _, ...others } = all;
  return breaker ? { ...others, [target]: breaker } : others;
}

const serviceEndOf = ({ serviceFailed, unknown, error }: CallEnd): ServiceEnd =>
  serviceFailed
    ? { type: 'failed', error: (error ?? 'no answer').slice(0, 200) }
    : { type: unknown ? 'unknown' : 'answered' };

const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;

const rateError = ({ of, rate, names }: RateLimit, retryAfterMs: number): CallError => ({
  category: 'budget',
  message: `the limit of ${rate.perMinute} calls a minute ${of} is reached; there is room for one again in ${seconds(retryAfterMs)}`,
  hint: `Wait, ask for less at once, or raise the limit: ${names}.`,
  retryAfterMs,
  exit: 'limit',
});

function openError(target: string, breaker: Breaker | undefined, waitMs: number): CallError {
  const { because = 'failed', lastError = '' } = breaker?.opened ?? {};
  const when = breaker?.probe ? 'another call is trying it now' : `one call may try it again in ${seconds(waitMs)}`;
  return {
    category: 'circuit_breaker',
    message: `${target} ${because} (last: ${lastError.replace(`${target} `, '')}), so nothing is sent to it; ${when}`,
    hint: 'Mend the service or the way to it. To try again at once: opsagent limits reset',
    retryAfterMs: waitMs,
    exit: 'unavailable',
  };
}
