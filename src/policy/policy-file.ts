import type { Effect, Json, JsonObject } from '../domain/types.js';
import type { Rule } from './rules.js';

/** An entry of `rules` as it stands in the file. */
export interface RawRule {
  readonly id: string;
  readonly effect: Effect;
  readonly reason: string;
  readonly tokens?: NonNullable<Rule['tokens']>;
  readonly match?: JsonObject;
  readonly expires?: string;
  readonly examples: { readonly match: readonly Json[]; readonly not_match?: readonly Json[] };
}

/** A policy file whose shape is right. */
export interface RawPolicyFile {
  readonly rules?: readonly RawRule[];
  readonly roles?: Readonly<Record<string, { readonly permissions: readonly string[] }>>;
  readonly bindings?: readonly {
    readonly role: string;
    readonly users?: readonly string[];
    readonly groups?: readonly string[];
  }[];
}

const NAME = '[A-Za-z0-9][A-Za-z0-9._-]*';
const TEXT = { type: 'string', minLength: 1 };
const TOKEN = { anyOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'string' } }] };
const EXAMPLES = {
  type: 'array',
  minItems: 1,
  items: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'object' }] },
};

const RULE = {
  type: 'object',
  required: ['id', 'effect', 'reason', 'examples'],
  anyOf: [{ required: ['tokens'] }, { required: ['match'] }],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]*$' },
    effect: { enum: ['allow', 'confirm', 'deny'] },
    reason: TEXT,
    tokens: {
      type: 'array',
      minItems: 1,
      items: TOKEN,
      description: 'Items of the argv; * stands for any characters, an inner list for alternatives',
    },
    match: { type: 'object', description: 'JSON Schema over the input document' },
    expires: {
      type: 'string',
      description: 'The rule ends with this day (UTC), or at this time: 2026-12-31, or 2026-12-31T18:00:00+01:00',
      anyOf: [{ format: 'date' }, { format: 'date-time' }],
    },
    examples: {
      type: 'object',
      required: ['match'],
      additionalProperties: false,
      properties: { match: EXAMPLES, not_match: EXAMPLES },
    },
  },
};

const ROLE = {
  type: 'object',
  required: ['permissions'],
  additionalProperties: false,
  properties: {
    description: { type: 'string' },
    permissions: {
      type: 'array',
      minItems: 1,
      description: 'kubernetes:pod:list; * stands for one whole segment, as the last one for all that follow',
      items: { type: 'string', pattern: `^(\\*|${NAME})(:(\\*|${NAME}))*$` },
    },
  },
};

const BINDING = {
  type: 'object',
  required: ['role'],
  anyOf: [{ required: ['users'] }, { required: ['groups'] }],
  additionalProperties: false,
  properties: {
    role: { type: 'string' },
    users: { type: 'array', minItems: 1, items: TEXT, description: 'Names of accounts; * is everybody' },
    groups: { type: 'array', minItems: 1, items: TEXT, description: 'Groups of the operating system' },
  },
};

/** JSON Schema of a policy file. */
export const POLICY_FILE_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['version'],
  additionalProperties: false,
  properties: {
    version: { const: 1 },
    description: { type: 'string' },
    rules: { type: 'array', items: RULE },
    roles: { type: 'object', patternProperties: { [`^${NAME}$`]: ROLE }, additionalProperties: false },
    bindings: { type: 'array', items: BINDING },
  },
};
