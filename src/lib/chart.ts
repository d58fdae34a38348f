import { plot } from 'asciichart';

/** Widest label of the axis, and what the chart draws between it and the first point. */
const LABEL_WIDTH = 9;

/**
 * A number in at most 9 characters, with an SI prefix where it is large: `0.5`, `12.3k`, `1.42G`, `3.1e-7`.
 */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 0.001 || size >= 1e15) {
    const digits = size < 1e-99 || size >= 1e100 ? 1 : 2;
    const text = value.toExponential(digits).replace('e+', 'e');
    return text.replace(/\.?0+e/, 'e');
  }
  const [, divisor, prefix] = PREFIXES.find(([least]) => size >= least) ?? [0, 1, ''];
  return `${Number((value / divisor).toPrecision(4))}${prefix}`;
}

/** From which size a prefix is used, and what it divides by. */
const PREFIXES: readonly (readonly [least: number, divisor: number, prefix: string])[] = [
  [1e12, 1e12, 'T'],
  [1e9, 1e9, 'G'],
  [1e6, 1e6, 'M'],
  [1e4, 1e3, 'k'],
];

/**
 * A line chart without colour: `height` + 1 lines, at most `width` columns wide. Points that are too many are averaged; a point
 * that is undefined repeats the one before it. '' when no point has a finite value.
 */
export function drawChart(points: readonly (number | undefined)[], width: number, height: number): string {
  const columns = Math.max(2, width - LABEL_WIDTH - 2);
  const line = withoutGaps(shrink(points, columns));
  if (line.length === 0) return '';
  const min = line.reduce((a, b) => Math.min(a, b));
  const max = line.reduce((a, b) => Math.max(a, b));
  // Halves, so that the distance between the largest numbers is a number.
  const span = max / 2 - min / 2;
  // The chart's own scale breaks on very large and very small ranges: it gets rows, and its labels are made from the values.
  // They begin at 1, since a row 0 is marked as the zero of the axis.
  const rows = line.map((value) => (span === 0 ? 1 : ((value / 2 - min / 2) / span) * height + 1));
  const label = (row: number) =>
    numberText(span === 0 ? min : min + ((row - 1) / height) * span * 2).padStart(LABEL_WIDTH);
  const drawn = plot(rows, { height: span === 0 ? 0 : height, format: label });
  return drawn
    .split('\n')
    .map((text) => text.trimEnd())
    .join('\n');
}

/** At most `columns` points: the mean of those that fall together. */
function shrink(points: readonly (number | undefined)[], columns: number): (number | undefined)[] {
  if (points.length <= columns) return points.map(finite);
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * points.length) / columns);
    const to = Math.floor(((column + 1) * points.length) / columns);
    const known = points.slice(from, to).flatMap((point) => finite(point) ?? []);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value / known.length, 0);
  });
}

const finite = (value: number | undefined): number | undefined => (Number.isFinite(value) ? value : undefined);

function withoutGaps(points: readonly (number | undefined)[]): number[] {
  let last: number | undefined;
  return points.flatMap((point) => {
    last = point ?? last;
    return last === undefined ? [] : [last];
  });
}
