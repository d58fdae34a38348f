import type { Json, JsonObject } from '../domain/types.js';

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys and indexes; undefined when some step is missing. Never looks at inherited keys. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let current = value;
  for (const step of path) {
    if (isList(current)) current = typeof step === 'number' ? current[step] : undefined;
    else if (isObject(current)) current = Object.hasOwn(current, step) ? current[step] : undefined;
    else return undefined;
  }
  return current;
}

/** The scalar at a path as text; '' when there is none. */
export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return found === undefined || found === null || typeof found === 'object' ? '' : String(found);
}

/** The number at a path; 0 when there is none, as Kubernetes leaves zeroes out. */
export function numberAt(value: Json | undefined, ...path: readonly (string | number)[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

/** The list at a path; empty when there is none. */
export function listAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly Json[] {
  const found = at(value, ...path);
  return isList(found) ? found : [];
}

/** Keys and scalar values of the object at a path, sorted by key: labels, annotations, selectors. */
export function pairsAt(value: Json | undefined, ...path: readonly (string | number)[]): [string, string][] {
  const found = at(value, ...path);
  if (!isObject(found)) return [];
  const keys = Object.keys(found).sort();
  return keys.map((key) => [key, typeof found[key] === 'object' ? JSON.stringify(found[key]) : textAt(found, key)]);
}

export const nameOf = (object: Json): string => textAt(object, 'metadata', 'name');
export const namespaceOf = (object: Json): string => textAt(object, 'metadata', 'namespace');

/** Copy with the keys of every object in alphabetical order, as kubectl prints JSON and YAML. */
export function sortKeys(value: Json): Json {
  if (isList(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const entries = Object.keys(value).sort();
  return Object.fromEntries(entries.map((key) => [key, sortKeys(value[key] ?? null)]));
}
