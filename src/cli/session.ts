import { approveByFlag, type YesFlag } from '../agent/approval.js';
import { approveByGrant, grantableOf, placeOf } from '../agent/grants.js';
import type { ResultStore } from '../agent/results.js';
import { createTaint, type Taint } from '../agent/taint.js';
import { refuseToolCall, runToolCall, type ToolCallDeps } from '../agent/tool-call.js';
import type { AgentEvent } from '../domain/events.js';
import type { PlanContext } from '../domain/ports.js';
import type {
  Decision,
  JsonObject,
  Mode,
  RawCall,
  Risk,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from '../domain/types.js';
import type { Config } from '../lib/config.js';
import { readSecret } from '../lib/secrets.js';
import type { Budgets } from '../limits/budget.js';
import { rank } from '../policy/rank.js';
import { hasManifest, prepare } from '../tools/prepare.js';
import type { Registry } from '../tools/registry.js';
import type { Ui } from '../ui/ui.js';
import { createDecider } from './decider.js';
import type { Io } from './io.js';
import { createRequirements, type Requirements } from './requirements.js';
import { loadParts, type SessionParts } from './session-parts.js';
import type { Toolbox } from './toolbox.js';

/** Flags that say how a session may act; the same for every command that runs tools. */
export interface SessionOptions {
  readonly yes?: YesFlag;
  readonly maxRisk?: { readonly risk: Risk; readonly flag: string };
  readonly mode?: Mode;
  readonly dump?: string;
  readonly context?: string;
  readonly namespace?: string;
  /** What one request may cost, in US dollars. */
  readonly maxCost?: number;
  /** What one request may take, in tokens. */
  readonly maxTokens?: number;
  readonly toolDirs: readonly string[];
  readonly policyDirs: readonly string[];
}

export interface Session {
  readonly id: string;
  readonly toolbox: Toolbox;
  readonly registry: Registry;
  readonly runnable: SessionParts['runnable'];
  readonly finder: SessionParts['finder'];
  readonly config: Config;
  readonly results: ResultStore;
  /** Every call that ended, in order, steps of workflows included. */
  readonly finished: readonly ToolResult[];
  readonly planContext: PlanContext;
  readonly nextCallId: () => string;
  readonly run: (raw: RawCall, signal?: AbortSignal) => Promise<ToolResult>;
  readonly refuse: (raw: RawCall, why: string) => Promise<ToolResult>;
  /** Runs one tool by name with arguments; a shorthand for scripts and commands. */
  readonly call: (tool: string, args: JsonObject) => Promise<ToolResult>;
  readonly emit: (event: AgentEvent) => void;
  /** Takes the person's own words: what they name may be acted on. */
  readonly say: (text: string) => void;
  /** Switches the mode for the calls that follow. */
  readonly setMode: (mode: Mode) => void;
  readonly requirements: Requirements;
  readonly budgets: Budgets;
  readonly close: () => void;
}

/**
 * Opens a session: tools, policies, audit log, and the one path wired together.
 * @throws OpsError when tool files, policies, the dump or the audit log cannot be used; nothing runs then.
 */
export async function openSession(io: Io, options: SessionOptions, ui: Ui): Promise<Session> {
  const parts = await loadParts(io, options);
  const { actor, registry, planContext, results } = parts;
  const state = newState(parts.mode, ui);
  parts.gate.budgets.onSpent((spent) => state.emit({ type: 'spent', ...spent }));
  const requirements = createRequirements({
    env: io.env,
    cacheDir: io.paths.cache,
    runCheck: (check) => runCheck(check),
  });
  const deps = callDeps(io, options, ui, parts, state, requirements);
  const runCheck = checkRunner(deps, planContext, io.signal);
  const run = (raw: RawCall, signal: AbortSignal = io.signal) => runToolCall(deps, raw, signal);
  const { nextCallId, emit, finished } = state;
  return {
    id: actor.sessionId,
    toolbox: parts.toolbox,
    registry,
    runnable: parts.runnable,
    finder: parts.finder,
    config: parts.config,
    results,
    finished,
    planContext,
    nextCallId,
    run,
    refuse: (raw, why) => refuseToolCall(deps, raw, why),
    call: (name, args) => run({ id: nextCallId(), name, rawArguments: JSON.stringify(args) }),
    emit,
    say: state.taint.say,
    setMode: state.setMode,
    requirements,
    budgets: parts.gate.budgets,
    close: parts.audit.close,
  };
}

/** What changes while a session goes on. */
interface SessionState {
  readonly finished: ToolResult[];
  readonly taint: Taint;
  readonly nextCallId: () => string;
  readonly emit: (event: AgentEvent) => void;
  readonly mode: () => Mode;
  readonly setMode: (mode: Mode) => void;
}

function newState(firstMode: Mode, ui: Ui): SessionState {
  const finished: ToolResult[] = [];
  const taint = createTaint();
  let mode = firstMode;
  return {
    finished,
    taint,
    nextCallId: counter('c'),
    emit(event) {
      if (event.type === 'call-finished') {
        finished.push(event.result);
        taint.read(event.result.text);
      }
      ui.emit(event);
    },
    mode: () => mode,
    setMode: (next) => {
      mode = next;
    },
  };
}

/** The one path, wired for a session. */
function callDeps(
  io: Io,
  options: SessionOptions,
  ui: Ui,
  parts: SessionParts,
  state: SessionState,
  requirements: Requirements,
): ToolCallDeps {
  const clock = { now: () => new Date() };
  return {
    actor: parts.actor,
    prepare: preparer(parts, requirements, options.dump === undefined),
    decide: createDecider({ ...parts, redactor: parts.gate.redactor, taint: state.taint, mode: state.mode }),
    approver: approveByFlag(options.yes, approveByGrant(clock, grantableIn(parts.planContext), ui.approver)),
    audit: parts.audit,
    executors: parts.executors,
    results: parts.results,
    ...parts.gate,
    clock,
    secret: (name) => readSecret(name, io.env, io.paths.config),
    nextCallId: state.nextCallId,
    emit: state.emit,
  };
}

/** What a yes for a kind of call covers here, bound to the cluster or daemon of the session. */
const grantableIn =
  ({ context }: PlanContext) =>
  (call: ToolCall, decision: Decision) =>
    grantableOf(call, decision, placeOf(decision.classification, context));

function counter(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}${++count}`;
}

/** Prepares calls with what this session knows: its tools, its cluster, and what this machine lacks. */
function preparer(parts: SessionParts, requirements: Requirements, isLive: boolean): ToolCallDeps['prepare'] {
  const executors = [...parts.executors.values()];
  return async (raw) => {
    const tool = parts.registry.get(raw.name);
    const manifests = tool && hasManifest(tool) ? await import('../tools/manifest.js') : {};
    const given = { registry: parts.registry, executors, planContext: parts.planContext, ...manifests };
    // A dump answers for kubectl, so nothing needs to be installed here.
    const prepared = prepare(
      { ...given, unmetRequirement: (one) => (isLive ? requirements.missing(one) : changeOnDump(one)) },
      raw,
    );
    if (!prepared.ok || !tool || !isLive) return prepared;
    const lack = await requirements.unmet(tool);
    if (!lack) return prepared;
    return { ok: false, status: 'unavailable', exit: lack.exit, message: `${tool.name} cannot run: ${lack.reason}` };
  };
}

/** Runs the checks of requirements: calls on the same path, with ids of their own, not shown. */
function checkRunner(deps: ToolCallDeps, planContext: PlanContext, signal: AbortSignal) {
  const nextId = counter('r');
  return (check: ToolDefinition): Promise<ToolResult> => {
    const id = nextId();
    const action = deps.executors.get(check.run.kind)?.plan(check.run, {}, planContext);
    if (!action) throw new Error(`bug: no executor for a check of kind ${check.run.kind}`);
    const prepared = { ok: true as const, call: { id, tool: check, args: {}, repairs: [], action } };
    const quiet = { ...deps, emit: () => undefined, prepare: () => prepared };
    return runToolCall(quiet, { id, name: check.name, rawArguments: '{}' }, signal);
  };
}

/** Nothing can be changed on a record of the past, so nobody is asked whether to. */
const changeOnDump = (tool: ToolDefinition): string | undefined =>
  rank(tool.riskLevel) >= rank('high')
    ? 'a dump is a record of the past, on which nothing can be changed. Work without --dump to change the cluster.'
    : undefined;
