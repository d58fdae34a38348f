import fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnToken, takeToken } from '../../src/limits/rate.js';

/** A token bucket as one would draw it: its level in µs of refilling, its depth, and when it was looked at. */
function drawnBucket(perMinute: number) {
  const interval = Math.ceil(60_000_000 / perMinute);
  const depth = interval * Math.max(1, Math.floor(perMinute));
  let level = depth;
  let at = 0;
  return (now: number): boolean => {
    level = Math.min(depth, level + now - at);
    at = now;
    if (level < interval) return false;
    level -= interval;
    return true;
  };
}

const START = 1_700_000_000_000_000;
const rates = fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0.01, max: 90, noNaN: true }));
const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000 }), fc.nat(120_000_000)), {
  maxLength: 120,
});

test('it lets the same calls through as a token bucket, and says exactly when there is room again', () => {
  fc.assert(
    fc.property(rates, gaps, (perMinute, steps) => {
      const rate = { perMinute };
      const bucket = drawnBucket(perMinute);
      let [now, fullAt] = [0, undefined as number | undefined];
      for (const gap of steps) {
        now += gap;
        const taken = takeToken(fullAt, rate, START + now);
        expect('fullAtUs' in taken).toBe(bucket(now));
        if ('fullAtUs' in taken) fullAt = taken.fullAtUs;
        else {
          expect('waitUs' in takeToken(fullAt, rate, START + now + taken.waitUs - 1)).toBe(true);
          expect('fullAtUs' in takeToken(fullAt, rate, START + now + taken.waitUs)).toBe(true);
        }
      }
    }),
  );
});

test('in no stretch of time are there more calls than the burst and what the rate adds', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 20, noNaN: true }), gaps, (perMinute, steps) => {
      const times: number[] = [];
      let [now, fullAt] = [0, undefined as number | undefined];
      for (const gap of steps) {
        now += gap;
        const taken = takeToken(fullAt, { perMinute }, START + now);
        if (!('fullAtUs' in taken)) continue;
        fullAt = taken.fullAtUs;
        times.push(now);
      }
      const burst = Math.max(1, Math.floor(perMinute));
      for (const [first, from] of times.entries())
        for (const [more, to] of times.slice(first).entries())
          expect(more + 1).toBeLessThanOrEqual(burst + ((to - from) * perMinute) / 60_000_000);
    }),
  );
});

test('a token that is given back can be taken again, and none more', () => {
  const rate = { perMinute: 2 };
  let fullAt: number | undefined;
  const take = () => {
    const taken = takeToken(fullAt, rate, START);
    if ('fullAtUs' in taken) fullAt = taken.fullAtUs;
    return 'fullAtUs' in taken;
  };
  expect([take(), take(), take()]).toEqual([true, true, false]);
  fullAt = returnToken(fullAt ?? 0, rate);
  expect([take(), take()]).toEqual([true, false]);
});

test('after the clock was set back a call waits no longer than for one of an empty bucket', () => {
  const rate = { perMinute: 60 };
  expect(takeToken(START + 3_600_000_000, rate, START)).toEqual({ waitUs: 1_000_000 });
});
