import type { Json } from '../domain/types.js';
import { isObject } from './json.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since the epoch of an RFC 3339 time, or undefined. */
export function isoMs(text: string): number | undefined {
  if (!ISO.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms;
}

/** Times that lie ahead when they are written: no sign of when the snapshot was taken. */
const FUTURE = new Set(['deletionTimestamp', 'notAfter', 'renewalTime', 'expirationTimestamp', 'nextScheduleTime']);
/** What people and charts wrote; a time in there says nothing about the cluster. */
const OPAQUE = new Set(['spec', 'data', 'binaryData', 'annotations', 'labels']);

/** The newest time in the objects and in the list of times; 0 when there is none. */
export function newestMs(objects: readonly Json[], times: readonly number[]): number {
  let newest = times.reduce((a, b) => Math.max(a, b), 0);
  const visit = (value: Json | undefined, key: string, depth: number): void => {
    if (typeof value === 'string') newest = Math.max(newest, value.length < 40 ? (isoMs(value) ?? 0) : 0);
    else if (depth > 12 || FUTURE.has(key) || OPAQUE.has(key)) return;
    else if (Array.isArray(value)) for (const item of value) visit(item, key, depth + 1);
    else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) if (!FUTURE.has(name)) visit(item, name, depth + 1);
    }
  };
  for (const object of objects) visit(object, '', 0);
  return newest;
}
