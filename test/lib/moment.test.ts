import { describe, expect, test } from 'vitest';
import { durationMs, durationText, momentMs } from '../../src/lib/moment.js';

const NOW = Date.parse('2026-01-31T08:00:00Z');

describe('moments', () => {
  test.each(['', 'soon', '1', '-1h', '5 minutes', '2026-01-31', '2026-01-31T08:00:00', '99999w', '1769846400000'])(
    '%j is no moment',
    (text) => {
      expect(() => momentMs(text, NOW, 'ago')).toThrow(/is not a time/);
    },
  );

  test.each([
    ['now', '2026-01-31T08:00:00.000Z'],
    ['1h', '2026-01-31T07:00:00.000Z'],
    ['1h30m', '2026-01-31T06:30:00.000Z'],
    ['2d', '2026-01-29T08:00:00.000Z'],
    ['1769846400', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
    [' 2026-01-31 08:00:00z ', '2026-01-31T08:00:00.000Z'],
  ])('%j is %s', (text, wanted) => {
    expect(new Date(momentMs(text, NOW, 'ago')).toISOString()).toBe(wanted);
  });

  test('a duration counts in the direction that is asked for', () => {
    expect(momentMs('2h', NOW, 'ahead') - NOW).toBe(7_200_000);
  });

  test('durations read and write', () => {
    expect([durationMs('250ms'), durationMs('1.5m'), durationMs('1w'), durationMs('1x')]).toEqual([
      250,
      90_000,
      604_800_000,
      undefined,
    ]);
    expect([0, 45_000, 300_000, 5_400_000, 604_800_000, 90_061_000].map(durationText)).toEqual([
      '0s',
      '45s',
      '5m',
      '1h30m',
      '7d',
      '1d1h',
    ]);
  });
});
