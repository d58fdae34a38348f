import { isFields, type KubeObject } from './objects.js';

/** One server-side column: its value, and whether only `-o wide` shows it. */
export interface Column {
  readonly name: string;
  readonly wide?: boolean;
  readonly value: (object: KubeObject) => string | number;
}

/** `45s`, `3m20s`, `5h`, `12d`: the age of a timestamp, `<unknown>` when there is none. */
export function ageOf(time: unknown, now = Date.now()): string {
  const start = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(start)) return '<unknown>';
  const seconds = Math.max(0, Math.floor((now - start) / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  if (days < 8) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  return days < 365 * 2 ? `${days}d` : `${Math.floor(days / 365)}y${days % 365}d`;
}

/** `key=value` pairs of a labels object, `<none>` for an empty one. */
export const pairs = (value: unknown): string => {
  const entries = isFields(value) ? Object.entries(value) : [];
  return entries.length === 0 ? '<none>' : entries.map(([key, item]) => `${key}=${String(item)}`).join(',');
};
