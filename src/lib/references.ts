import type { Json, JsonObject } from '../domain/types.js';

/** `$step.path`: a whole string that stands for a value of an earlier step. */
export interface Reference {
  readonly step: string;
  /** What follows the step's name, without the dot; '' for the step itself. */
  readonly path: string;
}

const REFERENCE = /^\$([A-Za-z][\w-]*)(?:\.(.+)|(\[.+))?$/s;

/** Reads a reference; undefined when the text is none. */
export function parseReference(text: string): Reference | undefined {
  const match = REFERENCE.exec(text);
  return match ? { step: match[1] as string, path: match[2] ?? match[3] ?? '' } : undefined;
}

/** Every reference inside a JSON value. */
export function referencesIn(value: Json): Reference[] {
  if (typeof value === 'string') return [parseReference(value)].filter((r) => r !== undefined);
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(referencesIn);
}

/**
 * Replaces every reference by its value, with its type, and passes every other string through `fill`, in one walk: a
 * value is never read again as a reference or placeholder. A key or element without a value is left out; a list inside
 * a list is flattened once, so that `[$pods.id, $logs.id]` is one list of ids.
 */
export function fillReferences(
  value: Json,
  resolve: (reference: Reference) => Json | undefined,
  fill: (text: string) => Json | undefined = (text) => text,
): Json | undefined {
  if (typeof value === 'string') {
    const reference = parseReference(value);
    return reference ? resolve(reference) : fill(value);
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const elements = value.map((v) => fillReferences(v, resolve, fill)).filter(isThere);
    return elements.flat(1) as Json;
  }
  const filled = Object.entries(value).map(([key, v]) => [key, fillReferences(v, resolve, fill)] as const);
  return Object.fromEntries(filled.filter(([, v]) => isThere(v))) as JsonObject;
}

const isThere = (value: Json | undefined): boolean => value !== undefined && value !== null;
