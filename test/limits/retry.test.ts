import { describe, expect, test } from 'vitest';
import type { RunOutcome } from '../../src/domain/ports.js';
import type { Decision, Risk, ToolDefinition } from '../../src/domain/types.js';
import { createRetry, pauseFor } from '../../src/limits/retry.js';
import { aCall, aTool } from '../helpers/fakes.js';

const failed = (service: RunOutcome['service'], retryAfterMs?: number): RunOutcome => ({
  status: 'failed',
  ...(service && { service }),
  error: { category: 'network', message: 'no', ...(retryAfterMs !== undefined && { retryAfterMs }) },
});
const OK: RunOutcome = { status: 'ok' };
const decision = (risk: Risk): Decision => ({ effect: 'allow', risk, rules: [], reason: '', raised: [] });

interface Case {
  readonly risk?: Risk;
  readonly tool?: Partial<ToolDefinition>;
  readonly isProbe?: boolean;
  /** Of each attempt, in ms. */
  readonly takesMs?: number;
}

/** Runs attempts that end like this, the last one again and again, and tells the pauses between them. */
async function pauses(
  ends: readonly RunOutcome[],
  { risk = 'low', tool = {}, isProbe = false, takesMs = 0 }: Case = {},
) {
  let now = 0;
  const seen: number[] = [];
  const retry = createRetry({
    random: () => 0.5,
    now: () => now,
    isProbe: () => isProbe,
    pause: async (ms) => {
      now += ms;
    },
  });
  const { retryPolicy: _, ...plain } = aTool({ timeoutMs: 30_000 });
  const outcome = await retry(
    aCall({ ...plain, ...tool }),
    decision(risk),
    async (number) => {
      now += takesMs;
      return ends[number - 1] ?? ends.at(-1) ?? OK;
    },
    new AbortController().signal,
    (_number, pauseMs) => seen.push(pauseMs),
  );
  return { seen, status: outcome.status, attempts: outcome.attempts };
}

const NEVER = { seen: [], attempts: undefined };

describe('a call is not repeated', () => {
  test.each<[string, RunOutcome, Case]>([
    ['when it changes something', failed('failing'), { risk: 'high' }],
    [
      'when it changes something, whatever its retry_policy',
      failed('failing'),
      { risk: 'critical', tool: { retryPolicy: { maxRetries: 5, retryIntervalMs: 1 } } },
    ],
    ['when the service answered: an error of the caller', failed(undefined), {}],
    ['when it timed out', { ...failed('failing'), status: 'timed-out' }, {}],
    ['when it was interrupted', { status: 'cancelled', error: { category: 'cancelled', message: 'no' } }, {}],
    ['when its tool says 0', failed('failing'), { tool: { retryPolicy: { maxRetries: 0, retryIntervalMs: 1 } } }],
    ['when it is the probe of a service that failed', failed('failing'), { isProbe: true }],
    ['when the service asks for more patience than 10 s', failed('busy', 10_001), {}],
    ['when its time is over', failed('failing'), { takesMs: 29_800 }],
    ['when a service that is not there took long to say so', failed('unreachable'), { takesMs: 2_600 }],
  ])('%s', async (_, end, options) => {
    expect(await pauses([end], options)).toEqual({ ...NEVER, status: end.status });
  });

  test('when it was interrupted while it ran', async () => {
    const controller = new AbortController();
    let ran = 0;
    const retry = createRetry({ random: () => 0, now: () => 0, isProbe: () => false, pause: async () => undefined });
    const attempt = async () => {
      ran += 1;
      controller.abort();
      return failed('failing');
    };
    await retry(aCall(aTool()), decision('low'), attempt, controller.signal, () => undefined);
    expect(ran).toBe(1);
  });
});

describe('a call that reads is repeated', () => {
  test('three times when the service fails, with pauses that double and are half of the most at a middling chance', async () => {
    expect(await pauses([failed('failing')])).toEqual({ seen: [500, 1_000, 2_000], status: 'failed', attempts: 4 });
  });
  test('until it goes well', async () => {
    expect(await pauses([failed('failing'), OK])).toEqual({ seen: [500], status: 'ok', attempts: 2 });
  });
  test('once when there is no way to the service', async () => {
    expect(await pauses([failed('unreachable')])).toEqual({ seen: [500], status: 'failed', attempts: 2 });
  });
  test('as its tool says, with pauses of 10 s at most', async () => {
    const tool = { timeoutMs: 300_000, retryPolicy: { maxRetries: 4, retryIntervalMs: 4_000 } };
    expect(await pauses([failed('failing')], { tool })).toMatchObject({ seen: [2_000, 4_000, 5_000, 5_000] });
  });
  test('not before the service wants it', async () => {
    expect(await pauses([failed('busy', 7_000), OK])).toMatchObject({ seen: [7_000], status: 'ok' });
  });
  test('so is one that changes something when its tool says that twice is as good as once', async () => {
    expect(await pauses([failed('failing'), OK], { risk: 'high', tool: { idempotent: true } })).toMatchObject({
      attempts: 2,
    });
  });
});

test('Ctrl-C ends a pause, and the call with it', async () => {
  const controller = new AbortController();
  const retry = createRetry({ random: () => 0.9, now: () => 0, isProbe: () => false, pause: pauseFor });
  const tool = aTool({ timeoutMs: 60_000, retryPolicy: { maxRetries: 3, retryIntervalMs: 10_000 } });
  let ran = 0;
  const attempt = async () => {
    ran += 1;
    return failed('failing');
  };
  const outcome = await retry(aCall(tool), decision('low'), attempt, controller.signal, () => controller.abort());
  expect([outcome.status, outcome.error, ran]).toEqual([
    'cancelled',
    { category: 'cancelled', message: 'interrupted while it waited to be repeated, after: no' },
    1,
  ]);
});
