import type { RunContext, RunOutcome } from '../domain/ports.js';
import type { CallError, Json, JsonObject, ToolResult } from '../domain/types.js';
import { runDag, type StepEnd } from '../lib/dag.js';
import { deadline as deadlineAfter } from '../lib/deadline.js';
import { query } from '../lib/jmespath.js';
import { fillReferences, parseReference, type Reference, referencesIn } from '../lib/references.js';
import { fillJson, holds, type Lookup, lookupIn } from '../lib/template.js';
import { defineExecutor, runSchema } from './define.js';

interface StepSpec {
  readonly id: string;
  readonly tool: string;
  readonly parameters?: JsonObject;
  readonly depends_on?: readonly string[];
  readonly when?: string;
  readonly for_each?: string;
  readonly optional?: boolean;
}

interface WorkflowSpec {
  readonly steps: readonly StepSpec[];
  readonly answer?: string;
}

interface WorkflowPayload extends WorkflowSpec {
  readonly arguments: JsonObject;
  readonly context: Readonly<Record<string, string>>;
  /** Names that the tool file lists; `when: env.X` asks whether one is set. */
  readonly env: Readonly<Record<string, string>>;
}

/** Steps of one workflow that run at the same time; each is a process or a request. */
const PARALLELISM = Math.min(Math.max(Number(process.env.TOOL_PARALLELISM) || 5, 1), 32);
/** A `for_each` over more than this is a mistake in the workflow or a flood. */
const MAX_REPEATS = 50;

/** `kind: workflow`: a DAG of other tools; every step is a call of its own on the one path. */
export const workflow = defineExecutor<WorkflowSpec, WorkflowPayload>({
  kind: 'workflow',
  specSchema: runSchema('workflow', ['steps'], {
    steps: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['id', 'tool'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
          tool: { type: 'string' },
          parameters: { type: 'object' },
          depends_on: { type: 'array', items: { type: 'string' } },
          when: { type: 'string' },
          for_each: { type: 'string' },
          optional: { type: 'boolean' },
        },
      },
    },
    answer: { type: 'string' },
  }),
  plan(spec, args, context) {
    const lookup = lookupIn(args, context);
    const shown = spec.steps.map((step) => `${step.id}: ${step.tool} ${shownParameters(step, lookup)}`);
    return {
      kind: 'workflow',
      tokens: ['workflow', ...spec.steps.map((step) => step.tool)],
      display: shown.join('\n'),
      payload: { ...spec, arguments: args, context: context.context, env: context.env },
    };
  },
  run: (_call, payload, context) => runWorkflow(payload, context),
});

const shownParameters = (step: StepSpec, lookup: Lookup): string =>
  JSON.stringify(
    fillReferences(
      step.parameters ?? {},
      (r) => `$${r.step}.${r.path}`,
      (text) => fillJson(text, lookup),
    ),
  );

interface StepState {
  readonly results: readonly ToolResult[];
  readonly repeated: boolean;
}

async function runWorkflow(payload: WorkflowPayload, outer: RunContext): Promise<RunOutcome> {
  const deadline = deadlineAfter(outer.timeoutMs);
  const context = { ...outer, signal: AbortSignal.any([outer.signal, deadline]) };
  const states = new Map<string, StepState>();
  const scope = { resolve: resolver(states, context), lookup: lookupIn(payload.arguments, payload) };
  const steps = payload.steps.map((step) => ({ ...step, dependsOn: dependenciesOf(step) }));
  let failure: CallError | undefined;

  await runDag({
    steps,
    parallelism: PARALLELISM,
    signal: context.signal,
    onSkip: () => undefined,
    run: async (step): Promise<StepEnd> => {
      const results = await runStep(step, scope, context);
      states.set(step.id, { results, repeated: step.for_each !== undefined });
      const broken = results.find((result) => result.status !== 'ok');
      if (!broken || step.optional) return 'done';
      failure ??= broken.error ?? { category: 'execution', message: `${broken.tool} ${broken.status}: ${broken.text}` };
      return 'failed';
    },
  });
  if (outer.signal.aborted) return { status: 'cancelled', error: { category: 'cancelled', message: 'interrupted' } };
  if (deadline.aborted) return { status: 'timed-out', error: lateError(outer.timeoutMs) };

  const answer = payload.answer === undefined ? undefined : await answerOf(payload.answer, scope.resolve);
  if (answer !== undefined) context.write(answer);
  if (failure) return { status: 'failed', error: failure };
  if (payload.answer === undefined) context.write(summaryOf(states));
  return { status: 'ok' };
}

const lateError = (timeoutMs: number): CallError => ({
  category: 'execution',
  message: `the workflow did not end within ${timeoutMs / 1000} s; its steps were stopped`,
  hint: 'Raise timeout_seconds of the workflow, or ask for less.',
});

type Resolve = (reference: Reference) => Promise<Json | undefined>;

interface Scope {
  readonly resolve: Resolve;
  readonly lookup: Lookup;
}

async function runStep(step: StepSpec, scope: Scope, context: RunContext): Promise<ToolResult[]> {
  if (step.when !== undefined && !(await isWanted(step.when, scope))) return [];
  const each = step.for_each === undefined ? [undefined] : await elementsOf(step.for_each, scope.resolve);
  const known = await resolveAll(step.parameters ?? {}, scope.resolve);
  const calls = each.map((item) => {
    const filled = fillReferences(
      step.parameters ?? {},
      (reference) => (reference.step === 'item' ? pick(item, reference.path) : known.get(keyOf(reference))),
      (text) => fillJson(text, scope.lookup),
    );
    return context.call(step.tool, (filled ?? {}) as JsonObject, context.signal);
  });
  return Promise.all(calls);
}

/** A condition is a parameter's name or a reference to a step, `!` negates it. */
async function isWanted(when: string, scope: Scope): Promise<boolean> {
  const reference = parseReference(when.replace(/^!/, ''));
  if (!reference) return holds(when, scope.lookup);
  const value = await scope.resolve(reference);
  return holds(when.startsWith('!') ? '!x' : 'x', () => value);
}

async function elementsOf(forEach: string, resolve: Resolve): Promise<Json[]> {
  const reference = parseReference(forEach);
  const value = reference && (await resolve(reference));
  return Array.isArray(value) ? value.slice(0, MAX_REPEATS) : [];
}

async function resolveAll(parameters: JsonObject, resolve: Resolve): Promise<Map<string, Json | undefined>> {
  const references = referencesIn(parameters).filter((reference) => reference.step !== 'item');
  return new Map(await Promise.all(references.map(async (r) => [keyOf(r), await resolve(r)] as const)));
}

const keyOf = (reference: Reference): string => `${reference.step}.${reference.path}`;

const pick = (item: Json | undefined, path: string): Json | undefined =>
  item === undefined ? undefined : path === '' ? item : query(path, item);

/** The steps a step waits for: those it names and those it refers to. */
export function dependenciesOf(step: StepSpec): string[] {
  const texts: Json[] = [step.parameters ?? {}, step.when?.replace(/^!/, '') ?? '', step.for_each ?? ''];
  const referred = referencesIn(texts).map((reference) => reference.step);
  return [...new Set([...(step.depends_on ?? []), ...referred])].filter((id) => id !== 'item');
}

function resolver(states: ReadonlyMap<string, StepState>, context: RunContext): Resolve {
  const one = async (result: ToolResult, path: string): Promise<Json | undefined> => {
    if (path === '' || path === 'text') return result.text;
    if (path === 'id') return result.callId;
    if (path === 'status') return result.status;
    if (path === 'ok') return result.status === 'ok';
    const stored = context.result(result.callId);
    const data = await stored?.readData();
    return data === undefined ? undefined : query(stored?.fields[path] ?? path, data);
  };
  return async ({ step, path }) => {
    const state = states.get(step);
    if (!state) return undefined;
    if (state.repeated) return Promise.all(state.results.map(async (result) => (await one(result, path)) ?? null));
    const [result] = state.results;
    return result && one(result, path);
  };
}

async function answerOf(answer: string, resolve: Resolve): Promise<string | undefined> {
  const reference = parseReference(answer);
  if (!reference) return answer;
  const value = await resolve(reference);
  return value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
}

const summaryOf = (states: ReadonlyMap<string, StepState>): string =>
  [...states]
    .map(([id, { results }]) => `${id}: ${results.map((r) => `${r.callId} ${r.status}`).join(', ')}`)
    .join('\n');
