import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Actor } from '../agent/record.js';
import { createResultStore, type ResultStore } from '../agent/results.js';
import { type AuditLog, openAuditLog } from '../audit/append.js';
import type { Executor, PlanContext } from '../domain/ports.js';
import { type Config, openConfig } from '../lib/config.js';
import { currentDockerHost } from '../lib/docker-context.js';
import { currentContext } from '../lib/kubeconfig.js';
import { auditPath, homeFolder, userName } from '../lib/paths.js';
import { type Judge, judgeByMaxRisk, judgeByRules } from '../policy/decide.js';
import { createRegistry, type Registry } from '../tools/registry.js';
import { type GateParts, openGateParts } from './gate-parts.js';
import type { Io } from './io.js';
import { loadRules } from './rulebook.js';
import type { SessionOptions } from './session.js';
import { loadExecutors, loadToolbox, type Toolbox } from './toolbox.js';

/** What a session is made of, loaded and checked. */
export interface SessionParts {
  readonly config: Config;
  readonly toolbox: Toolbox;
  readonly registry: Registry;
  readonly executors: ReadonlyMap<string, Executor>;
  readonly judges: readonly Judge[];
  readonly audit: AuditLog;
  readonly actor: Actor;
  readonly planContext: PlanContext;
  readonly results: ResultStore;
  readonly gate: GateParts;
}

/**
 * Loads the parts of a session, the audit log last: what cannot be used stops everything.
 * @throws OpsError when tool files, policies, the dump or the audit log cannot be used.
 */
export async function loadParts(io: Io, options: SessionOptions): Promise<SessionParts> {
  const config = await openConfig(io.paths.config);
  const toolbox = await loadToolbox({ paths: io.paths, cwd: io.cwd, config, dirs: options.toolDirs });
  const executors = await pickExecutors(options);
  const judges = await loadJudges(io, config, options);
  const actor = whoActs(io);
  const gate = openGateParts(io);
  return {
    config,
    gate,
    toolbox,
    registry: createRegistry(toolbox.tools),
    executors,
    judges,
    actor,
    planContext: planContextOf(io, config, options, actor, toolbox),
    results: createResultStore(join(io.paths.state, 'sessions', actor.sessionId), gate.redactor),
    audit: openAuditLog(auditPath(io.paths)),
  };
}

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
  return { user: userName(), ipAddress, sessionId };
}

function planContextOf(io: Io, config: Config, options: SessionOptions, actor: Actor, toolbox: Toolbox): PlanContext {
  const setting = (key: string) => {
    const value = config.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const docker = options.dump === undefined ? currentDockerHost(io.env, homeFolder(io.env)) : {};
  const context = {
    user: actor.user,
    session_id: actor.sessionId,
    // Fixed now: whatever the kubeconfig says later, this session stays with the cluster that it began with.
    kube_context:
      options.dump === undefined
        ? (options.context ?? setting('kubernetes.context') ?? currentContext(io.kubeconfig))
        : undefined,
    // So is the Docker daemon, whatever `docker context use` says later.
    docker_host: docker.host,
    docker_context: docker.context,
    namespace: options.namespace ?? setting('kubernetes.namespace'),
  };
  const known = Object.entries(context).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const names = new Set(toolbox.tools.flatMap((tool) => tool.env));
  const env = [...names].flatMap((name) => (io.env[name] ? [[name, io.env[name]] as const] : []));
  return { context: Object.fromEntries(known), env: Object.fromEntries(env) };
}
