import { messageOf, OpsError } from '../domain/errors.js';
import type { Executor, PlanContext } from '../domain/ports.js';
import type { Action, CallError, Json, JsonObject, RawCall, ToolCall, ToolDefinition } from '../domain/types.js';
import { explainProblems } from '../lib/explain-schema.js';
import { compileSchema } from '../lib/json-schema.js';
import { isObject, mapTexts, objectAt, showValue, textsAt } from '../lib/json-values.js';
import { concealing, type Hide, hideArguments } from '../lib/secret-arguments.js';
import { parseArguments } from './arguments.js';
import { interactiveAdvice } from './interactive.js';
import { defaultsOf } from './parameters.js';
import type { Registry } from './registry.js';
import { repairArguments } from './repair.js';

type RewriteManifests = (args: JsonObject, tool: ToolDefinition) => { args: JsonObject; notes: readonly string[] };

export interface PrepareOptions {
  /** Reads Kubernetes manifests among the arguments; without it a tool that takes one does not run. It is large: see `hasManifest`. */
  readonly rewriteManifests?: RewriteManifests;
  readonly registry: Pick<Registry, 'get' | 'nearestNames'>;
  readonly executors: readonly Executor[];
  readonly planContext: PlanContext;
  /** Hides secrets in arguments, and says what stands behind a reference such as `<secret:1>`. Left out where there are none. */
  readonly secrets?: { readonly hide: Hide; readonly reveal: Hide };
  /** Says what a tool lacks on this machine, with the fix. Left out where tools run elsewhere: on a dump, say. */
  readonly unmetRequirement?: (tool: ToolDefinition) => string | undefined;
}

export type Prepared =
  | { readonly ok: true; readonly call: ToolCall }
  | {
      readonly ok: false;
      readonly status: 'unknown-tool' | 'invalid-arguments' | 'unavailable';
      /** What the model or the person can do about it. */
      readonly message: string;
      /** For `unavailable`: whether a person must mend the set-up, or a service does not answer. */
      readonly exit?: NonNullable<CallError['exit']>;
    };

const NO_SECRETS = { hide: (text: string) => text, reveal: (text: string) => text };
const MAX_LISTED = 20;
const MAX_PROBLEMS = 12;

/**
 * Turns untrusted model output into a call that is fully understood, or into a message that can be acted on. Never
 * throws for what the call holds. Nothing is dropped or clamped silently: each correction stands in `repairs`.
 */
export function prepare(options: PrepareOptions, raw: RawCall): Prepared {
  const { hide, reveal } = options.secrets ?? NO_SECRETS;
  const tool = options.registry.get(raw.name);
  if (!tool)
    return refuse('unknown-tool', unknownTool(raw.name, options.registry.nearestNames(raw.name.slice(0, 100))));
  const executor = options.executors.find(({ kind }) => kind === tool.run.kind);
  if (!executor) return refuse('unavailable', `${tool.name} cannot run: it ${missingKind(tool.run.kind)}.`);

  const parsed = parseArguments(raw.rawArguments);
  if (!parsed.ok) return refuse('invalid-arguments', describe(tool, [parsed.message]));
  const { args: valid, repairs } = completeArguments(parsed.args, tool, options.planContext);
  const wrong = attempt(() => problemsOf(valid, tool, reveal));
  const sentences = typeof wrong === 'string' ? [wrong] : wrong;
  if (sentences.length > 0) return refuse('invalid-arguments', describe(tool, sentences));
  if (hasManifest(tool) && !options.rewriteManifests)
    return refuse('unavailable', `${tool.name} cannot run: nothing reads its manifest.`);
  const rewritten = attempt(() => options.rewriteManifests?.(valid, tool) ?? { args: valid, notes: [] });
  if (typeof rewritten === 'string') return refuse('invalid-arguments', describe(tool, [rewritten]));
  const { notes } = rewritten;
  const args = hideArguments(rewritten.args, hide);
  const planned = plan(executor, tool, args, options.planContext);
  if (typeof planned === 'string') return refuse('invalid-arguments', describe(tool, [planned]));
  const advice = planned.kind === 'command' ? interactiveAdvice(planned.tokens) : undefined;
  if (advice !== undefined) return refuse('invalid-arguments', `${tool.name} did not run: ${advice}`);
  const unmet = options.unmetRequirement?.(tool) ?? executor.unavailable?.(tool.run);
  if (unmet !== undefined) return refuse('unavailable', `${tool.name} cannot run: ${unmet}`);
  const parent = raw.parentId === undefined ? {} : { parentId: raw.parentId };
  return {
    ok: true,
    call: {
      id: raw.id,
      ...parent,
      tool,
      args,
      repairs: [...repairs, ...notes].map(hide),
      action: planned,
    },
  };
}

/** Whether a tool takes a Kubernetes manifest, which has to be read before anything judges the call. */
export const hasManifest = (tool: ToolDefinition): boolean =>
  Object.values(objectAt(tool.parameters, 'properties')).some(
    (schema) => isObject(schema) && schema['x-format'] === 'kubernetes-manifest',
  );

const refuse = (status: 'unknown-tool' | 'invalid-arguments' | 'unavailable', message: string): Prepared => ({
  ok: false,
  status,
  message,
});

const missingKind = (kind: string): string => `is of the kind "${kind}", which this version cannot run`;

function unknownTool(name: string, near: readonly string[]): string {
  const hint = near.length === 0 ? 'Use one of the tools that were offered.' : `Did you mean ${near.join(' or ')}?`;
  return `There is no tool called ${showValue(name)}. ${hint}`;
}

/** Repairs, then what the session knows, then the defaults. */
function completeArguments(
  given: JsonObject,
  tool: ToolDefinition,
  { context }: PlanContext,
): { args: JsonObject; repairs: readonly string[] } {
  const repaired = repairArguments(given, tool);
  const notes: string[] = [];
  const properties = objectAt(tool.parameters, 'properties');
  const known = Object.keys(properties).flatMap((name): [string, Json][] => {
    const { 'x-context': source, 'x-context-unless': unless } = objectAt(properties, name);
    const value = typeof source === 'string' && Object.hasOwn(context, source) ? context[source] : undefined;
    if (value === undefined || value === '' || Object.hasOwn(repaired.args, name)) return [];
    if (typeof unless === 'string' && repaired.args[unless] === true) return [];
    notes.push(`${name} = ${showValue(value)}, from the session`);
    return [[name, value]];
  });
  const args = { ...defaultsOf(tool.parameters), ...Object.fromEntries(known), ...repaired.args };
  return { args, repairs: [...repaired.repairs, ...notes] };
}

/** What the schema says of the arguments with the values behind references; the sentences show the references. */
function problemsOf(args: JsonObject, tool: ToolDefinition, reveal: Hide): string[] {
  const meant = mapTexts(args, reveal);
  const conceal = concealing(args, reveal);
  return explainProblems(compileSchema(tool.parameters)(meant), meant, 'The call').map(({ message, fix }) =>
    conceal(fix === undefined ? message : `${message} ${fix}`),
  );
}

/** The action, or why it cannot be planned. The executor sees only the environment names that the tool's file lists. */
function plan(executor: Executor, tool: ToolDefinition, args: JsonObject, context: PlanContext): Action | string {
  const env = Object.fromEntries(Object.entries(context.env).filter(([name]) => tool.env.includes(name)));
  return attempt(() => executor.plan(tool.run, args, { ...context, env }));
}

/** What `work` gives, or the message of its OpsError. */
function attempt<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof OpsError) return messageOf(error);
    throw error;
  }
}

function describe(tool: ToolDefinition, problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `- ${problem}`);
  const more = problems.length > MAX_PROBLEMS ? [`- and ${problems.length - MAX_PROBLEMS} more`] : [];
  return [`${tool.name} did not run: its arguments are not valid.`, ...shown, ...more, expected(tool)].join('\n');
}

function expected(tool: ToolDefinition): string {
  const required = textsAt(tool.parameters, 'required');
  const properties = objectAt(tool.parameters, 'properties');
  const names = Object.keys(properties);
  if (names.length === 0) return 'It takes no parameters.';
  const parts = names.slice(0, MAX_LISTED).map((name) => {
    const schema = objectAt(properties, name);
    const values = schema.enum === undefined ? '' : `, one of ${showValue(schema.enum, 120)}`;
    const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any');
    return `${name} (${type}${values}${required.includes(name) ? ', required' : ''})`;
  });
  return `Parameters: ${parts.join('; ')}${names.length > MAX_LISTED ? '; …' : ''}.`;
}
