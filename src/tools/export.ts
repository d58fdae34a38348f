import type { Json, JsonObject, ToolDefinition } from '../domain/types.js';
import { isList, isObject } from '../lib/json-values.js';

export interface OpenAiTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

/** Tools as the `tools` of a chat completion. Annotations of ours (`x-…`) are left out. */
export const toOpenAiTools = (tools: readonly ToolDefinition[]): OpenAiTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: withoutAnnotations(parameters) },
  }));

/** Keys whose value maps names that people chose to schemas; there `x-…` is a name. */
const NAME_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
/** Keys whose value is data, not a schema. */
const DATA = ['default', 'const', 'enum', 'examples'];

function withoutAnnotations(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, value]) => [key, cleanKeyword(key, value)]));
}

function cleanKeyword(key: string, value: Json): Json {
  if (DATA.includes(key)) return value;
  if (NAME_MAPS.includes(key) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, cleanSchema(schema)]));
  }
  return cleanSchema(value);
}

const cleanSchema = (value: Json): Json =>
  isList(value) ? value.map(cleanSchema) : isObject(value) ? withoutAnnotations(value) : value;
