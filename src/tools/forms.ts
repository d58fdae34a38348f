import type { Json, JsonObject } from '../domain/types.js';
import { type Finding, isList, isObject, objectAt, type Path } from '../lib/json-values.js';

/** One definition as it stands in a file, before it is checked. `path` is where it stands. */
export interface RawTool {
  readonly path: Path;
  readonly raw: Json;
  /** The name that a map of name → definition gives. */
  readonly key?: string;
}

export interface FileForm {
  /** Everything beside the tools; empty for the short forms. */
  readonly header: JsonObject;
  readonly tools: readonly RawTool[];
  readonly findings: readonly Finding[];
}

/**
 * Takes a file apart. Three forms are read: a map with `tools:`, one definition with `name:` at the top, and a map of
 * name → definition.
 */
export function splitFile(data: Json): FileForm {
  if (!isObject(data)) {
    return {
      header: {},
      tools: [],
      findings: [
        { path: [], message: 'A tool file must be a map.', fix: 'Put the definitions below the key "tools:".' },
      ],
    };
  }
  if (['tools', 'system', 'sources', 'adapters', 'defaults'].some((key) => Object.hasOwn(data, key)))
    return splitList(data);
  if (typeof data.name === 'string') return { header: {}, tools: [{ path: [], raw: data }], findings: [] };
  const tools = Object.entries(data).map(([key, raw]) => ({ path: [key], raw, key }));
  return { header: {}, tools, findings: [] };
}

function splitList(header: JsonObject): FileForm {
  const list = isList(header.tools) ? header.tools : [];
  const tools = list.flatMap((raw, index) => (isObject(raw) ? [{ path: ['tools', index], raw }] : []));
  return { header, tools, findings: [] };
}

/**
 * Spells a definition the way the schema knows it: its name from the map, what the file's `defaults:` give, `timeout`
 * as `timeout_seconds`.
 */
export function normalise(raw: JsonObject, key: string | undefined, header: JsonObject): JsonObject {
  const system = typeof header.system === 'string' ? { category: header.system } : {};
  const defaults = spellTimeout(objectAt(header, 'defaults'));
  return { ...system, ...defaults, ...(key !== undefined && { name: key }), ...spellTimeout(raw) };
}

function spellTimeout(raw: JsonObject): JsonObject {
  const { timeout, ...rest } = raw;
  return timeout === undefined || raw.timeout_seconds !== undefined ? raw : { ...rest, timeout_seconds: timeout };
}

/** Parameters as JSON Schema, whichever way they are written. Unknown arguments are never allowed. */
export function normaliseParameters(raw: Json | undefined): JsonObject {
  if (isObject(raw))
    return { ...raw, type: 'object', properties: objectAt(raw, 'properties'), additionalProperties: false };
  const items = (isList(raw) ? raw : []).filter(isObject);
  const named = items.filter((item): item is JsonObject & { name: string } => typeof item.name === 'string');
  const required = named.filter((item) => item.required === true).map((item) => item.name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(named.map((item) => [item.name, shortParameter(item)])),
    additionalProperties: false,
  };
}

/** A null default or enum means that there is none: registries written by other programs say so. */
function shortParameter({ name: _name, required: _required, ...schema }: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== null));
}
