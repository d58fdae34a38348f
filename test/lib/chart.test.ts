import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawChart, numberText } from '../../src/lib/chart.js';

describe('charts', () => {
  test('nothing finite draws nothing', () => {
    expect(drawChart([], 80, 4)).toBe('');
    expect(drawChart([undefined, Number.NaN, Number.POSITIVE_INFINITY], 80, 4)).toBe('');
  });

  test('a line keeps its gaps', () => {
    expect(drawChart([0, 1, undefined, undefined, 2], 40, 2)).toBe(
      ['        2 ┤   ╭', '        1 ┤╭──╯', '        0 ┼╯'].join('\n'),
    );
  });

  test('any numbers fit the width and the height', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.double(), fc.constant(undefined)), { maxLength: 500 }), (points) => {
        const lines = drawChart(points, 80, 8).split('\n');
        expect(lines.length).toBeLessThanOrEqual(9);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
      }),
    );
  });

  test('numbers are at most nine characters', () => {
    expect([0, 0.5, 1234.5, 12_345, -1_420_000_000, 3.1e-7, 1e300, Number.NaN, -1 / 0].map(numberText)).toEqual([
      '0',
      '0.5',
      '1235',
      '12.35k',
      '-1.42G',
      '3.1e-7',
      '1e300',
      'NaN',
      '-Inf',
    ]);
    fc.assert(fc.property(fc.double(), (value) => numberText(value).length <= 9));
  });
});
