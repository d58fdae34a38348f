import type { Json } from '../domain/types.js';
import { isList, isObject } from './json.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration in milliseconds the way kubectl shortens it: 5s, 2m30s, 10m, 3h5m, 2d4h, 40d, 2y31d. */
export function shortDuration(durationMs: number): string {
  if (durationMs < -SECOND) return '<invalid>';
  const ms = Math.max(0, durationMs);
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < 10 * MINUTE) return two(ms, MINUTE, 'm', SECOND, 's');
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < 8 * HOUR) return two(ms, HOUR, 'h', MINUTE, 'm');
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 8 * DAY) return two(ms, DAY, 'd', HOUR, 'h');
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`;
  if (ms < 8 * YEAR) return two(ms, YEAR, 'y', DAY, 'd');
  return `${Math.floor(ms / YEAR)}y`;
}

function two(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % big) / small);
  return `${Math.floor(ms / big)}${bigName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}

/** How long before `nowMs` a timestamp was; `<unknown>` when it is none. */
export function ageOf(timestamp: string, nowMs: number): string {
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? '<unknown>' : shortDuration(nowMs - then);
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
};

/** Reads a duration of Go (`90s`, `1h30m`, `1.5h`, `0`) in milliseconds; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce((sum, part) => sum + Number(part[1]) * (UNITS[part[2] ?? ''] ?? 0), 0);
}

/** Fields in which Kubernetes writes when something happened. Expiry dates and deadlines are not among them. */
const MOMENTS = new Set([
  'creationTimestamp',
  'startTime',
  'startedAt',
  'finishedAt',
  'completionTime',
  'firstTimestamp',
  'lastTimestamp',
  'eventTime',
  'lastObservedTime',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastHeartbeatTime',
  'lastProbeTime',
  'lastScheduleTime',
  'lastSuccessfulTime',
  'lastScaleTime',
]);

/** Deepest nesting of JSON that is read; real objects stay below 30. */
const MAX_DEPTH = 200;

/**
 * The newest moment that a JSON value tells of, in milliseconds since 1970; 0 when it tells of none.
 * Undefined when it is nested too deeply for a real object. Uses no recursion, so that hostile input cannot break it.
 */
export function newestMoment(root: Json): number | undefined {
  let newest = 0;
  const open: [Json, number][] = [[root, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    if (depth > MAX_DEPTH) return undefined;
    if (isList(value)) for (const element of value) open.push([element, depth + 1]);
    if (!isObject(value)) continue;
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === 'object') open.push([child, depth + 1]);
      else if (typeof child === 'string' && MOMENTS.has(key)) newest = Math.max(newest, Date.parse(child) || 0);
    }
  }
  return newest;
}
