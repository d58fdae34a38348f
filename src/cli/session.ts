import { approveByFlag, type YesFlag } from '../agent/approval.js';
import type { Care } from '../agent/change-reads.js';
import { approveByGrant, grantableOf, placeOf } from '../agent/grants.js';
import type { ResultStore } from '../agent/results.js';
import { refuseToolCall, runToolCall, type ToolCallDeps } from '../agent/tool-call.js';
import type { AgentEvent } from '../domain/events.js';
import type { Executor, PlanContext } from '../domain/ports.js';
import type { Decision, JsonObject, Mode, RawCall, Risk, ToolCall, ToolResult } from '../domain/types.js';
import type { Config } from '../lib/config.js';
import { readSecret } from '../lib/secrets.js';
import type { Budgets } from '../limits/budget.js';
import type { SessionRedactor } from '../secrets/redactor.js';
import type { Registry } from '../tools/registry.js';
import type { Ui } from '../ui/ui.js';
import { lazyChangeCare } from './change-care.js';
import { createDecider } from './decider.js';
import type { Io } from './io.js';
import { createRequirements, type Requirements } from './requirements.js';
import { careOf, checkRunner, clusterAddress, preparer } from './session-calls.js';
import { loadParts, type SessionParts } from './session-parts.js';
import { newState, type SessionState } from './session-state.js';
import { createSwitchMode, type SwitchMode, switchesMode } from './switch-mode.js';
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
  /** The session has the calls of `tools accept` beside its tools: no model may be in it. */
  readonly accepting?: true;
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
  /** Takes a text that a model saw: what it names is not the person's. */
  readonly read: (text: string) => void;
  readonly mode: () => Mode;
  /** The one way to another mode, for whatever a person uses to choose it. */
  readonly switchMode: SwitchMode;
  readonly redactor: SessionRedactor;
  readonly requirements: Requirements;
  readonly budgets: Budgets;
  readonly mcp: SessionParts['mcp'];
  /** What the care of changes works with; `undo` does. */
  readonly care: () => Promise<Care>;
  /** Prepares for calls over outputs that are too long to read: starts the sandbox in the background. */
  readonly warm: () => void;
  readonly close: () => void;
}

/**
 * Opens a session: tools, policies, audit log, and the one path wired together.
 * @throws OpsError when tool files, policies, the dump or the audit log cannot be used; nothing runs then.
 */
export async function openSession(io: Io, options: SessionOptions, ui: Ui): Promise<Session> {
  const parts = await loadParts(io, options, (text) => ui.emit({ type: 'notice', text }));
  const { actor, registry, planContext, results } = parts;
  const state = newState(parts.mode, ui, parts.gate.redactor);
  parts.gate.budgets.onSpent((spent) => state.emit({ type: 'spent', ...spent }));
  const requirements = requirementsOf(io, (check) => runCheck(check));
  const pinned = { planContext, server: clusterAddress(io, planContext.context.kube_context) };
  const care = careOf(io, pinned, () => deps);
  const live = options.dump === undefined ? { change: lazyChangeCare(care, pinned) } : {};
  const switchMode = createSwitchMode({ ...parts, clock: CLOCK, state });
  const deps = { ...callDeps(io, options, ui, parts, state, requirements, switchMode), ...live };
  const runCheck = checkRunner({ ...deps, change: parts.gate.change }, planContext, io.signal);
  const run = (raw: RawCall, signal: AbortSignal = io.signal) => runToolCall(deps, raw, signal);
  const { nextCallId, emit, finished } = state;
  ui.offerModes?.(state.mode(), (mode) => void switchMode(mode, { via: 'key' }));
  const each = (visit: (executor: Executor) => void) => parts.executors.forEach(visit);
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
    read: state.taint.read,
    mode: state.mode,
    switchMode,
    redactor: parts.gate.redactor,
    requirements,
    budgets: parts.gate.budgets,
    mcp: parts.mcp,
    care,
    warm: () => each((executor) => executor.warm?.()),
    close() {
      each((executor) => executor.close?.());
      parts.mcp.close();
      parts.audit.close();
    },
  };
}

const requirementsOf = ({ env, paths }: Io, runCheck: Parameters<typeof createRequirements>[0]['runCheck']) =>
  createRequirements({ env, cacheDir: paths.cache, runCheck });

const CLOCK = { now: () => new Date() };

/** The one path, wired for a session. */
function callDeps(
  io: Io,
  options: SessionOptions,
  ui: Ui,
  parts: SessionParts,
  state: SessionState,
  requirements: Requirements,
  switchMode: SwitchMode,
): ToolCallDeps {
  const clock = CLOCK;
  return {
    actor: parts.actor,
    prepare: preparer(parts, requirements, options.dump === undefined),
    decide: createDecider({ ...parts, redactor: parts.gate.redactor, taint: state.taint, mode: state.mode }),
    approver: approveByFlag(
      options.yes,
      approveByGrant(clock, grantableIn(parts.planContext), switchesMode(switchMode, ui.approver)),
    ),
    mode: state.mode,
    audit: parts.audit,
    executors: parts.executors,
    results: parts.results,
    ...parts.gate,
    clock,
    secret: (name) => parts.gate.redactor.learn(readSecret(name, io.env, io.paths.config)),
    nextCallId: state.nextCallId,
    emit: state.emit,
  };
}

/** What a yes for a kind of call covers here, bound to the cluster or daemon of the session. */
const grantableIn =
  ({ context }: PlanContext) =>
  (call: ToolCall, decision: Decision) =>
    grantableOf(call, decision, placeOf(decision.classification, context));
