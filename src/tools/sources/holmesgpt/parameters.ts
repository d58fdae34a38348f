import type { Json, JsonObject } from '../../../domain/types.js';
import { isList, isObject } from '../../../lib/json-values.js';
import { refuse } from './marks.js';
import type { Expanded } from './template.js';

const TYPES: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  str: 'string',
  dict: 'object',
  list: 'array',
};

/** The declared parameters of a tool: a map, or a list of maps with a name, as some write it. */
export function declaredOf(raw: Json | undefined): Record<string, JsonObject> {
  if (isList(raw)) return Object.fromEntries(raw.filter(isObject).map((one) => [`${one.name}`, one]));
  if (!isObject(raw)) return {};
  return Object.fromEntries(Object.entries(raw).map(([name, one]) => [name, isObject(one) ? one : {}]));
}

/** Whether a declared parameter may be absent: it says so, or has no default and stands only where it has a value. */
export const mayBeAbsent = ({ required, default: fallback }: JsonObject, isGuarded: boolean): boolean =>
  fallback === undefined || fallback === null ? required === false || (required === undefined && isGuarded) : false;

/**
 * JSON Schema of the parameters: the declared ones, and those that the template names.
 * @throws OpsError usage when two of them would be the same variable.
 */
export function schemaOf(declared: Readonly<Record<string, JsonObject>>, { inferred, guarded }: Expanded): JsonObject {
  const names = [...new Set([...inferred, ...Object.keys(declared)])];
  const wrong = names.find((name) => !/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name));
  if (wrong !== undefined) refuse(`"${wrong}" cannot be the name of a parameter`);
  if (new Set(names.map((name) => name.toUpperCase())).size < names.length)
    refuse('two of its parameters differ only in case');
  const required = names.filter((name) => {
    const one = declared[name];
    if (!one) return !guarded.includes(name);
    return !mayBeAbsent(one, guarded.includes(name)) && (one.default ?? null) === null;
  });
  const properties = Object.fromEntries(names.map((name) => [name, propertyOf(declared[name] ?? {})]));
  return { type: 'object', additionalProperties: false, ...(required.length > 0 && { required }), properties };
}

function propertyOf(raw: JsonObject): JsonObject {
  const { description, enum: values, items, properties, default: fallback } = raw;
  const [type, inner] = typeOf(raw.type);
  return {
    type,
    ...(typeof description === 'string' && { description: description.trim() }),
    ...(isList(values) && values.length > 0 && { enum: values }),
    ...(inner !== undefined && { items: { type: inner } }),
    ...(isObject(items) && { items: propertyOf(items) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, isObject(one) ? propertyOf(one) : {}]),
      ),
    }),
    ...(fallback !== undefined && fallback !== null && { default: fallback }),
  };
}

/** `array[int]` is a list of integers; a list of types stays one. */
function typeOf(raw: Json | undefined): [Json, string?] {
  if (isList(raw)) return [raw.map((one) => typeOf(one)[0])];
  const match = /^(\w+)(?:\[(\w+)\])?$/.exec(typeof raw === 'string' ? raw : 'string');
  const name = (word: string) => TYPES[word] ?? word;
  return match?.[2] === undefined ? [name(match?.[1] ?? 'string')] : [name(match[1] ?? ''), name(match[2])];
}
