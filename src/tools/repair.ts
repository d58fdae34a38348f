import { type Json, type JsonObject, RISKS, type ToolDefinition } from '../domain/types.js';
import { isList, isObject, objectAt, showValue, textsAt } from '../lib/json-values.js';
import { editDistance } from '../lib/nearest.js';
import { KEY_ALIASES } from './aliases.js';

export interface Repaired {
  readonly args: JsonObject;
  /** What was changed, in words; empty when nothing. */
  readonly repairs: readonly string[];
}

/**
 * Corrects what models often get slightly wrong and what can be meant in one way only: spelling of keys, `"3"` for 3,
 * one value for a list, null for an absent value, and — for tools below high risk — spelling of enum values. Whatever
 * is not certain stays as it is and is refused by the schema afterwards.
 */
export function repairArguments(args: JsonObject, tool: ToolDefinition): Repaired {
  const properties = objectAt(tool.parameters, 'properties');
  const keys = repairKeys(args, Object.keys(properties));
  const required = textsAt(tool.parameters, 'required');
  const guessesValues = RISKS.indexOf(tool.riskLevel) < RISKS.indexOf('high');
  const repairs = [...keys.repairs];
  const entries = Object.entries(keys.args).flatMap(([name, value]): [string, Json][] => {
    const schema = objectAt(properties, name);
    if (value === null && Object.hasOwn(properties, name) && !required.includes(name) && !accepts(schema, 'null')) {
      repairs.push(`${name}: null → left out`);
      return [];
    }
    return [[name, repairValue(value, schema, name, guessesValues, repairs)]];
  });
  return { args: Object.fromEntries(entries), repairs };
}

function repairKeys(args: JsonObject, known: readonly string[]): Repaired {
  const unknown = Object.keys(args).filter((key) => !known.includes(key));
  const meant = new Map(unknown.map((key) => [key, meantKey(key, known)]));
  const targets = [...meant.values()];
  const repairs: string[] = [];
  const entries = Object.entries(args).map(([key, value]): [string, Json] => {
    const target = meant.get(key);
    const isFree =
      target !== undefined && !Object.hasOwn(args, target) && targets.filter((name) => name === target).length === 1;
    if (!isFree) return [key, value];
    repairs.push(`${key} → ${target}`);
    return [target, value];
  });
  return { args: Object.fromEntries(entries), repairs };
}

/** The one parameter that a key can mean: the same letters, an alias, or one edit away. */
function meantKey(key: string, known: readonly string[]): string | undefined {
  const same = known.filter((name) => letters(name) === letters(key));
  if (same.length > 0) return only(same);
  const spelled = snake(key);
  const aliases = Object.hasOwn(KEY_ALIASES, spelled) ? (KEY_ALIASES[spelled] ?? []) : [];
  const alias = known.filter((name) => aliases.includes(name));
  if (alias.length > 0) return only(alias);
  return key.length < 4
    ? undefined
    : only(known.filter((name) => name.length >= 4 && editDistance(letters(name), letters(key), 1) <= 1));
}

const only = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined);

const letters = (name: string): string => name.toLowerCase().replaceAll(/[_\s-]/g, '');

const snake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

function repairValue(value: Json, schema: JsonObject, path: string, guesses: boolean, repairs: string[]): Json {
  const repaired = coerce(value, schema) ?? (guesses ? guessEnum(value, schema) : undefined);
  if (repaired !== undefined) repairs.push(`${path}: ${showValue(value)} → ${showValue(repaired)}`);
  const current = repaired ?? value;
  const items = objectAt(schema, 'items');
  if (isList(current) && accepts(schema, 'array')) {
    return current.map((item, index) => repairValue(item, items, `${path}[${index}]`, guesses, repairs));
  }
  if (!isObject(current) || !accepts(schema, 'object')) return current;
  const properties = objectAt(schema, 'properties');
  const entries = Object.entries(current).map(
    ([key, inner]) => [key, repairValue(inner, objectAt(properties, key), `${path}.${key}`, guesses, repairs)] as const,
  );
  return Object.fromEntries(entries);
}

/**
 * The value in the type that the schema asks for, when that says the same; undefined when it fits already or cannot.
 */
function coerce(value: Json, schema: JsonObject): Json | undefined {
  if (schema.type === undefined || value === null || fitsType(value, schema)) return undefined;
  if (typeof value === 'string') {
    const text = value.trim();
    const isNumber = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/.test(text);
    if (isNumber && accepts(schema, 'integer') && Number.isSafeInteger(Number(text))) return Number(text);
    if (isNumber && accepts(schema, 'number') && `${Number(text)}` === text) return Number(text);
    if (accepts(schema, 'boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  }
  // Other numbers would not come out as they were written: 1.10 is a version, 12345678901234567890 an id.
  if (typeof value === 'number' && Number.isSafeInteger(value) && accepts(schema, 'string')) return `${value}`;
  const looksLikeList = typeof value === 'string' && value.trimStart().startsWith('[');
  return accepts(schema, 'array') && !isList(value) && !looksLikeList ? [value] : undefined;
}

/** The one enum value that differs in case only, or in one edit. */
function guessEnum(value: Json, schema: JsonObject): Json | undefined {
  const { enum: allowed } = schema;
  if (typeof value !== 'string' || !isList(allowed) || allowed.includes(value)) return undefined;
  const words = allowed.filter((word) => typeof word === 'string');
  const text = value.trim().toLowerCase();
  const same = words.filter((word) => word.toLowerCase() === text);
  if (same.length > 0) return only(same);
  return text.length < 3
    ? undefined
    : only(words.filter((word) => word.length >= 3 && editDistance(word.toLowerCase(), text, 1) <= 1));
}

const typesOf = ({ type }: JsonObject): readonly Json[] => (isList(type) ? type : [type ?? '']);

const accepts = (schema: JsonObject, type: string): boolean => typesOf(schema).includes(type);

function fitsType(value: Json, schema: JsonObject): boolean {
  if (isList(value)) return accepts(schema, 'array');
  if (typeof value === 'number')
    return accepts(schema, 'number') || (accepts(schema, 'integer') && Number.isInteger(value));
  return accepts(schema, value === null ? 'null' : typeof value);
}
