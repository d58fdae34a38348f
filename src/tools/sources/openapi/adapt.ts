import type { Json, JsonObject } from '../../../domain/types.js';
import { isObject, objectAt, textsAt } from '../../../lib/json-values.js';

/**
 * A tool as a vendor adapter presents it: parameters under other names or several as one, those that the session fills left out,
 * and words that stand for values. Parameters that a tool does not have are passed over.
 */
export function adapt(tool: JsonObject, adapter: JsonObject): JsonObject {
  const injected = Object.entries(objectAt(adapter, 'inject')).reduce(
    (made, [name, from]) => inject(made, name, `${from}`),
    tool,
  );
  const renamed = Object.entries(objectAt(adapter, 'rename')).reduce(
    (made, [name, to]) => rename(made, name, to),
    injected,
  );
  const named = alias(renamed, objectAt(adapter, 'aliases'));
  if (adapter.module === undefined) return named;
  return { ...named, run: { ...objectAt(named, 'run'), adapter: adapter.module } };
}

const propertiesOf = (tool: JsonObject): JsonObject => objectAt(objectAt(tool, 'parameters'), 'properties');

const has = (tool: JsonObject, name: string): boolean => Object.hasOwn(propertiesOf(tool), name);

/** The tool with other parameters and, in its request, other placeholders. */
function change(
  tool: JsonObject,
  properties: JsonObject,
  required: readonly string[],
  placeholders: Readonly<Record<string, string>>,
): JsonObject {
  const { required: _old, ...parameters } = objectAt(tool, 'parameters');
  const kept = required.filter((name) => Object.hasOwn(properties, name));
  return {
    ...tool,
    parameters: { ...parameters, properties, ...(kept.length > 0 && { required: kept }) },
    run: replaced(tool.run ?? {}, placeholders),
  };
}

function replaced(value: Json, placeholders: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string')
    return value.replace(/^\{\{ (\w+) \}\}$/, (whole, name: string) =>
      Object.hasOwn(placeholders, name) ? `{{ ${placeholders[name]} }}` : whole,
    );
  if (Array.isArray(value)) return value.map((inner: Json) => replaced(inner, placeholders));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner, placeholders)]));
}

const requiredOf = (tool: JsonObject): string[] => textsAt(objectAt(tool, 'parameters'), 'required');

function inject(tool: JsonObject, name: string, from: string): JsonObject {
  if (!has(tool, name)) return tool;
  const { [name]: _gone, ...rest } = propertiesOf(tool);
  const changed = change(tool, rest, requiredOf(tool), { [name]: from });
  if (!from.startsWith('env.')) return changed;
  const variable = from.slice('env.'.length);
  const requires = Array.isArray(tool.requires) ? tool.requires : [];
  return {
    ...changed,
    env: [...textsAt(tool, 'env'), variable],
    requires: [...requires, { env: variable, fix: `Set ${variable}: the adapter gives it as ${name}.` }],
  };
}

function rename(tool: JsonObject, name: string, to: Json): JsonObject {
  const properties = propertiesOf(tool);
  const fields = isObject(to) ? Object.entries(to).map(([field, old]) => [field, `${old}`] as const) : [];
  const parts = fields.filter(([, old]) => has(tool, old));
  const old = typeof to === 'string' && has(tool, to) ? [to] : parts.map(([, one]) => one);
  if (old.length === 0 || (has(tool, name) && !old.includes(name))) return tool;
  const rest = Object.fromEntries(Object.entries(properties).filter(([key]) => !old.includes(key)));
  const required = requiredOf(tool);
  const isNeeded = old.some((one) => required.includes(one));
  const inner = parts.filter(([, one]) => required.includes(one)).map(([field]) => field);
  const made: Json =
    typeof to === 'string'
      ? (properties[to] ?? {})
      : {
          type: 'object',
          properties: Object.fromEntries(parts.map(([field, one]) => [field, properties[one] ?? {}])),
          ...(inner.length > 0 && { required: inner }),
          additionalProperties: false,
        };
  const places = typeof to === 'string' ? [[to, name]] : parts.map(([field, one]) => [one, `${name}.${field}`]);
  return change(tool, { ...rest, [name]: made }, isNeeded ? [...required, name] : required, Object.fromEntries(places));
}

function alias(tool: JsonObject, aliases: JsonObject): JsonObject {
  const own = Object.fromEntries(Object.entries(aliases).filter(([name]) => has(tool, name)));
  if (Object.keys(own).length === 0) return tool;
  const properties = Object.entries(propertiesOf(tool)).map(([name, schema]) => [
    name,
    isObject(own[name]) && isObject(schema) ? withWords(schema, Object.keys(own[name])) : schema,
  ]);
  const run = isObject(tool.run) ? tool.run : {};
  const changed = change(tool, Object.fromEntries(properties), requiredOf(tool), {});
  return { ...changed, run: { ...run, aliases: own } };
}

/** The words are told, and accepted where values are listed. */
function withWords(schema: JsonObject, words: readonly string[]): JsonObject {
  const told = `${typeof schema.description === 'string' ? `${schema.description} ` : ''}Also: ${words.join(', ')}.`;
  const accepts = (one: JsonObject): JsonObject =>
    Array.isArray(one.enum) ? { ...one, enum: [...new Set([...one.enum, ...words])] } : one;
  const items = isObject(schema.items) ? { items: accepts(schema.items) } : {};
  return { ...accepts(schema), ...items, description: told };
}
