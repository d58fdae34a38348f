import type { Json, JsonObject } from '../../../domain/types.js';
import { isList, isObject, objectAt } from '../../../lib/json-values.js';
import type { ApiDocument } from './document.js';

/** Schemas of one tool hold no more values than this: what lies deeper accepts anything, and says so. */
const MAX_SCHEMAS = 600;
const MAX_DEPTH = 10;
const MAX_TEXT = 400;
const MAX_ENUM = 200;

/** Makes the schemas of one tool; those that hold themselves come out under `$defs`. */
export interface SchemaMaker {
  make(schema: Json | undefined): JsonObject;
  /** `$defs`, complete when nothing more is made. */
  definitions(): JsonObject;
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
/** Formats that ajv-formats checks; others are words for people. */
const FORMATS =
  /^(?:date|time|date-time|duration|uri|uri-reference|uri-template|email|hostname|ipv4|ipv6|uuid|regex|json-pointer|byte|int32|int64|float|double|password|binary)$/;
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const CHOICES = ['oneOf', 'anyOf', 'allOf'];

/**
 * Turns schemas of OpenAPI 3.0 and 3.1 into JSON Schema 2020-12 that can be compiled whatever the description holds: known
 * keywords with usable values, references inlined, rings kept as `$defs`, `nullable` as a type. Bounded in size and depth.
 */
export function schemaMaker(document: ApiDocument): SchemaMaker {
  const rings = new Map<string, JsonObject | undefined>();
  let room = MAX_SCHEMAS;

  // `stack`: references that are being inlined. `here`: those since the last step into the value itself; a ring of these alone
  // would make a validator run for ever.
  const make = (
    value: Json | undefined,
    stack: readonly string[],
    here: readonly string[],
    depth: number,
  ): JsonObject => {
    if (value === false) return { not: {} };
    if (!isObject(value)) return {};
    const ref = value.$ref;
    if (typeof ref === 'string') {
      if (here.includes(ref)) return {};
      if (stack.includes(ref)) return ring(ref, value);
      return make(document.resolve(value), [...stack, ref], [...here, ref], depth);
    }
    const cost = 1 + Object.keys(objectAt(value, 'properties')).length;
    if (depth > MAX_DEPTH || room < cost) return shallow(value);
    room -= cost;
    return convert(
      value,
      (inner) => make(inner, stack, [], depth + 1),
      (same) => make(same, stack, here, depth + 1),
    );
  };

  const ring = (ref: string, { description }: JsonObject): JsonObject => {
    const name = defName(ref, [...rings.keys()]);
    if (!rings.has(ref)) {
      if (room < 1) return shallow(document.resolve({ $ref: ref }));
      rings.set(ref, undefined);
      rings.set(ref, make(document.resolve({ $ref: ref }), [ref], [ref], 1));
    }
    return { $ref: `#/$defs/${name}`, ...(typeof description === 'string' && { description: cut(description) }) };
  };

  return {
    make: (schema) => make(schema, [], [], 0),
    definitions: () =>
      Object.fromEntries(
        [...rings].map(([ref, schema], index) => [defName(ref, [...rings.keys()].slice(0, index)), schema ?? {}]),
      ),
  };
}

/** `Node` of `#/components/schemas/Node`, made unique by its place among the rings. */
function defName(ref: string, refs: readonly string[]): string {
  const at = refs.indexOf(ref);
  const last = (ref.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_]/g, '_');
  return `${last === '' ? 'schema' : last}_${at === -1 ? refs.length : at}`;
}

/** What is said of a value whose inside is not described any further. */
function shallow(value: JsonObject): JsonObject {
  const type = typesOf(value);
  const words = typeof value.description === 'string' ? `${cut(value.description)} ` : '';
  return { ...(type && { type }), description: `${words}(its inside is not described here)` };
}

type Make = (inner: Json | undefined) => JsonObject;

function convert(value: JsonObject, make: Make, makeSame: Make): JsonObject {
  const type = typesOf(value);
  const isNullable = value.nullable === true;
  const known: [string, Json | undefined][] = [
    ['type', type],
    ['description', typeof value.description === 'string' ? cut(value.description) : undefined],
    ['enum', enumOf(value, isNullable)],
    ['const', value.const],
    ['default', value.default],
    ['format', typeof value.format === 'string' && FORMATS.test(value.format) ? value.format : undefined],
    ['pattern', patternOf(value.pattern)],
    ...boundsOf(value),
    ...COUNTS.map((key): [string, Json | undefined] => [key, isCount(value[key]) ? value[key] : undefined]),
    ['multipleOf', typeof value.multipleOf === 'number' && value.multipleOf > 0 ? value.multipleOf : undefined],
    ['uniqueItems', value.uniqueItems === true ? true : undefined],
    ...CHOICES.map((key): [string, Json | undefined] => [key, listOf(value[key], makeSame)]),
    ['prefixItems', listOf(value.prefixItems, make)],
    ['not', isObject(value.not) ? makeSame(value.not) : undefined],
    ['items', isObject(value.items) ? make(value.items) : undefined],
    ['properties', propertiesOf(value, make)],
    ['required', requiredOf(value)],
    [
      'additionalProperties',
      isObject(value.additionalProperties)
        ? make(value.additionalProperties)
        : typeof value.additionalProperties === 'boolean'
          ? value.additionalProperties
          : undefined,
    ],
  ];
  const schema = Object.fromEntries(known.filter((pair): pair is [string, Json] => pair[1] !== undefined));
  return isNullable && type === undefined && Object.keys(schema).length > 0
    ? { anyOf: [schema, { type: 'null' }] }
    : schema;
}

/** The type in the words of 2020-12, with null for `nullable`; undefined when there is none that JSON knows. */
function typesOf({ type, nullable }: JsonObject): Json | undefined {
  const types = (isList(type) ? type : [type]).filter((one) => typeof one === 'string' && TYPES.includes(one));
  const all = [...new Set([...types, ...(nullable === true && types.length > 0 ? ['null'] : [])])] as Json[];
  return all.length > 1 ? all : all[0];
}

function enumOf({ enum: values }: JsonObject, isNullable: boolean): Json | undefined {
  if (!isList(values) || values.length === 0 || values.length > MAX_ENUM) return undefined;
  const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  return isNullable && !unique.includes(null) ? [...unique, null] : unique;
}

/** A pattern that cannot be compiled as ajv does it says nothing. */
function patternOf(pattern: Json | undefined): Json | undefined {
  if (typeof pattern !== 'string' || pattern.length > MAX_TEXT) return undefined;
  try {
    new RegExp(pattern, 'u');
    return pattern;
  } catch {
    return undefined;
  }
}

/** In 3.0 `exclusiveMinimum: true` is a word about `minimum`. */
function boundsOf(value: JsonObject): [string, Json | undefined][] {
  const bounds = NUMBERS.map((key): [string, Json | undefined] => [
    key,
    typeof value[key] === 'number' ? value[key] : undefined,
  ]);
  return bounds.map(([key, bound]) => {
    const exclusive = `exclusive${key.charAt(0).toUpperCase()}${key.slice(1)}`;
    if (value[exclusive] === true) return [exclusive, bound];
    return [key, bound];
  });
}

const isCount = (value: Json | undefined): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

function listOf(value: Json | undefined, make: Make): Json | undefined {
  return isList(value) && value.length > 0 ? value.map(make) : undefined;
}

function propertiesOf({ properties }: JsonObject, make: Make): Json | undefined {
  if (!isObject(properties)) return undefined;
  const kept = Object.entries(properties).filter(([, schema]) => !(isObject(schema) && schema.readOnly === true));
  return Object.fromEntries(kept.map(([name, schema]) => [name, make(schema)]));
}

/** Names of properties that the service itself sets are nobody's to give. */
function requiredOf({ required, properties }: JsonObject): Json | undefined {
  if (!isList(required)) return undefined;
  const names = required.filter((name): name is string => typeof name === 'string');
  const own = isObject(properties) ? properties : {};
  const kept = [...new Set(names)].filter((name) => {
    const schema = Object.hasOwn(own, name) ? own[name] : undefined;
    return !(isObject(schema) && schema.readOnly === true);
  });
  return kept.length > 0 ? kept : undefined;
}

/** A text of a description for a model, short. */
export function cut(text: string, max = MAX_TEXT): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain.length > max ? `${plain.slice(0, max - 1)}…` : plain;
}
