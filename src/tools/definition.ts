import { dirname, resolve } from 'node:path';
import { type Json, type JsonObject, RISKS, type Risk, type RunSpec, type ToolDefinition } from '../domain/types.js';
import { isList, isObject, objectAt, textsAt } from '../lib/json-values.js';
import { normaliseParameters } from './forms.js';

/**
 * Maps one definition from the keys of tool files to a ToolDefinition, with defaults for what is absent. Total: what
 * has a wrong type is treated as absent, because the schema check reports it.
 */
export function toDefinition(raw: JsonObject, header: JsonObject, source: string): ToolDefinition {
  const name = text(raw.name, '');
  const verify = isObject(raw.verify) ? raw.verify : undefined;
  const undo = isObject(raw.undo) ? raw.undo : undefined;
  const dryRun = isObject(raw.dry_run) ? raw.dry_run : undefined;
  const preview = isObject(raw.preview) ? raw.preview : undefined;
  const run = runOf(raw.run, source);
  return {
    name,
    displayName: text(raw.display_name, name),
    version: text(raw.version, '1.0'),
    description: text(raw.description, ''),
    category: text(raw.category, ''),
    riskLevel: riskOf(raw.risk_level),
    parameters: normaliseParameters(raw.parameters),
    permissions: textsAt(raw, 'permissions'),
    timeoutMs: Math.round(number(raw.timeout_seconds, 30) * 1000),
    memoryLimitMb: number(raw.memory_limit_mb, SANDBOXED.includes(run.kind) ? 512 : 128),
    ...(typeof raw.rate_limit === 'number' && { rateLimit: raw.rate_limit }),
    costPerUse: number(raw.cost_per_use, 0),
    ...(isObject(raw.retry_policy) && { retryPolicy: retryPolicyOf(raw.retry_policy) }),
    dangerous: raw.dangerous === true,
    requiresAuth: raw.requires_auth === true,
    sandboxed: raw.sandboxed === true,
    sessionAware: raw.session_aware === true,
    idempotent: raw.idempotent === true,
    run,
    output: outputOf(objectAt(raw, 'output')),
    fields: fieldsOf(objectAt(raw, 'fields')),
    raise: objects(raw.raise).map((rule) => ({
      when: objectAt(rule, 'when'),
      riskLevel: riskOf(rule.risk_level),
      reason: text(rule.reason, ''),
    })),
    examples: objects(raw.examples).map(exampleOf),
    intents: {
      phrases: textsAt(objectAt(raw, 'intents'), 'phrases'),
      keywords: textsAt(objectAt(raw, 'intents'), 'keywords'),
    },
    requires: [...objects(header.requires), ...objects(raw.requires)].map(requirementOf),
    env: [...new Set([...textsAt(header, 'env'), ...textsAt(raw, 'env')])],
    ...(text(header.instructions, '').trim() !== '' && { instructions: [text(header.instructions, '').trim()] }),
    ...(verify && { verify }),
    ...(undo && { undo }),
    ...(dryRun && { dryRun }),
    ...(preview && { preview }),
    source,
  };
}

const text = (value: Json | undefined, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

const number = (value: Json | undefined, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

const objects = (value: Json | undefined): JsonObject[] => (isList(value) ? value.filter(isObject) : []);

/** An unreadable risk counts as the highest one. */
const riskOf = (value: Json | undefined): Risk => RISKS.find((risk) => risk === value) ?? 'critical';

const retryPolicyOf = (raw: JsonObject): NonNullable<ToolDefinition['retryPolicy']> => ({
  maxRetries: number(raw.max_retries, 0),
  retryIntervalMs: Math.round(number(raw.retry_interval, 1) * 1000),
});

/** Kinds that run in the sandbox: an interpreter needs more memory than the default of other tools. */
const SANDBOXED = ['python', 'wasm'];

/** The `run:` block. The files of a sandboxed kind lie beside the tool file. */
function runOf(raw: Json | undefined, source: string): RunSpec {
  const run = isObject(raw) ? raw : {};
  const kind = text(run.kind, '');
  const beside = (path: Json | undefined) =>
    typeof path === 'string' ? resolve(dirname(source.replace(/:\d+$/, '')), path) : path;
  const paths = ['file', 'module'].filter((key) => SANDBOXED.includes(kind) && Object.hasOwn(run, key));
  return { ...run, ...Object.fromEntries(paths.map((key) => [key, beside(run[key]) as Json])), kind };
}

function outputOf(raw: JsonObject): ToolDefinition['output'] {
  const formats = ['json', 'yaml', 'text', 'table'] as const;
  const parts = ['head', 'tail', 'both'] as const;
  return {
    format: formats.find((format) => format === raw.format) ?? 'text',
    ...(typeof raw.select === 'string' && { select: raw.select }),
    keep: parts.find((part) => part === raw.keep) ?? 'both',
    maxBytes: number(raw.max_bytes, 16_384),
    ...(isObject(raw.summarize) && { summarize: summarizeOf(raw.summarize) }),
  };
}

/** Characters of output that no summary is made of unless a tool says otherwise: HolmesGPT's own default. */
const SUMMARIZE_ABOVE = 1_000;
const PROMPT =
  'Summarize this output for somebody who looks for the cause of a problem: what fails or is unusual, with names, times and messages as they stand; the rest in a few words.';
/** Longest prompt of a summary, in characters. */
export const MAX_PROMPT = 4_000;

const summarizeOf = (raw: JsonObject): NonNullable<ToolDefinition['output']['summarize']> => ({
  aboveChars: number(raw.above_chars, SUMMARIZE_ABOVE),
  prompt: text(raw.prompt, PROMPT),
});

const fieldsOf = (raw: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(raw).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

function exampleOf(raw: JsonObject): ToolDefinition['examples'][number] {
  const request = isObject(raw.request) ? raw.request : undefined;
  return {
    arguments: objectAt(raw, 'arguments'),
    ...(isList(raw.argv) && { argv: textsAt(raw, 'argv') }),
    ...(request && { request: { method: text(request.method, ''), url: text(request.url, '') } }),
    ...(typeof raw.description === 'string' && { description: raw.description }),
  };
}

function requirementOf(raw: JsonObject): ToolDefinition['requires'][number] {
  return {
    ...(isList(raw.command) && { command: textsAt(raw, 'command') }),
    ...(typeof raw.env === 'string' && { env: raw.env }),
    ...(typeof raw.url === 'string' && { url: raw.url }),
    ...(typeof raw.fix === 'string' && { fix: raw.fix }),
  };
}
