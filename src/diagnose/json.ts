import type { Json, JsonObject } from '../domain/types.js';

/** Narrows to an object; a list, null or a scalar is not one. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys, or undefined when any step is missing or not an object. Own keys only. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current: Json | undefined = value;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** The string at a path, or '' when there is none. */
export function str(value: Json | undefined, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The finite number at a path, or undefined. */
export function num(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** The list at a path, or an empty one. */
export function list(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The string values of the object at a path (labels, selectors); other values are left out. */
export function strings(value: Json | undefined, ...path: readonly string[]): Readonly<Record<string, string>> {
  const found = at(value, ...path);
  if (!isObject(found)) return {};
  return Object.fromEntries(Object.entries(found).filter((e): e is [string, string] => typeof e[1] === 'string'));
}

/** The first condition of a type in `status.conditions`. */
export const condition = (object: Json | undefined, type: string): Json | undefined =>
  list(object, 'status', 'conditions').find((c) => str(c, 'type') === type);
