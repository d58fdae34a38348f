import { describe, expect, test } from 'vitest';
import { admit, afterCall, type Breaker, isStale, type ServiceEnd } from '../../src/limits/breaker.js';

const SETTINGS = { failures: 5, errorThreshold: 0.5, windowSeconds: 30, minRequests: 20, recoveryMs: 60_000 };
const START = 1_700_000_000_000;
const FAILED: ServiceEnd = { type: 'failed', error: 'refused' };
const OK: ServiceEnd = { type: 'answered' };
const UNKNOWN: ServiceEnd = { type: 'unknown' };

type Seen = 'closed' | 'open' | 'half-open';

/** One service, seen by calls at seconds of a clock of its own. */
function aService() {
  let breaker: Breaker | undefined;
  const living = new Set(['p1', 'p2']);
  const ask = (second: number, id: string, process = 'p1') => {
    const answer = admit(breaker, SETTINGS, { id, process }, START + second * 1000, (p) => living.has(p));
    if ('waitMs' in answer) return answer.waitMs;
    breaker = answer.breaker ?? breaker;
    return 'goes';
  };
  const end = (second: number, how: ServiceEnd, id = 'call'): Seen => {
    breaker = afterCall(breaker, SETTINGS, how, id, START + second * 1000);
    return !breaker?.opened ? 'closed' : breaker.probe ? 'half-open' : 'open';
  };
  return { ask, end, living, breaker: () => breaker };
}

const repeat = <T>(times: number, one: (index: number) => T): T[] => Array.from({ length: times }, (_, n) => one(n));

describe('an open breaker', () => {
  const opened = () => {
    const service = aService();
    repeat(5, () => service.end(0, FAILED));
    return service;
  };

  test('refuses every call until the recovery time has passed, and says how long', () => {
    const service = opened();
    expect([service.ask(0, 'a'), service.ask(59.999, 'b')]).toEqual([60_000, 1]);
  });

  test('then lets one call through, and no other while that one is on its way', () => {
    const service = opened();
    expect([service.ask(60, 'a'), service.ask(60, 'b'), service.ask(90, 'c', 'p2')]).toEqual(['goes', 1_000, 1_000]);
  });

  test('opens again when the probe fails, and closes when it is answered', () => {
    const service = opened();
    service.ask(60, 'a');
    expect([service.end(61, FAILED, 'a'), service.ask(120, 'b')]).toEqual(['open', 1_000]);
    expect([service.ask(121, 'b'), service.end(121, OK, 'b'), service.ask(121, 'c')]).toEqual([
      'goes',
      'closed',
      'goes',
    ]);
    expect(service.breaker()).toBeUndefined();
  });

  test('is not closed by calls that began before it opened, and not opened anew', () => {
    const service = opened();
    expect([service.end(1, OK, 'old'), service.end(50, FAILED, 'old')]).toEqual(['open', 'open']);
    expect(service.ask(60, 'a')).toBe('goes');
    expect(service.end(60, OK, 'old')).toBe('half-open');
  });

  test.each([
    ['a probe that told nothing', (service: ReturnType<typeof aService>) => void service.end(61, UNKNOWN, 'a')],
    ['a process that died', (service: ReturnType<typeof aService>) => void service.living.delete('p1')],
  ])('after %s another call is the probe', (_, happens) => {
    const service = opened();
    service.ask(60, 'a');
    happens(service);
    expect([service.ask(61, 'b', 'p2'), service.ask(61, 'c', 'p2')]).toEqual(['goes', 1_000]);
  });

  test('lets a call through when the clock was set back', () => {
    expect(opened().ask(-3_600, 'a')).toBe('goes');
  });
});

describe('a closed breaker', () => {
  test('opens at five failures in a row and not at four', () => {
    const service = aService();
    expect(repeat(5, (n) => service.end(n, FAILED))).toEqual(['closed', 'closed', 'closed', 'closed', 'open']);
    expect(service.breaker()?.opened).toEqual({
      atMs: START + 4000,
      because: 'failed 5 times in a row',
      lastError: 'refused',
    });
  });

  test('begins to count anew after an answer, and ignores what tells nothing', () => {
    const service = aService();
    repeat(4, () => service.end(0, FAILED));
    service.end(0, OK);
    expect([...repeat(4, () => service.end(0, FAILED)), service.end(0, UNKNOWN)]).toEqual(repeat(5, () => 'closed'));
    expect(service.end(0, FAILED)).toBe('open');
  });

  test('opens when half of 20 calls within 30 s have failed, at the failure', () => {
    const service = aService();
    const seen = repeat(20, (n) => service.end(n, n % 2 ? FAILED : OK));
    expect(seen).toEqual([...repeat(19, () => 'closed'), 'open']);
    expect(service.breaker()?.opened?.because).toBe('failed in 10 of 20 calls within 30 s');
  });

  test.each([
    ['19 calls', 18, (n: number) => n],
    ['20 calls over more than 30 s', 20, (n: number) => n * 2],
  ])('does not open after %s', (_, count, second) => {
    const service = aService();
    expect(repeat(count, (n) => service.end(second(n), n % 2 ? FAILED : OK))).toEqual(repeat(count, () => 'closed'));
  });

  test('does not open below the threshold, whatever the number of calls', () => {
    const service = aService();
    expect(repeat(300, (n) => service.end(n / 10, n % 3 ? OK : FAILED))).toEqual(repeat(300, () => 'closed'));
  });

  test('stays closed whatever errors of the caller there are, and remembers no more than its window', () => {
    const service = aService();
    expect(repeat(100, (n) => service.end(n, OK))).toEqual(repeat(100, () => 'closed'));
    expect(service.breaker()?.seconds).toHaveLength(30);
  });
});

test('a breaker is forgotten after an hour, but not while a probe is on its way', () => {
  const old: Breaker = { failuresInRow: 2, seconds: [[START / 1000, 2, 2]] };
  const probe = { id: 'a', process: 'p1', atMs: START };
  expect([
    isStale(old, START + 1000),
    isStale(old, START + 3_601_000),
    isStale({ ...old, probe }, START + 3_601_000),
  ]).toEqual([false, true, false]);
});
