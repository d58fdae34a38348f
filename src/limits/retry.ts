import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits, RunOutcome } from '../domain/ports.js';
import type { Decision, ToolCall } from '../domain/types.js';

/** How long to wait, in ms; rejects when the signal is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

export interface RetryOptions {
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly pause: Pause;
  /** In ms; any clock that only goes forward. */
  readonly now: () => number;
  /** Whether this call tries a service that has failed: it does so once. */
  readonly isProbe: (call: ToolCall) => boolean;
}

/** Repeats of a call whose tool says nothing about it, the first pause, and the longest. */
const DEFAULT_RETRIES = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** A service that cannot be reached at all is tried once more, and soon: whoever is paged should hear of it at once. */
const UNREACHABLE_RETRIES = 1;
const UNREACHABLE_WITHIN_MS = 3_000;

/** The real pause. */
export const pauseFor: Pause = (ms, signal) => sleep(ms, undefined, { signal });

/**
 * Repeats calls that may be repeated after failures that may pass. That is: calls that read, and those whose tool says
 * `idempotent`; and a service that failed by itself, had too many requests, or could not be reached. Pauses grow
 * exponentially with full jitter; a `Retry-After` of the service is kept when it is short. No attempt begins after the tool's
 * own time-out, and what timed out is not repeated. Ctrl-C ends a pause.
 */
export function createRetry({ random, pause, now, isProbe }: RetryOptions): Limits['retry'] {
  return async (call, decision, attempt, signal, onRetry) => {
    const began = now();
    for (let number = 1; ; number += 1) {
      const outcome = withAttempts(await attempt(number), number);
      const most = isProbe(call) ? 0 : retriesOf(call, decision, outcome);
      const pauseMs = pauseAfter(call, outcome, number, random);
      const withinMs = outcome.service === 'unreachable' ? UNREACHABLE_WITHIN_MS : call.tool.timeoutMs;
      if (signal.aborted || number > most || pauseMs > LONGEST_PAUSE_MS || now() - began + pauseMs >= withinMs)
        return outcome;
      onRetry(number + 1, pauseMs, outcome);
      try {
        await pause(pauseMs, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        const message = `interrupted while it waited to be repeated, after: ${outcome.error?.message ?? outcome.status}`;
        return { ...outcome, status: 'cancelled', error: { category: 'cancelled', message } };
      }
    }
  };
}

function retriesOf({ tool }: ToolCall, { risk }: Decision, { status, service }: RunOutcome): number {
  const repeatable = risk === 'low' || risk === 'medium' || tool.idempotent;
  if (!repeatable || status !== 'failed' || service === undefined) return 0;
  const most = tool.retryPolicy?.maxRetries ?? DEFAULT_RETRIES;
  return service === 'unreachable' ? Math.min(most, UNREACHABLE_RETRIES) : most;
}

function pauseAfter({ tool }: ToolCall, { error }: RunOutcome, number: number, random: () => number): number {
  const first = tool.retryPolicy?.retryIntervalMs ?? FIRST_PAUSE_MS;
  const jittered = Math.floor(random() * Math.min(LONGEST_PAUSE_MS, first * 2 ** (number - 1)));
  return Math.max(jittered, error?.retryAfterMs ?? 0);
}

const withAttempts = (outcome: RunOutcome, attempts: number): RunOutcome =>
  attempts === 1 ? outcome : { ...outcome, attempts };
