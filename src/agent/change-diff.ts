import type { Json, JsonObject } from '../domain/types.js';
import { isList, isObject, showValue } from '../lib/json-values.js';

/** Lines of differences that a person is shown at most. */
const MAX_LINES = 40;
/** Keys of list elements that say which element one is, in the order in which Kubernetes uses them for merging. */
const ELEMENT_KEYS = ['name', 'containerPort', 'port', 'mountPath', 'key', 'type', 'ip'];

/**
 * What differs between two values, a line a field: `spec.replicas: 2 → 3`. Elements of lists are matched by their name where
 * all have one, else by position. At most 40 lines; what is left out is counted in the last one.
 */
export function diffLines(before: Json | undefined, after: Json | undefined): string[] {
  const lines = [...differences(before, after, '')];
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), `… and ${lines.length - MAX_LINES + 1} more fields`];
}

function* differences(before: Json | undefined, after: Json | undefined, path: string): Generator<string> {
  if (canonical(before) === canonical(after)) return;
  const key = isList(before) && isList(after) ? elementKey([...before, ...after]) : undefined;
  const [a, b] = [partsOf(before, key), partsOf(after, key)];
  if (!a || !b || isList(before) !== isList(after)) {
    yield `${path || 'all of it'}: ${show(before)} → ${show(after)}`;
    return;
  }
  for (const name of new Set([...a.keys(), ...b.keys()])) yield* differences(a.get(name), b.get(name), path + name);
}

/** The fields of an object or the elements of a list, by what a path says of each. */
function partsOf(value: Json | undefined, key: string | undefined): Map<string, Json> | undefined {
  if (isList(value))
    return new Map(value.map((item, at) => [`[${key && isObject(item) ? item[key] : at}]`, item] as const));
  if (!isObject(value)) return undefined;
  return new Map(Object.entries(value).map(([name, one]) => [/^[\w-]+$/.test(name) ? `.${name}` : `["${name}"]`, one]));
}

function elementKey(items: readonly Json[]): string | undefined {
  return ELEMENT_KEYS.find((key) => items.every((item) => isObject(item) && item[key] !== undefined));
}

const show = (value: Json | undefined): string => (value === undefined ? 'nothing' : showValue(value, 100));

/** A value as text in which the order of keys says nothing. */
export const canonical = (value: Json | undefined): string => JSON.stringify(value, sortedKeys) ?? '';

const sortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
