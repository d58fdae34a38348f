import type { Json, JsonObject } from '../domain/types.js';

/** A place inside a value: keys, and positions in lists. */
export type Path = readonly (string | number)[];

/** A mistake inside one tool definition; `path` counts from the definition itself. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
  readonly fix?: string;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The object at a key, or an empty one. */
export const objectAt = (value: JsonObject, key: string): JsonObject => {
  const inner = Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
};

/** The strings of a list at a key; everything else is left out. */
export const textsAt = (value: JsonObject, key: string): string[] => {
  const inner = value[key];
  return isList(inner) ? inner.filter((item) => typeof item === 'string') : [];
};

/** `run.argv[2]`; the empty path is ''. */
export const formatPath = (path: Path): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');

/** The value at a path, or undefined. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let current = value;
  for (const key of path) {
    if (isList(current)) current = current[Number(key)];
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

/** The same value with `change` applied to every text in it; keys stay. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isList(value)) return value.map((one) => mapTexts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}

/** A value for a message: short, on one line. */
export function showValue(value: Json | undefined, maxLength = 60): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
