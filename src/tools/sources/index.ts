import type { Json, JsonObject } from '../../domain/types.js';
import { isList, isObject } from '../../lib/json-values.js';
import type { YamlPath } from '../../lib/yaml.js';
import { holmesgpt } from './holmesgpt.js';
import { mcp } from './mcp.js';
import { openapi } from './openapi.js';
import type { SourceEntry, SourceKind } from './source.js';

/** The list of source kinds. Adding one: a file beside this, and a line here. */
export const SOURCE_KINDS: readonly SourceKind[] = [openapi, mcp, holmesgpt];

const TEXTS: JsonObject = { type: 'object', additionalProperties: { type: 'string', minLength: 1 } };

/** Vendor adapters: how a vendor's names and values differ from those that people and models use. */
const ADAPTER: JsonObject = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    aliases: {
      description: 'Parameter to (word to value): a word stands for the value that the vendor wants',
      type: 'object',
      additionalProperties: TEXTS,
    },
    inject: {
      description: 'Parameter to context.NAME or env.NAME: what the session knows, and nobody is asked for',
      type: 'object',
      additionalProperties: { type: 'string', pattern: '^(?:context\\.[a-z_]+|env\\.[A-Za-z_][A-Za-z0-9_]*)$' },
    },
    rename: {
      description:
        'Parameter to another name; or one parameter to (its field to parameter), which makes one out of several',
      type: 'object',
      additionalProperties: {
        anyOf: [
          { type: 'string', minLength: 1 },
          { ...TEXTS, minProperties: 1 },
        ],
      },
    },
    file: {
      description:
        'A JavaScript module beside the tool file with transformRequest and transformResponse; runs once it was accepted: opsagent tools accept NAME',
      type: 'string',
      pattern: '\\.m?js$',
    },
  },
};

/** Schema of `sources:` and `adapters:` of a tool file. */
export const sourcesSchema: JsonObject = {
  sources: {
    type: 'array',
    items: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: SOURCE_KINDS.map(({ kind }) => kind) } },
      allOf: SOURCE_KINDS.map(({ kind, specSchema }) => ({
        if: { required: ['kind'], properties: { kind: { const: kind } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: specSchema,
      })),
    },
  },
  adapters: { type: 'object', additionalProperties: ADAPTER },
};

/** The entries of `sources:` in the header of a tool file. */
export function sourcesOf(
  header: JsonObject,
  file: string,
  locate: (path: YamlPath) => { line: number; column: number },
): SourceEntry[] {
  const { sources, adapters, tools: _tools, ...rest } = header;
  const list: readonly Json[] = isList(sources) ? sources : [];
  return list.flatMap((source, index) =>
    isObject(source) && typeof source.kind === 'string'
      ? [
          {
            kind: source.kind,
            source,
            file,
            ...locate(['sources', index]),
            header: rest,
            adapters: isObject(adapters) ? adapters : {},
          },
        ]
      : [],
  );
}
