import type { Json, JsonObject, ToolCall } from '../domain/types.js';

const HIDDEN = '(secret value, not recorded)';
/** Shorter values are no secrets, and hiding them everywhere would hide the record. */
const MIN_LENGTH = 4;

/**
 * Hides the values of Secrets that a call carries in a manifest, wherever they stand in a record. Manifests were read and
 * rewritten as one JSON document an object before this.
 */
export function hideSecretValues(call: ToolCall): (text: string) => string {
  const values = Object.values(call.args).flatMap((value) => (typeof value === 'string' ? secretValuesIn(value) : []));
  const spelled = [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
    .filter((value) => value.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (text) => spelled.reduce((hidden, value) => hidden.replaceAll(value, HIDDEN), text);
}

/** Applies `hide` to every text inside a value. */
export function mapTexts(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') return hide(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, hide));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, hide)])) as JsonObject;
}

function secretValuesIn(text: string): string[] {
  if (!text.includes('"kind": "Secret"')) return [];
  return text.split('\n---\n').flatMap((document) => {
    const object = parseObject(document);
    if (object?.kind !== 'Secret') return [];
    return [object.data, object.stringData].flatMap(textsIn);
  });
}

const textsIn = (value: Json | undefined): string[] =>
  typeof value === 'string' || typeof value === 'number'
    ? [`${value}`]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
