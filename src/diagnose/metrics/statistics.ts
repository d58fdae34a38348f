import type { Json } from '../../domain/types.js';
import { isObject, list, str, strings } from '../json.js';

export type Trend = 'rising' | 'falling' | 'steady' | 'varying';

/** One value and when it was, in unix seconds. */
export interface Sample {
  readonly time: number;
  readonly value: number;
}

/** What the samples of one series say. */
export interface SeriesStatistics {
  readonly labels: Readonly<Record<string, string>>;
  /** Finite samples; `strange` counts NaN and infinities, which no other number here contains. */
  readonly samples: number;
  readonly strange: number;
  readonly first?: Sample;
  readonly last?: Sample;
  readonly min?: Sample;
  readonly max?: Sample;
  readonly mean?: number;
  readonly trend?: Trend;
}

export interface Series {
  readonly statistics: SeriesStatistics;
  readonly points: readonly Sample[];
}

/** The series of a range query's answer, the largest first; undefined when it is no such answer. */
export function readSeries(answer: Json | undefined): readonly Series[] | undefined {
  const data = isObject(answer) ? answer.data : undefined;
  if (str(data, 'resultType') !== 'matrix') return undefined;
  return list(data, 'result')
    .map(seriesOf)
    .sort((a, b) => peak(b) - peak(a) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

const peak = ({ statistics }: Series): number => statistics.max?.value ?? Number.NEGATIVE_INFINITY;
const nameOf = ({ statistics }: Series): string => labelText(statistics.labels);

function seriesOf(raw: Json): Series {
  const all = list(raw, 'values').flatMap(sampleOf);
  const points = all.filter(({ value }) => Number.isFinite(value));
  return { statistics: summarise(strings(raw, 'metric'), points, all.length - points.length), points };
}

function sampleOf(raw: Json): Sample[] {
  if (!Array.isArray(raw)) return [];
  const [time, text] = raw as readonly Json[];
  if (typeof time !== 'number' || typeof text !== 'string') return [];
  const value = Number(text.replace('Inf', 'Infinity'));
  return [{ time, value }];
}

function summarise(
  labels: Readonly<Record<string, string>>,
  points: readonly Sample[],
  strange: number,
): SeriesStatistics {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return { labels, samples: 0, strange };
  const min = points.reduce((a, b) => (b.value < a.value ? b : a));
  const max = points.reduce((a, b) => (b.value > a.value ? b : a));
  // Each divided first, so that large values do not overflow.
  const mean = points.reduce((sum, { value }) => sum + value / points.length, 0);
  return {
    labels,
    samples: points.length,
    strange,
    first,
    last,
    min,
    max,
    mean,
    ...(points.length > 2 && { trend: trendOf(points, min, max, mean) }),
  };
}

/**
 * The direction of the line that fits best. It counts as rising or falling when it covers a third of the whole span; a span of less
 * than 5 % of the mean is steady.
 */
function trendOf(points: readonly Sample[], min: Sample, max: Sample, mean: number): Trend {
  const span = max.value - min.value;
  if (span === 0 || span < 0.05 * Math.abs(mean)) return 'steady';
  const middle = points.reduce((sum, { time }) => sum + time / points.length, 0);
  const [covered, spread] = points.reduce<[number, number]>(
    ([sum, squares], { time, value }) => [
      sum + (time - middle) * ((value - mean) / span),
      squares + (time - middle) ** 2,
    ],
    [0, 0],
  );
  const length = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
  const rise = spread === 0 ? 0 : (covered / spread) * length;
  if (Math.abs(rise) < 1 / 3) return 'varying';
  return rise > 0 ? 'rising' : 'falling';
}

/** Labels as Prometheus writes a series: `up{instance="a:1",job="b"}`. */
export function labelText(labels: Readonly<Record<string, string>>): string {
  const { __name__: name = '', ...rest } = labels;
  const pairs = Object.keys(rest)
    .sort()
    .map((key) => `${key}=${JSON.stringify(rest[key])}`);
  return pairs.length === 0 ? name || '{}' : `${name}{${pairs.join(',')}}`;
}
