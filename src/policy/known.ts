import type { Json, JsonObject } from '../domain/types.js';
import { isList, isObject } from '../lib/json-values.js';

/** Keywords with schemas inside that speak of the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'not'];
/** Keywords that are silent about values of another type, with the test for their own. */
const SPEAKS_OF: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  ...Object.fromEntries(['pattern', 'minLength', 'maxLength', 'format'].map((key) => [key, isText])),
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((key) => [key, isNumber]),
  ),
  ...Object.fromEntries(
    ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'].map((key) => [key, isFilled]),
  ),
  ...Object.fromEntries(['properties', 'required', 'additionalProperties'].map((key) => [key, isObject])),
};
const HARMLESS = ['type', 'const', 'enum', 'title', 'description', '$comment'];
const KNOWN = new Set([...Object.keys(SPEAKS_OF), ...SAME_VALUE, ...HARMLESS]);

function isText(value: Json | undefined): boolean {
  return typeof value === 'string';
}
function isNumber(value: Json | undefined): boolean {
  return typeof value === 'number';
}
function isFilled(value: Json | undefined): boolean {
  return isList(value) && value.length > 0;
}

/**
 * Whether a value holds everything that a schema speaks of. JSON Schema takes what is absent for right: `properties` without
 * the property, `items` of an empty list, `pattern` of a number. An allow rule must not: what is missing is unknown. So every
 * property that the schema names, also below `not` and in each branch, must be there, with the type its keywords speak of.
 */
export function isKnown(schema: Json | undefined, value: Json | undefined): boolean {
  if (!isObject(schema)) return true;
  return Object.entries(schema).every(([keyword, inner]) => {
    if (SPEAKS_OF[keyword]?.(value) === false) return false;
    if (keyword === 'properties' && isObject(inner) && isObject(value)) {
      return Object.entries(inner).every(([name, one]) => Object.hasOwn(value, name) && isKnown(one, value[name]));
    }
    if (keyword === 'required' && isList(inner) && isObject(value)) {
      return inner.every((name) => Object.hasOwn(value, String(name)));
    }
    if (keyword === 'prefixItems' && isList(inner) && isList(value)) {
      return inner.length <= value.length && inner.every((one, i) => isKnown(one, value[i]));
    }
    if ((keyword === 'items' || keyword === 'contains') && isList(value)) {
      return value.every((one) => isKnown(inner, one));
    }
    if (keyword === 'not') return isKnown(inner, value);
    return !SAME_VALUE.includes(keyword) || !isList(inner) || inner.every((one) => isKnown(one, value));
  });
}

/** The first keyword of a schema for which `isKnown` cannot vouch; such a schema cannot stand in an allow rule. */
export function unvouchedKeyword(schema: Json | undefined): string | undefined {
  if (!isObject(schema)) return undefined;
  const own = Object.keys(schema).find((keyword) => !KNOWN.has(keyword) && !keyword.startsWith('x-'));
  if (own !== undefined) return own;
  if (isObject(schema.additionalProperties)) return 'additionalProperties';
  return schemasIn(schema)
    .map(unvouchedKeyword)
    .find((keyword) => keyword !== undefined);
}

const schemasIn = (schema: JsonObject): Json[] =>
  Object.entries(schema).flatMap(([keyword, inner]) => {
    if (keyword === 'properties' && isObject(inner)) return Object.values(inner);
    if (['items', 'contains', 'not'].includes(keyword)) return [inner as Json];
    return isList(inner) && ['prefixItems', ...SAME_VALUE].includes(keyword) ? [...inner] : [];
  });
