import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Actor } from '../agent/record.js';
import { createResultStore, type ResultStore } from '../agent/results.js';
import type { AuditLog } from '../audit/append.js';
import { OpsError } from '../domain/errors.js';
import type { Executor, PlanContext } from '../domain/ports.js';
import { MODES, type Mode, type ToolDefinition } from '../domain/types.js';
import type { McpConnections } from '../exec/mcp/connections.js';
import { type Config, openConfig } from '../lib/config.js';
import { currentDockerHost } from '../lib/docker-context.js';

import { contextOf, currentContext } from '../lib/kubeconfig.js';
import { homeFolder, userName } from '../lib/paths.js';
import { readSecret } from '../lib/secrets.js';
import { type Judge, judgeByMaxRisk } from '../policy/decide.js';
import type { PolicySubject } from '../policy/input.js';
import { DEFAULT_PRODUCTION_PATTERNS } from '../policy/production.js';

import type { ToolFinder } from '../tools/finder.js';
import { createRegistry, type Registry } from '../tools/registry.js';
import { openConfiguredLog, sessionsFolder } from './audit-settings.js';
import { compiledIndex } from './compiled.js';
import { type GateParts, openGateParts } from './gate-parts.js';
import type { Io } from './io.js';
import { runnableTools } from './offer.js';
import { judgesOf, loadRulebook, standingOf } from './rulebook.js';
import type { SessionOptions } from './session.js';
import { listSetting, loadExecutors, loadToolbox, type Toolbox } from './toolbox.js';

/** What a session is made of, loaded and checked. */
export interface SessionParts {
  readonly config: Config;
  readonly toolbox: Toolbox;
  readonly registry: Registry;
  /** The tools that can run here, as far as can be seen without a call. */
  readonly runnable: () => readonly ToolDefinition[];
  readonly finder: ToolFinder;
  readonly executors: ReadonlyMap<string, Executor>;
  readonly judges: readonly Judge[];
  /** Roles and groups of the actor. */
  readonly standing: Pick<PolicySubject, 'roles' | 'groups'>;
  readonly audit: AuditLog;
  readonly actor: Actor;
  readonly planContext: PlanContext;
  readonly mode: Mode;
  readonly productionPatterns: readonly string[];
  readonly results: ResultStore;
  readonly gate: GateParts;
  readonly mcp: McpConnections;
}

/**
 * Loads the parts of a session, the audit log last: what cannot be used stops everything.
 * @throws OpsError when tool files, policies, the dump or the audit log cannot be used.
 */
export async function loadParts(
  io: Io,
  options: SessionOptions,
  notice: (text: string) => void,
): Promise<SessionParts> {
  const config = await openConfig(io.paths.config);
  // Nothing that a dump could not answer is even looked at: no server is started, no address visited.
  const withoutSources = options.dump !== undefined;
  const toolbox = await loadToolbox({ ...io, config, dirs: options.toolDirs, withoutSources });
  const acceptance = options.accepting ? await import('./acceptance.js') : undefined;
  const registry = createRegistry([...(acceptance?.ACCEPT_TOOLS ?? []), ...toolbox.tools]);
  const runnable = runnableTools(io, registry, options.dump === undefined);
  const { createToolFinder } = await import('../tools/finder.js');
  const finder = createToolFinder(registry.list, { usable: runnable, stored: compiledIndex });
  const actor = whoActs(io);
  const folder = join(sessionsFolder(io), actor.sessionId);
  const secret = (name: string) => readSecret(name, io.env, io.paths.config);
  const { createMcpConnections } = await import('../exec/mcp/connections.js');
  const mcp = createMcpConnections({ paths: io.paths, secret, notice, filesFolder: folder });
  const own = acceptance ? [acceptance.executorFor(mcp, io.paths)] : [];
  const executors = await pickExecutors(options, [...own, ...(await loadExecutors(mcp, finder, toolbox.adapters))]);
  const rulebook = await loadRulebook({ paths: io.paths, config, dirs: options.policyDirs, env: io.env });
  const { maxRisk } = options;
  const gate = openGateParts(io, config, options);
  return {
    config,
    mcp,
    gate,
    toolbox,
    registry,
    runnable,
    finder,
    executors,
    judges: [...(await judgesOf(rulebook)), ...(maxRisk ? [judgeByMaxRisk(maxRisk.risk, maxRisk.flag)] : [])],
    standing: await standingOf(rulebook, actor.user),
    actor,
    planContext: await planContextOf(io, config, options, actor, toolbox),
    mode: options.mode ?? modeSetting(config),
    productionPatterns: productionPatternsOf(config),
    results: createResultStore(folder, gate.redactor),
    audit: await openConfiguredLog(io, config, folder),
  };
}

/** Names that count as production. */
export const productionPatternsOf = (config: Config): readonly string[] =>
  Array.isArray(config.get('production_patterns'))
    ? listSetting(config, 'production_patterns')
    : DEFAULT_PRODUCTION_PATTERNS;

async function pickExecutors(
  options: SessionOptions,
  executors: readonly Executor[],
): Promise<ReadonlyMap<string, Executor>> {
  const live = new Map(executors.map((executor) => [executor.kind, executor]));
  if (options.dump === undefined) return live;
  const { answerFromDump } = await import('./dump-executors.js');
  return answerFromDump(live, options.dump);
}

/** @throws OpsError usage for a mode that there is not: a typing mistake must not make a session less careful. */
export function modeSetting(config: Config): Mode {
  const value = config.get('mode') ?? 'ask';
  const mode = MODES.find((one) => one === value);
  if (mode) return mode;
  throw new OpsError(
    'usage',
    `The setting mode cannot be ${JSON.stringify(value)}.`,
    `It is one of: ${MODES.join(', ')}`,
  );
}

/** Who works in a new session, by the account of the operating system. */
export function whoActs(io: Io): Actor {
  const sessionId = `sess_${Date.now().toString(36)}${randomBytes(4).toString('hex')}`;
  const ipAddress = io.env.SSH_CONNECTION?.split(' ')[0] || '127.0.0.1';
  return { user: userName(), ipAddress, sessionId };
}

/** What a session is about: its cluster, daemon and namespace, and the variables that tool files may read. */
export async function planContextOf(
  io: Io,
  config: Config,
  options: Pick<SessionOptions, 'dump' | 'context' | 'namespace'>,
  actor: Actor,
  toolbox: Toolbox,
): Promise<PlanContext> {
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
  const { namespace, ...kube } =
    (context.kube_context === undefined ? undefined : await contextOf(io.kubeconfig, context.kube_context)) ?? {};
  const known = Object.entries({ ...context, kube_namespace: namespace }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const names = new Set(toolbox.tools.flatMap((tool) => tool.env));
  const env = [...names].flatMap((name) => (io.env[name] ? [[name, io.env[name]] as const] : []));
  return { context: Object.fromEntries(known), kube, env: Object.fromEntries(env) };
}
