import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { Executor } from '../domain/ports.js';
import type { ToolDefinition } from '../domain/types.js';
import type { AdapterTexts } from '../exec/adapter-module.js';
import type { McpConnections } from '../exec/mcp/connections.js';
import { type Config, TRUST_KEY } from '../lib/config.js';
import { isAccepted, notAccepted, openPins, type Pins } from '../lib/mcp-pins.js';
import type { McpServer } from '../lib/mcp-server.js';
import { packageRoot } from '../lib/package-root.js';
import type { Paths } from '../lib/paths.js';
import { formatProblems, type Problem } from '../lib/problems.js';
import type { ToolFinder } from '../tools/finder.js';
import type { LoadedSources } from '../tools/sources/load.js';
import type { Acceptable, SourceEntry } from '../tools/sources/source.js';
import { readCompiled } from './compiled.js';
import type { TrustedFiles } from './trust.js';

export interface ToolFileInfo {
  readonly path: string;
  readonly system: string;
  readonly description: string;
  readonly instructions: string;
}

export interface Toolbox {
  readonly tools: readonly ToolDefinition[];
  readonly files: readonly ToolFileInfo[];
  /** What the files name under `sources:`. */
  readonly sources: readonly SourceEntry[];
  /** What tools from elsewhere need that a person accepts, by name. */
  readonly accepts: readonly Acceptable[];
  /** Modules of adapters that were accepted. */
  readonly adapters: AdapterTexts;
  readonly warnings: readonly Problem[];
  /** What a person should know: tools of this folder that are not trusted, say. */
  readonly notices: readonly string[];
}

export interface ToolboxOptions {
  readonly paths: Paths;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly config: Config;
  /** `--tools DIR`, in the order given. */
  readonly dirs: readonly string[];
  /** The tools of sources are not loaded. */
  readonly withoutSources?: boolean;
}

/** Loads every executor; for those who check tool files or run calls. `finder` is what `find_tools` searches. */
export async function loadExecutors(
  mcp?: McpConnections,
  finder?: ToolFinder,
  adapters?: AdapterTexts,
): Promise<readonly Executor[]> {
  const [{ createExecutors }, { diagnoseBuiltins }, { findToolsBuiltin }] = await Promise.all([
    import('../exec/index.js'),
    import('../diagnose/builtins.js'),
    import('../tools/find-tools.js'),
  ]);
  return createExecutors([...diagnoseBuiltins, findToolsBuiltin(finder)], mcp, adapters);
}

/**
 * Loads the tools: those of the package (compiled when it was built), the config folder's `tools.d`, further folders of
 * the config and of `--tools`, and a trusted `.opsagent/tools.d` of the working folder.
 * @throws OpsError usage with every mistake of every file.
 */
export async function loadToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const builtin = readCompiled<Pick<Toolbox, 'tools' | 'files'>>('tools.json');
  const local = await localTools(options);
  const ownDir = join(options.paths.config, 'tools.d');
  const dirs = [
    ...(builtin ? [] : [join(packageRoot(), 'tools.d')]),
    ...(existsSync(ownDir) ? [ownDir] : []),
    ...listSetting(options.config, 'tools.dirs'),
    ...options.dirs,
  ];
  const missing = [...listSetting(options.config, 'tools.dirs'), ...options.dirs].find((dir) => !existsSync(dir));
  if (missing !== undefined)
    throw new OpsError('usage', `The folder of tool files ${missing} does not exist.`, 'Mend the path.');
  const notices = local.notice === undefined ? [] : [local.notice];
  if (builtin && dirs.length === 0 && !local.files) return { ...NOTHING, ...builtin, sources: [], notices };
  const known = builtin?.tools ?? [];
  const { cachedByFiles } = await import('./tool-cache.js');
  const loaded = local.files
    ? await loadFrom(dirs, known, local.files)
    : await cachedByFiles(
        options.paths.cache,
        dirs,
        (made) => made.problems.length === 0,
        () => loadFrom(dirs, known),
      );
  if (loaded.problems.length > 0) {
    throw new OpsError(
      'usage',
      `The tool files cannot be used:\n${formatProblems(loaded.problems)}`,
      'Mend them and check with: opsagent tools lint',
    );
  }
  const own = [...known, ...loaded.tools];
  const more = options.withoutSources ? { ...NOTHING, own } : await loadElsewhere(loaded.sources, own, options);
  return {
    tools: [...more.own, ...more.tools],
    files: [...(builtin?.files ?? []), ...loaded.files],
    sources: loaded.sources,
    accepts: more.accepts,
    adapters: more.adapters,
    warnings: [...loaded.warnings, ...more.warnings, ...more.failures],
    notices: [...notices, ...more.notices, ...more.failures.map((failure) => formatProblems([failure]))],
  };
}

const NOTHING = { tools: [], accepts: [], taken: [], adapters: new Map(), warnings: [], failures: [], notices: [] };

interface Elsewhere extends LoadedSources, Pick<Toolbox, 'adapters' | 'notices'> {
  /** The known tools; those of servers that nobody accepted say so. */
  readonly own: readonly ToolDefinition[];
}

/**
 * The tools of OpenAPI descriptions and other sources. No MCP server is started or visited for it, and no code of an adapter is run;
 * what waits for a person to accept it is a notice. What a project holds may lead nowhere outside it.
 */
export async function loadElsewhere(
  sources: readonly SourceEntry[],
  known: readonly ToolDefinition[],
  { paths, env, signal, cwd }: Pick<ToolboxOptions, 'paths' | 'env' | 'signal' | 'cwd'>,
): Promise<Elsewhere> {
  if (sources.length === 0 && known.every(({ run }) => run.kind !== 'mcp')) return { ...NOTHING, own: known };
  const [{ loadSources }, { readSecret }] = await Promise.all([
    import('../tools/sources/load.js'),
    import('../lib/secrets.js'),
  ]);
  const pins = openPins(paths);
  const notices: string[] = [];
  const project = `${join(cwd, '.opsagent')}/`;
  const loaded = await loadSources(sources, known, {
    cacheDir: paths.cache,
    env,
    signal,
    secret: (name: string) => readSecret(name, env, paths.config),
    pins,
    notice: (text: string) => void notices.push(text),
    confined: (file) => resolve(cwd, file).startsWith(project),
  });
  const { own, servers } = await markUnaccepted(known, pins);
  const accepts = [...new Map([...servers, ...loaded.accepts].map((one) => [one.name, one])).values()];
  const waits = accepts.filter(({ state }) => state !== 'accepted');
  const usesAdapters = accepts.some(({ kind, state }) => kind === 'adapter' && state === 'accepted');
  const modules = usesAdapters ? Object.values(await pins.adapters()) : [];
  return {
    ...loaded,
    ...{ own, accepts, tools: await withLeastRisk(loaded.tools) },
    adapters: new Map(modules.map(({ sha256, text }) => [sha256, text])),
    notices: [
      ...notices,
      ...waits.map(({ kind, name, state }) => notAccepted(TITLES[kind], name, state === 'changed')),
    ],
  };
}

const TITLES = { server: 'The MCP server', adapter: 'The module of adapter' };

/** Tools of MCP servers that stand in tool files themselves, with what must be accepted before they can run. */
async function markUnaccepted(
  tools: readonly ToolDefinition[],
  pins: Pins,
): Promise<{ own: readonly ToolDefinition[]; servers: readonly Acceptable[] }> {
  const servers: Acceptable[] = [];
  const own: ToolDefinition[] = [];
  for (const tool of tools) {
    if (tool.run.kind !== 'mcp') own.push(tool);
    else {
      const server = tool.run.server as unknown as McpServer;
      const { name } = server;
      const known = await pins.read(name);
      const state = isAccepted(server, known) ? 'accepted' : known ? 'changed' : 'new';
      servers.push({ kind: 'server', name, server, state });
      const unavailable = notAccepted('the MCP server', name, state === 'changed');
      own.push(state === 'accepted' ? tool : { ...tool, unavailable });
    }
  }
  return { own, servers };
}

/** Imported scripts with the risk that their calls have at least, for those who list tools. */
async function withLeastRisk(tools: readonly ToolDefinition[]): Promise<readonly ToolDefinition[]> {
  if (tools.every(({ run }) => run.variants === undefined)) return tools;
  const [{ leastRisk }, { higher }] = await Promise.all([
    import('../policy/classify/script.js'),
    import('../policy/rank.js'),
  ]);
  return tools.map((tool) => ({ ...tool, riskLevel: higher(tool.riskLevel, leastRisk(tool.run) ?? tool.riskLevel) }));
}

async function loadFrom(dirs: readonly string[], known: readonly ToolDefinition[], more: TrustedFiles['files'] = []) {
  const [{ loadToolFiles }, { readToolFiles }, executors] = await Promise.all([
    import('../tools/load.js'),
    import('../tools/read-files.js'),
    loadExecutors(),
  ]);
  return loadToolFiles([...(await readToolFiles(dirs)), ...more], executors, known);
}

/** A list in the config file. */
export function listSetting(config: Config, key: string): string[] {
  const value = config.get(key);
  return Array.isArray(value) ? value.filter((v): v is string => typeof v === 'string') : [];
}

/** A cloned repository must not add tools by itself: its files are used only with exactly the content that was trusted. */
async function localTools({
  cwd,
  config,
}: ToolboxOptions): Promise<{ files?: TrustedFiles['files']; notice?: string }> {
  const dir = join(cwd, '.opsagent', 'tools.d');
  if (!existsSync(dir)) return {};
  const trusted = config.get(TRUST_KEY);
  const known = trusted !== null && typeof trusted === 'object' && !Array.isArray(trusted) ? trusted : {};
  const wanted = Object.entries(known).find(([folder]) => folder === realpathSync(cwd))?.[1];
  if (wanted === undefined)
    return { notice: `The tools of ${dir} are not used: trust them with: opsagent config trust .` };
  const { readWithDigest } = await import('./trust.js');
  const { digest, files } = await readWithDigest(dir);
  if (digest === wanted) return { files };
  return {
    notice: `The tools of ${dir} have changed since they were trusted and are not used: look at them, then run: opsagent config trust .`,
  };
}
