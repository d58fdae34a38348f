import type { Approver, ChangeGuard } from '../domain/ports.js';
import type { Approval, Decision, JsonObject, RunSpec, ToolCall, ToolDefinition, ToolResult } from '../domain/types.js';
import { deadline } from '../lib/deadline.js';
import { fillJson, lookupIn } from '../lib/template.js';
import { rank } from '../policy/rank.js';
import type { ToolCallDeps } from './call-end.js';
import type { Pinned } from './change-pin.js';
import { type ReadSpec, readsInput } from './change-spec.js';
import type { UndoStore } from './change-store.js';
import { createResultStore, type ResultStore } from './results.js';
import { runToolCall } from './tool-call.js';

/** What the care of changes needs of a session. */
export interface Care extends Pinned {
  readonly deps: ToolCallDeps;
  readonly store: UndoStore;
  /** Ids for the calls that go with a change. */
  readonly nextId: () => string;
}

/** A read beside a question ends within this time, in ms. */
export const READ_DEADLINE_MS = 10_000;
/** Largest state that is saved, in bytes. */
const MAX_SAVED_BYTES = 4 * 1024 * 1024;

/** Nothing is looked at, saved or checked for the calls that do these things themselves. */
const NO_CARE: ChangeGuard = {
  inspect: async () => ({}),
  save: async () => undefined,
  verify: async () => undefined,
};

interface ReadOptions {
  readonly signal: AbortSignal;
  /** A person said yes to the change itself, or asked for its undo: its reads need no question of their own. */
  readonly approved?: boolean;
  readonly results?: ResultStore;
  /** In ms; the tool's own when left out. */
  readonly deadlineMs?: number;
}

/** Runs the argv of a change's key as a recorded read of its own: `args` fill it, and its input is that of the change. */
export function readByArgv(
  care: Care,
  call: ToolCall,
  spec: Pick<ReadSpec, 'argv' | 'successExitCodes'> & { readonly what: string },
  args: JsonObject,
  options: ReadOptions,
): Promise<ToolResult> {
  const run = runOf(call.tool, spec.argv as RunSpec[string], spec.successExitCodes);
  const tool: ToolDefinition = {
    ...call.tool,
    name: `${call.tool.name}_${spec.what}`,
    description: `The ${spec.what.replace('_', ' ')} of ${call.tool.name}.`,
    riskLevel: 'low',
    permissions: [],
    timeoutMs: options.deadlineMs ?? call.tool.timeoutMs,
    costPerUse: 0,
    retryPolicy: { maxRetries: 0, retryIntervalMs: 0 },
    run,
    // What is saved is not repeated in the log: its size and digest stand there.
    output: { format: 'text', keep: 'head', maxBytes: options.results ? 0 : call.tool.output.maxBytes },
    raise: [],
    fields: {},
  };
  const id = care.nextId();
  const action = planWith(care, tool, args);
  return read(care, call, { id, tool, args, repairs: [], action, parentId: call.id }, options);
}

/** Runs another tool of the registry as a recorded read. */
export function readByTool(
  care: Care,
  call: ToolCall,
  spec: Pick<ReadSpec, 'tool' | 'parameters'>,
  options: ReadOptions,
): Promise<ToolResult> {
  const parameters = fillJson(spec.parameters, lookupIn(call.args, care.planContext)) ?? {};
  const raw = { id: care.nextId(), name: spec.tool ?? '', rawArguments: JSON.stringify(parameters), parentId: call.id };
  return runToolCall(readDeps(care, call, options), raw, signalOf(options));
}

function read(care: Care, parent: ToolCall, prepared: ToolCall, options: ReadOptions): Promise<ToolResult> {
  const deps = { ...readDeps(care, parent, options), prepare: () => ({ ok: true as const, call: prepared }) };
  const raw = {
    id: prepared.id,
    name: prepared.tool.name,
    rawArguments: JSON.stringify(prepared.args),
    parentId: parent.id,
  };
  return runToolCall(deps, raw, signalOf(options));
}

const signalOf = ({ signal, deadlineMs }: ReadOptions): AbortSignal =>
  deadlineMs === undefined ? signal : AbortSignal.any([signal, deadline(deadlineMs)]);

/** The path for reads that go with a change: not shown, never asked for, refused when they would be more than reads. */
function readDeps({ deps, nextId }: Care, parent: ToolCall, { approved = false, results }: ReadOptions): ToolCallDeps {
  const part: Approval = { granted: true, by: 'grant', note: `as a part of ${parent.id}` };
  const approver: Approver = { ask: async () => (approved ? part : { granted: false, by: 'no-terminal' }) };
  return {
    ...deps,
    approver,
    change: NO_CARE,
    nextCallId: nextId,
    emit: () => undefined,
    decide: async (call) => onlyReads(await deps.decide(call), approved),
    ...(results && { results }),
  };
}

function onlyReads(decision: Decision, approved: boolean): Decision {
  const isRead = rank(decision.risk) <= rank('medium');
  if (decision.effect === 'deny' || (isRead && (decision.effect === 'allow' || approved))) return decision;
  const reason = isRead
    ? 'it would need a question of its own'
    : `only reads run beside a change, and this is ${decision.risk}`;
  const rule = { id: 'change.only-reads', effect: 'deny' as const, reason };
  return { ...decision, effect: 'deny', reason, rules: [rule, ...decision.rules] };
}

/** How an argv of a tool's key runs: as the tool itself, with its environment, and its input where it reads any. */
export function runOf(tool: ToolDefinition, argv: RunSpec[string], successExitCodes?: readonly number[]): RunSpec {
  const { env, cwd, stdin } = tool.run;
  return {
    kind: 'command',
    argv,
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
    ...(stdin !== undefined && readsInput(argv as readonly string[]) && { stdin }),
    ...(successExitCodes && { success_exit_codes: successExitCodes }),
  };
}

/** Plans a tool that is in no registry. */
export function planWith({ deps, planContext }: Care, tool: ToolDefinition, args: JsonObject): ToolCall['action'] {
  const executor = deps.executors.get(tool.run.kind);
  if (!executor) throw new Error(`bug: there is no executor for ${tool.run.kind}`);
  const env = Object.fromEntries(Object.entries(planContext.env).filter(([name]) => tool.env.includes(name)));
  return executor.plan(tool.run, args, { ...planContext, env });
}

export type StateRead =
  | { readonly ok: true; readonly callId: string; readonly output: string }
  | { readonly ok: false; readonly callId: string; readonly message: string };

/** Programs' words for "there is no such object": kubectl 1.20–1.34, docker 20.10–29. */
const NOT_FOUND = /^Error from server \(NotFound\)|\bNo such (container|object|image|network|volume)\b/im;

/**
 * Reads the state that a change is about to change, or has changed, with true values: whole, up to 4 MiB, in memory only.
 * What is not found is the output ''.
 */
export async function readState(
  care: Care,
  call: ToolCall,
  save: ReadSpec['argv'],
  args: JsonObject,
  options: ReadOptions,
): Promise<StateRead> {
  const memory = createResultStore(undefined, {
    stream: () => ({ write: (chunk) => chunk, end: () => new Uint8Array() }),
  });
  const results: ResultStore = { ...memory, capture: (id) => memory.capture(id, MAX_SAVED_BYTES) };
  const spec = { ...(save && { argv: save }), what: 'save' };
  const result = await readByArgv(care, call, spec, args, { deadlineMs: READ_DEADLINE_MS, ...options, results });
  const { callId } = result;
  const stored = results.get(callId);
  if (result.status !== 'ok') {
    const isGone = result.status === 'failed' && NOT_FOUND.test(stored?.errorText ?? '');
    return isGone ? { ok: true, callId, output: '' } : { ok: false, callId, message: messageIn(result) };
  }
  const output = await stored?.readText(MAX_SAVED_BYTES);
  return output === undefined
    ? { ok: false, callId, message: 'it is larger than 4 MiB' }
    : { ok: true, callId, output };
}

/** Why a read did not end well, in words. */
export const messageIn = ({ status, error, text }: ToolResult): string =>
  status === 'cancelled' ? 'it was interrupted, or did not answer in time' : (error?.message ?? text).trim();
