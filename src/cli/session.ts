import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { approveByFlag, type YesFlag } from '../agent/approval.js';
import type { Actor } from '../agent/record.js';
import { createResultStore, type ResultStore } from '../agent/results.js';
import { refuseToolCall, runToolCall, type ToolCallDeps } from '../agent/tool-call.js';
import { openAuditLog } from '../audit/append.js';
import type { AgentEvent } from '../domain/events.js';
import type { Executor, PlanContext } from '../domain/ports.js';
import type { JsonObject, RawCall, Risk, ToolDefinition, ToolResult } from '../domain/types.js';
import { type Config, openConfig } from '../lib/config.js';
import { currentContext } from '../lib/kubeconfig.js';
import { auditPath } from '../lib/paths.js';
import { readSecret } from '../lib/secrets.js';
import { decide, type Judge, judgeByMaxRisk, judgeByRules } from '../policy/decide.js';
import { rank } from '../policy/risk.js';
import { hasManifest, prepare } from '../tools/prepare.js';
import { createRegistry, type Registry } from '../tools/registry.js';
import type { Ui } from '../ui/ui.js';
import type { Io } from './io.js';
import { createRequirements, type Requirements } from './requirements.js';
import { loadRules } from './rulebook.js';
import { loadExecutors, loadToolbox, type Toolbox } from './toolbox.js';

/** Flags that say how a session may act; the same for every command that runs tools. */
export interface SessionOptions {
  readonly yes?: YesFlag;
  readonly maxRisk?: { readonly risk: Risk; readonly flag: string };
  readonly dump?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly toolDirs: readonly string[];
  readonly policyDirs: readonly string[];
}

export interface Session {
  readonly id: string;
  readonly toolbox: Toolbox;
  readonly registry: Registry;
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
  readonly requirements: Requirements;
  readonly close: () => void;
}

/**
 * Opens a session: tools, policies, audit log, and the one path wired together.
 * @throws OpsError when tool files, policies, the dump or the audit log cannot be used; nothing runs then.
 */
export async function openSession(io: Io, options: SessionOptions, ui: Ui): Promise<Session> {
  const config = await openConfig(io.paths.config);
  const toolbox = await loadToolbox({ paths: io.paths, cwd: io.cwd, config, dirs: options.toolDirs });
  const registry = createRegistry(toolbox.tools);
  const executors = await pickExecutors(options);
  const judges = await loadJudges(io, config, options);
  const audit = openAuditLog(auditPath(io.paths));
  const actor = whoActs(io);
  const planContext = planContextOf(io, config, options, actor, toolbox);
  const results = createResultStore(join(io.paths.state, 'sessions', actor.sessionId));
  const finished: ToolResult[] = [];
  let calls = 0;
  const nextCallId = () => `c${++calls}`;

  const emit = (event: AgentEvent) => {
    if (event.type === 'call-finished') finished.push(event.result);
    ui.emit(event);
  };
  const requirements = createRequirements({
    env: io.env,
    cacheDir: io.paths.cache,
    runCheck: (check) => runCheck(check),
  });
  // A dump answers for kubectl, so nothing needs to be installed here.
  const isLive = options.dump === undefined;
  const deps: ToolCallDeps = {
    actor,
    prepare: async (raw) => {
      const tool = registry.get(raw.name);
      const unmet = tool && (isLive ? await requirements.unmet(tool) : changeOnDump(tool));
      const manifests = tool && hasManifest(tool) ? await import('../tools/manifest.js') : {};
      const given = { registry, executors: [...executors.values()], planContext, ...manifests };
      return prepare({ ...given, unmetRequirement: (one) => (one === tool ? unmet : undefined) }, raw);
    },
    decide: (call) =>
      decide(judges, call, { user: actor.user, sessionId: actor.sessionId, context: planContext.context }),
    approver: approveByFlag(options.yes, ui.approver),
    audit,
    executors,
    results,
    clock: { now: () => new Date() },
    secret: (name) => readSecret(name, io.env, io.paths.config),
    nextCallId,
    emit,
  };
  let checks = 0;
  const runCheck = (check: ToolDefinition) => {
    const action = executors.get(check.run.kind)?.plan(check.run, {}, planContext);
    if (!action) throw new Error(`bug: no executor for a check of kind ${check.run.kind}`);
    const quiet = {
      ...deps,
      emit: () => undefined,
      prepare: (raw: RawCall) => ({
        ok: true as const,
        call: { id: raw.id, tool: check, args: {}, repairs: [], action },
      }),
    };
    return runToolCall(quiet, { id: `r${++checks}`, name: check.name, rawArguments: '{}' }, io.signal);
  };
  const run = (raw: RawCall, signal: AbortSignal = io.signal) => runToolCall(deps, raw, signal);
  return {
    id: actor.sessionId,
    toolbox,
    registry,
    config,
    results,
    finished,
    planContext,
    nextCallId,
    run,
    refuse: (raw, why) => refuseToolCall(deps, raw, why),
    call: (name, args) => run({ id: nextCallId(), name, rawArguments: JSON.stringify(args) }),
    emit,
    requirements,
    close: audit.close,
  };
}

/** Nothing can be changed on a record of the past, so nobody is asked whether to. */
const changeOnDump = (tool: ToolDefinition): string | undefined =>
  rank(tool.riskLevel) >= rank('high')
    ? 'a dump is a record of the past, on which nothing can be changed. Work without --dump to change the cluster.'
    : undefined;

async function pickExecutors(options: SessionOptions): Promise<ReadonlyMap<string, Executor>> {
  const live = new Map((await loadExecutors()).map((executor) => [executor.kind, executor]));
  if (options.dump === undefined) return live;
  const { answerFromDump } = await import('./dump-executors.js');
  return answerFromDump(live, options.dump);
}

/** The judges of every call: policy files and flags. */
async function loadJudges(io: Io, config: Config, options: SessionOptions): Promise<readonly Judge[]> {
  const rules = await loadRules({ paths: io.paths, config, dirs: options.policyDirs });
  const { maxRisk } = options;
  return [judgeByRules(rules), ...(maxRisk ? [judgeByMaxRisk(maxRisk.risk, maxRisk.flag)] : [])];
}

function whoActs(io: Io): Actor {
  const sessionId = `sess_${Date.now().toString(36)}${randomBytes(4).toString('hex')}`;
  const ipAddress = io.env.SSH_CONNECTION?.split(' ')[0] || '127.0.0.1';
  return { user: userInfo().username, ipAddress, sessionId };
}

function planContextOf(io: Io, config: Config, options: SessionOptions, actor: Actor, toolbox: Toolbox): PlanContext {
  const setting = (key: string) => {
    const value = config.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const context = {
    user: actor.user,
    session_id: actor.sessionId,
    // Fixed now: whatever the kubeconfig says later, this session stays with the cluster that it began with.
    kube_context:
      options.dump === undefined
        ? (options.context ?? setting('kubernetes.context') ?? currentContext(io.kubeconfig))
        : undefined,
    namespace: options.namespace ?? setting('kubernetes.namespace'),
  };
  const known = Object.entries(context).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const names = new Set(toolbox.tools.flatMap((tool) => tool.env));
  const env = [...names].flatMap((name) => (io.env[name] ? [[name, io.env[name]] as const] : []));
  return { context: Object.fromEntries(known), env: Object.fromEntries(env) };
}
