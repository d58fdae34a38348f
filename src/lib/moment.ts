import { OpsError } from '../domain/errors.js';

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/g;
const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const UNIX = /^\d{9,10}(?:\.\d{1,9})?$/;
/** The last moment that a Date can hold as RFC 3339 with a four-digit year. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** Milliseconds of a duration such as `30s`, `5m`, `1h30m`, `7d`; undefined when the text is none. */
export function durationMs(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART)) total += Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  return total;
}

/**
 * The moment that a text means, in milliseconds since the epoch: `now`, RFC 3339 with a zone, unix seconds, or a duration, which
 * counts from `nowMs` in the direction given.
 * @throws OpsError usage when it means none.
 */
export function momentMs(text: string, nowMs: number, direction: 'ago' | 'ahead'): number {
  const trimmed = text.trim();
  if (trimmed === 'now') return nowMs;
  const duration = durationMs(trimmed);
  const ms = duration === undefined ? absoluteMs(trimmed) : nowMs + (direction === 'ago' ? -duration : duration);
  if (ms !== undefined && ms >= 0 && ms <= LAST_MS) return ms;
  throw new OpsError(
    'usage',
    `${JSON.stringify(trimmed.slice(0, 60))} is not a time.`,
    'Use a duration such as 30m, 2h or 7d, a time such as 2026-01-31T08:00:00Z, unix seconds, or now.',
  );
}

function absoluteMs(text: string): number | undefined {
  if (UNIX.test(text)) return Number(text) * 1000;
  const ms = RFC3339.test(text) ? Date.parse(text.replace(' ', 'T').toUpperCase()) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** A duration as people write it, from whole seconds: `45s`, `5m`, `1h30m`, `7d`. */
export function durationText(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000));
  if (rest === 0) return '0s';
  const parts = ['d', 'h', 'm', 's'].flatMap((unit) => {
    const size = (UNIT_MS[unit] ?? 1000) / 1000;
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.slice(0, 2).join('');
}
