import { drawChart, numberText } from '../../lib/chart.js';
import { durationText } from '../../lib/moment.js';
import { quoteOf } from '../plain-text.js';
import { labelText, type Series } from './statistics.js';
import { MAX_POINTS } from './window.js';

export interface RangeQuery {
  readonly query: string;
  /** Unix seconds. */
  readonly start: number;
  readonly end: number;
  readonly step: number;
  /** The call that read the samples. */
  readonly callId: string;
  readonly warnings: readonly string[];
}

/** Series that are described, and those that get a chart. */
export const MAX_SERIES = 20;
const MAX_CHARTS = 3;
const WIDTH = 80;
const CHART_HEIGHT = 8;

/**
 * Statistics of a range query as text of at most 80 columns where nothing long is quoted: one block a series, charts of the first
 * three, and what was left out.
 */
export function rangeReport(asked: RangeQuery, series: readonly Series[]): string {
  const range = `${time(asked.start)} to ${time(asked.end)}, one point every ${durationText(asked.step * 1000)}`;
  const head = [`${quoteOf(asked.query, 300)}`, `${range} [${asked.callId}]`];
  const warnings = asked.warnings.map((text) => `Prometheus warns: ${quoteOf(text)}`);
  if (series.length === 0) {
    const nothing =
      'No series has a value in this range. Is the name right, and is its target up? See prometheus_targets.';
    return [...head, ...warnings, nothing].join('\n');
  }
  const shown = series.slice(0, MAX_SERIES);
  const left = series.length - shown.length;
  const count = `${series.length} series${left > 0 ? `; the ${MAX_SERIES} with the highest values follow, ${left} are left out (narrow the selector, or use topk)` : ''}`;
  return [
    ...head,
    ...warnings,
    count,
    ...shown.flatMap((one, index) => seriesLines(one, asked, index < MAX_CHARTS)),
  ].join('\n');
}

function seriesLines({ statistics, points }: Series, asked: RangeQuery, withChart: boolean): string[] {
  const name = quoteOf(labelText(statistics.labels), 300);
  const { first, last, min, max, mean, trend } = statistics;
  if (first === undefined || last === undefined || min === undefined || max === undefined || mean === undefined) {
    return [
      '',
      name,
      `  no finite value${statistics.strange > 0 ? ` (${statistics.strange} are NaN or infinite)` : ''}`,
    ];
  }
  const change = last.value - first.value;
  const strange = statistics.strange > 0 ? `, ${statistics.strange} NaN or infinite` : '';
  return [
    '',
    name,
    `  last ${numberText(last.value)}, first ${numberText(first.value)} (${change < 0 ? '' : '+'}${numberText(change)})${trend === undefined ? '' : `, ${trend}`}`,
    `  min ${numberText(min.value)} at ${clock(min.time)}, max ${numberText(max.value)} at ${clock(max.time)}, mean ${numberText(mean)}`,
    `  ${statistics.samples} ${statistics.samples === 1 ? 'sample' : 'samples'} from ${clock(first.time)} to ${clock(last.time)}${strange}${gapText(statistics.samples, first.time, last.time, asked.step)}`,
    ...(withChart && points.length > 1 ? [drawChart(onGrid(points, asked.step), WIDTH, CHART_HEIGHT)] : []),
  ];
}

/** Points that lie between the first and the last sample and have no value. */
function gapText(samples: number, first: number, last: number, step: number): string {
  const missing = Math.round((last - first) / step) + 1 - samples;
  return missing > 0 ? `, ${missing} missing in between` : '';
}

/** One place for each step, so that a gap keeps its width. */
function onGrid(points: Series['points'], step: number): (number | undefined)[] {
  const origin = points[0]?.time ?? 0;
  const grid: (number | undefined)[] = [];
  for (const { time: at, value } of points) {
    const place = Math.round((at - origin) / step);
    // A server that answers with other times than those asked for must not make the chart endless.
    if (place >= 0 && place < 2 * MAX_POINTS) grid[place] = value;
  }
  return Array.from(grid);
}

/** The last second that a Date can hold. */
const LAST_S = 8.64e12;

const time = (seconds: number): string =>
  Math.abs(seconds) <= LAST_S ? new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z') : '?';
const clock = (seconds: number): string => time(seconds).slice(5, 19).replace('T', ' ');
