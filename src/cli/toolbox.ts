import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { Executor } from '../domain/ports.js';
import type { ToolDefinition } from '../domain/types.js';
import { type Config, TRUST_KEY } from '../lib/config.js';
import { packageRoot } from '../lib/package-root.js';
import type { Paths } from '../lib/paths.js';
import { formatProblems, type Problem } from '../lib/problems.js';
import type { ToolFinder } from '../tools/finder.js';
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
  readonly warnings: readonly Problem[];
  /** What a person should know: tools of this folder that are not trusted, say. */
  readonly notices: readonly string[];
}

export interface ToolboxOptions {
  readonly paths: Paths;
  readonly cwd: string;
  readonly config: Config;
  /** `--tools DIR`, in the order given. */
  readonly dirs: readonly string[];
}

/** Loads every executor; for those who check tool files or run calls. `finder` is what `find_tools` searches. */
export async function loadExecutors(finder?: ToolFinder): Promise<readonly Executor[]> {
  const [{ createExecutors }, { diagnoseBuiltins }, { findToolsBuiltin }] = await Promise.all([
    import('../exec/index.js'),
    import('../diagnose/builtins.js'),
    import('../tools/find-tools.js'),
  ]);
  return createExecutors([...diagnoseBuiltins, findToolsBuiltin(finder)]);
}

/**
 * Loads the tools: those of the package (compiled when it was built), the config folder's `tools.d`, further folders of
 * the config and of `--tools`, and a trusted `.opsagent/tools.d` of the working folder.
 * @throws OpsError usage with every mistake of every file.
 */
export async function loadToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const builtin = readCompiled<Pick<Toolbox, 'tools' | 'files'>>('tools.json');
  const local = await localTools(options);
  const own = join(options.paths.config, 'tools.d');
  const dirs = [
    ...(builtin ? [] : [join(packageRoot(), 'tools.d')]),
    ...(existsSync(own) ? [own] : []),
    ...listSetting(options.config, 'tools.dirs'),
    ...options.dirs,
  ];
  const missing = [...listSetting(options.config, 'tools.dirs'), ...options.dirs].find((dir) => !existsSync(dir));
  if (missing !== undefined)
    throw new OpsError('usage', `The folder of tool files ${missing} does not exist.`, 'Mend the path.');
  const notices = local.notice === undefined ? [] : [local.notice];
  if (builtin && dirs.length === 0 && !local.files) return { ...builtin, warnings: [], notices };
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
  return {
    tools: [...(builtin?.tools ?? []), ...loaded.tools],
    files: [...(builtin?.files ?? []), ...loaded.files],
    warnings: loaded.warnings,
    notices,
  };
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
