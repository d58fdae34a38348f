import { describe, expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import { rangeReport } from '../../src/diagnose/metrics/range-report.js';
import { readSeries } from '../../src/diagnose/metrics/statistics.js';
import { planWindow } from '../../src/diagnose/metrics/window.js';
import type { Json } from '../../src/domain/types.js';
import { aRunContext, aStoredResult } from '../helpers/run-context.js';
import { NOW } from './answers.js';

const START = NOW / 1000;
const matrix = (...series: readonly (readonly [Record<string, string>, readonly (string | null)[]])[]): Json => ({
  status: 'success',
  data: {
    resultType: 'matrix',
    result: series.map(([metric, values]) => ({
      metric,
      values: values.flatMap((value, index) => (value === null ? [] : [[START + index * 15, value]])),
    })),
  },
});
const ASKED = { query: 'up', start: START, end: START + 60, step: 15, callId: 'c3', warnings: [] };

describe('the time range', () => {
  test.each([
    ['1h', '2h', '', /range is empty/],
    ['now', 'now', '', /range is empty/],
    ['yesterday', 'now', '', /"yesterday" is not a time/],
    ['1h', 'now', '0s', /"0s" is not a step/],
    ['1h', 'now', 'often', /"often" is not a step/],
    ['30d', 'now', '1s', /2592001 points; 11000 are allowed/],
  ])('%s to %s in steps of %j is refused', (start, end, step, message) => {
    expect(() => planWindow(start, end, step, NOW)).toThrow(message);
  });

  test.each([
    ['5m', '', 5],
    ['1h', '', 15],
    ['6h', '', 120],
    ['30d', '', 14_400],
    ['5y', '', 0],
    ['3000d', '', 1_123_200],
    ['1h', '1m', 60],
  ])('%s with step %j has one of %i s', (start, step, wanted) => {
    if (wanted === 0) expect(() => planWindow(start, 'now', step, NOW)).toThrow();
    else {
      const window = planWindow(start, 'now', step, NOW);
      expect(window.step).toBe(wanted);
      expect(window.points).toBeLessThanOrEqual(241);
      expect(window.end).toBe(NOW / 1000);
    }
  });
});

describe('statistics', () => {
  test('another answer has none', () => {
    for (const odd of [null, 'x', [], {}, { data: { resultType: 'vector', result: [] } }])
      expect(readSeries(odd)).toBeUndefined();
  });

  test('hold first, last, extremes, mean and trend, without NaN and infinities', () => {
    const [series] = readSeries(matrix([{ __name__: 'up' }, ['1', 'NaN', '3', '+Inf', '5']])) ?? [];
    expect(series?.statistics).toEqual({
      labels: { __name__: 'up' },
      samples: 3,
      strange: 2,
      first: { time: START, value: 1 },
      last: { time: START + 60, value: 5 },
      min: { time: START, value: 1 },
      max: { time: START + 60, value: 5 },
      mean: 3,
      trend: 'rising',
    });
  });

  test.each([
    [['9', '6', '3'], 'falling'],
    [['100', '101', '100', '102'], 'steady'],
    [['0', '0', '0'], 'steady'],
    [['1', '9', '1', '9', '1', '9', '1'], 'varying'],
    [['1e308', '-1e308', '1e308'], 'varying'],
    [['1', '2'], undefined],
  ])('%j is %s', (values, trend) => {
    expect(readSeries(matrix([{}, values]))?.[0]?.statistics.trend).toBe(trend);
  });

  test('the largest series come first', () => {
    const series = readSeries(matrix([{ a: '1' }, ['1']], [{ a: '2' }, ['NaN']], [{ a: '3' }, ['7']]));
    expect(series?.map((s) => s.statistics.labels.a)).toEqual(['3', '1', '2']);
  });
});

describe('the report of a range', () => {
  test('says what was asked, the statistics, and draws', () => {
    const series = readSeries(matrix([{ __name__: 'up', job: 'a' }, ['0', '1', null, '3', '4']])) ?? [];
    expect(rangeReport({ ...ASKED, warnings: ['results truncated'] }, series)).toBe(
      `up
2026-01-31T08:00:00Z to 2026-01-31T08:01:00Z, one point every 15s [c3]
Prometheus warns: results truncated
1 series

up{job="a"}
  last 4, first 0 (+4), rising
  min 0 at 01-31 08:00:00, max 4 at 01-31 08:01:00, mean 2
  4 samples from 01-31 08:00:00 to 01-31 08:01:00, 1 missing in between
        4 ┤   ╭
      3.5 ┤   │
        3 ┤  ╭╯
      2.5 ┤  │
        2 ┤  │
      1.5 ┤  │
        1 ┤╭─╯
      0.5 ┤│
        0 ┼╯`,
    );
  });

  test('no series is no mystery', () => {
    expect(rangeReport(ASKED, [])).toContain('No series has a value in this range.');
  });

  test('is bounded, however much there is', () => {
    const values = Array.from({ length: 2000 }, (_, index) => `${Math.sin(index)}`);
    const many = Array.from({ length: 60 }, (_, index) => [{ a: 'x'.repeat(5000), i: `${index}` }, values] as const);
    const text = rangeReport(ASKED, readSeries(matrix(...many)) ?? []);
    expect(text).toContain('60 series; the 20 with the highest values follow, 40 are left out');
    expect(text.length).toBeLessThan(20_000);
    expect(
      text
        .split('\n')
        .filter((line) => /[┤┼]/.test(line))
        .every((line) => line.length <= 80),
    ).toBe(true);
  });

  test('times that nobody asked for do not make it endless', () => {
    const odd = {
      data: {
        resultType: 'matrix',
        result: [
          {
            metric: {},
            values: [
              [0, '1'],
              [1e15, '2'],
              [5, '3'],
              [-1e15, '4'],
            ],
          },
        ],
      },
    };
    const series = readSeries(odd) ?? [];
    expect(rangeReport({ ...ASKED, step: 0.001 }, series).length).toBeLessThan(4000);
  });
});

describe('the builtins', () => {
  const run = async (name: string, args: Record<string, Json>, results: ReturnType<typeof aStoredResult>[] = []) => {
    const context = aRunContext({ result: (id) => results.find((r) => r.callId === id) });
    const outcome = await diagnoseBuiltins.find((b) => b.name === name)?.run(args, context);
    return { outcome, output: context.seen.stdout };
  };

  test('a range that means nothing is a mistake of the person who asked', async () => {
    expect((await run('prometheus_window', { start: '1h', end: '2h' })).outcome).toMatchObject({
      status: 'failed',
      error: { category: 'validation', exit: 'usage' },
    });
  });

  test('samples that could not be read pass their reason on', async () => {
    const error = { category: 'network' as const, message: 'no answer', exit: 'unavailable' as const };
    const samples = aStoredResult({ callId: 'c2', tool: 'prometheus_samples', status: 'failed', error }, null);
    expect((await run('prometheus_statistics', { results: ['c2'] }, [samples])).outcome).toEqual({
      status: 'failed',
      error,
    });
    expect((await run('prometheus_statistics', { results: ['c9'] })).outcome?.error?.category).toBe('validation');
    expect((await run('metrics_diagnose', { results: ['c2'] }, [samples])).outcome).toEqual({
      status: 'failed',
      error,
    });
  });

  test('samples become a text and numbers', async () => {
    const args = { query: 'up', start: START, end: START + 30, step: 15 };
    const samples = aStoredResult(
      { callId: 'c2', tool: 'prometheus_samples' },
      matrix([{ job: 'a' }, ['1', '2', '3']]),
      args,
    );
    const { outcome, output } = await run('prometheus_statistics', { results: ['c2'] }, [samples]);
    expect(outcome).toEqual({ status: 'ok' });
    const written = JSON.parse(output) as { text: string; total: number; series: { samples: number }[] };
    expect(written).toMatchObject({ total: 1, series: [{ samples: 3, mean: 2 }] });
    expect(written.text).toContain('{job="a"}');
  });
});
