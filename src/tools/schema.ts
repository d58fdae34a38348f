import type { Executor } from '../domain/ports.js';
import { type JsonObject, RISKS } from '../domain/types.js';
import { MAX_PROMPT } from './definition.js';
import { sourcesSchema } from './sources/index.js';

const TEXT: JsonObject = { type: 'string', minLength: 1 };
const TEXTS: JsonObject = { type: 'array', items: TEXT };
const FLAG: JsonObject = { type: 'boolean' };

/** The pattern of tool names; what every model provider accepts. */
export const NAME_PATTERN = '^[a-z][a-z0-9_]{0,63}$';

const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  ...(required.length > 0 && { required }),
  properties,
});

const described = (description: string, schema: JsonObject): JsonObject => ({ description, ...schema });

const RISK = described('low reads; medium reads that may expose or load; high changes; critical cannot be undone', {
  enum: RISKS,
});

const REQUIREMENT: JsonObject = {
  ...closed({
    command: described('A program that must be on PATH, with arguments that show its version', {
      ...TEXTS,
      minItems: 1,
    }),
    env: described('An environment variable that must be set', TEXT),
    url: described('An address that must answer', TEXT),
    fix: described('What to do when this is missing', TEXT),
  }),
  minProperties: 1,
};

const RETRY_POLICY = closed({
  max_retries: { type: 'integer', minimum: 0, maximum: 10 },
  retry_interval: described('Seconds', { type: 'number', minimum: 0, maximum: 3600 }),
});

const OUTPUT = closed({
  format: { enum: ['json', 'yaml', 'text', 'table'] },
  select: described('JMESPath on the parsed output: what the model reads', TEXT),
  keep: { enum: ['head', 'tail', 'both'] },
  max_bytes: { type: 'integer', minimum: 256, maximum: 1_048_576 },
  summarize: described('With a fast model (model.fast): a longer output reaches the model as a summary by it', {
    ...closed({
      above_chars: described('Characters of output that are not summarised (1000)', {
        ...{ type: 'integer', minimum: 1, maximum: 1_000_000 },
      }),
      prompt: described('What to keep', { ...TEXT, maxLength: MAX_PROMPT }),
    }),
  }),
});

const ENV_NAMES: JsonObject = { type: 'array', items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } };

/** Keys that a tool may leave to `defaults:` of its file. */
const SHARED: JsonObject = {
  version: described('Version of the tool, as text: "1.0"', TEXT),
  category: TEXT,
  permissions: described('What a role must grant: kubernetes:pod:list', TEXTS),
  timeout_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 86_400 },
  timeout: described('The same as timeout_seconds', { type: 'number', exclusiveMinimum: 0, maximum: 86_400 }),
  memory_limit_mb: { type: 'integer', minimum: 1 },
  rate_limit: described('Calls a minute', { type: 'number', exclusiveMinimum: 0 }),
  cost_per_use: described('USD', { type: 'number', minimum: 0 }),
  retry_policy: RETRY_POLICY,
  requires_auth: FLAG,
  sandboxed: FLAG,
  session_aware: FLAG,
  output: OUTPUT,
  env: described('Environment variables that placeholders may read as env.NAME', ENV_NAMES),
  requires: { type: 'array', items: REQUIREMENT },
};

const SHORT_PARAMETER = closed(
  {
    name: TEXT,
    type: { enum: ['string', 'integer', 'number', 'boolean', 'array', 'object'] },
    description: { type: 'string' },
    required: FLAG,
    default: {},
    enum: { type: ['array', 'null'], minItems: 1 },
  },
  ['name', 'type'],
);

const PARAMETERS = described('JSON Schema of the arguments, or a short list of parameters', {
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { items: SHORT_PARAMETER },
  else: { type: 'object', properties: { type: { const: 'object' }, additionalProperties: { const: false } } },
});

const RAISE = closed(
  {
    when: described('JSON Schema over the arguments', { type: 'object' }),
    risk_level: RISK,
    reason: TEXT,
  },
  ['when', 'risk_level', 'reason'],
);

const EXAMPLE = closed(
  {
    description: TEXT,
    arguments: { type: 'object' },
    argv: described('What must come out', { type: 'array', items: { type: 'string' } }),
    request: closed({ method: TEXT, url: TEXT }, ['method', 'url']),
  },
  ['arguments'],
);

const ARGV: JsonObject = { type: 'array', minItems: 1, items: { type: ['string', 'object'] } };

const CONDITION = described('JSON Schema over the arguments', { type: 'object' });

/** A read that goes with a change. */
const READ: JsonObject = {
  argv: ARGV,
  success_exit_codes: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0, maximum: 255 } },
  when: described('JSON Schema over the arguments: only then', { type: 'object' }),
};
const EXPECT = described('JSON Schema over the parsed output; without it the call must end well', { type: 'object' });

const UNDO = described(
  'How the change is taken back: save what is there before, then restore, recreate or remove; or none with the reason',
  closed({
    none: described('Why there is no way back', TEXT),
    save: described('A read of the state that a restore needs', ARGV),
    values: described('Name to JMESPath on what was saved: what {{ saved.name }} means', {
      type: 'object',
      additionalProperties: TEXT,
    }),
    advancing: described('Names of values that a restore moves on, such as a revision: not compared after it', {
      type: 'array',
      items: TEXT,
    }),
    restore: described('For what is there: puts back what was. --filename=- reads what was saved', ARGV),
    recreate: described('For what was there and is gone', ARGV),
    remove: described('For what was not there before', ARGV),
    except: {
      type: 'array',
      items: closed({ when: CONDITION, reason: TEXT }, ['when', 'reason']),
    },
    note: described('What an undo does not bring back', TEXT),
  }),
);

const ONLY_TOOL: JsonObject = {
  name: { type: 'string', pattern: NAME_PATTERN },
  display_name: TEXT,
  description: described('What the model reads to choose this tool', TEXT),
  risk_level: RISK,
  parameters: PARAMETERS,
  dangerous: FLAG,
  idempotent: described(
    'Running it twice does what running it once does: it may be retried although it changes something',
    FLAG,
  ),
  fields: described('Name to JMESPath on the output: what $step.name means', {
    type: 'object',
    additionalProperties: TEXT,
  }),
  raise: { type: 'array', items: RAISE },
  examples: { type: 'array', items: EXAMPLE },
  intents: closed({ phrases: TEXTS, keywords: TEXTS }),
  verify: described('A read that says after a change whether it works', {
    ...closed({ ...READ, tool: TEXT, parameters: { type: 'object' }, expect: EXPECT }),
  }),
  undo: UNDO,
  dry_run: described('A read that says whether the change would be accepted', closed(READ, ['argv'])),
  preview: described(
    'A read that says what the change touches',
    closed({ ...READ, tool: TEXT, parameters: { type: 'object' } }),
  ),
};

/** Schema of one tool definition, with the `run:` blocks of these executors. */
export function toolSchema(executors: readonly Executor[]): JsonObject {
  const kinds = executors.map((executor) => [executor.kind, executor.specSchema] as const);
  const run: JsonObject = {
    type: 'object',
    required: ['kind'],
    properties: { kind: kinds.length > 0 ? { enum: kinds.map(([kind]) => kind) } : { not: {} } },
    ...(kinds.length > 0 && {
      allOf: kinds.map(([kind, specSchema]) => ({
        if: { required: ['kind'], properties: { kind: { const: kind } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: specSchema,
      })),
    }),
  };
  return closed({ ...ONLY_TOOL, ...SHARED, run }, ['name', 'description', 'risk_level', 'run']);
}

/** Schema of a file with a `tools:` list, without the tools themselves. */
export const headerSchema: JsonObject = closed({
  $schema: TEXT,
  version: described('Version of the file format', { const: 1 }),
  system: described('The system that the tools are for; the default category', TEXT),
  description: TEXT,
  instructions: described('For the model, when a tool of this file is offered', TEXT),
  env: ENV_NAMES,
  requires: { type: 'array', items: REQUIREMENT },
  defaults: closed(SHARED),
  definitions: described('Free: a place for YAML anchors', {}),
  ...sourcesSchema,
  tools: { type: 'array', items: { type: 'object' } },
});

/** The schema of a whole tool file, for editors: a file with `tools:`, a single tool, or a map of name to tool. */
export function toolFileSchema(executors: readonly Executor[]): JsonObject {
  const tool = toolSchema(executors);
  const properties = headerSchema.properties as JsonObject;
  const named: JsonObject = { $ref: '#/$defs/tool' };
  const inMap: JsonObject = { ...tool, required: ['description', 'risk_level', 'run'] };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tool file of opsagent',
    if: { anyOf: ['tools', 'system', 'sources', 'adapters', 'defaults'].map((key) => ({ required: [key] })) },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { ...headerSchema, properties: { ...properties, tools: { type: 'array', items: named } } },
    else: {
      if: { required: ['name'], properties: { name: { type: 'string' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: named,
      else: { type: 'object', additionalProperties: { $ref: '#/$defs/toolInMap' } },
    },
    $defs: { tool, toolInMap: inMap },
  };
}
