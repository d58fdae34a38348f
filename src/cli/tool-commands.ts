import { resolve } from 'node:path';
import { type ExitName, messageOf, OpsError } from '../domain/errors.js';
import type { ToolDefinition } from '../domain/types.js';
import { openConfig } from '../lib/config.js';
import { didYouMean } from '../lib/nearest.js';
import { formatProblems } from '../lib/problems.js';
import { visible } from '../lib/visible.js';
import type { LoadedTools } from '../tools/load.js';
import type { Io } from './io.js';
import { loadElsewhere, loadExecutors, loadToolbox, type Toolbox } from './toolbox.js';

interface DirOptions {
  readonly tools?: readonly string[];
}

interface ListOptions extends DirOptions {
  readonly category?: string;
  readonly json?: boolean;
}

async function toolbox(io: Io, options: DirOptions): Promise<Toolbox> {
  const config = await openConfig(io.paths.config);
  const box = await loadToolbox({ ...io, config, dirs: options.tools ?? [] });
  for (const notice of box.notices) io.say(`${notice}\n`);
  return box;
}

async function selected(io: Io, options: ListOptions): Promise<readonly ToolDefinition[]> {
  const { tools } = await toolbox(io, options);
  if (options.category === undefined) return tools;
  const found = tools.filter((tool) => tool.category === options.category);
  if (found.length > 0) return found;
  const known = [...new Set(tools.map((tool) => tool.category))];
  throw new OpsError(
    'usage',
    `No tool has the category ${options.category}.${didYouMean(options.category, known)}`,
    `Categories: ${known.join(', ')}`,
  );
}

function named(tools: readonly ToolDefinition[], name: string): ToolDefinition {
  const tool = tools.find((one) => one.name === name);
  if (tool) return tool;
  const near = didYouMean(
    name,
    tools.map((one) => one.name),
  );
  throw new OpsError('usage', `There is no tool ${visible(name)}.${near}`, 'List them with: opsagent tools list');
}

/** `tools list`. */
export async function listTools(io: Io, options: ListOptions): Promise<void> {
  const tools = await selected(io, options);
  const { findOnceOnPath, unmetRequirement } = await import('../tools/requires.js');
  const find = findOnceOnPath(io.env.PATH ?? '');
  const lacks = (tool: ToolDefinition) => unmetRequirement(tool, io.env, find);
  if (options.json) {
    const { toRaw } = await import('../tools/tool-file.js');
    return printJson(
      io,
      tools.map((tool) => ({ ...toRaw(tool), source: tool.source, unavailable: lacks(tool) ?? null })),
    );
  }
  const { formatTable } = await import('./table.js');
  const reasons = new Map<string, string[]>();
  const rows = tools.map((tool) => {
    const reason = lacks(tool);
    if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), tool.name]);
    const note = reason === undefined ? '' : '(unavailable) ';
    return [tool.name, tool.riskLevel, tool.category, note + visible(tool.description)];
  });
  io.out(await formatTable(['NAME', 'RISK', 'CATEGORY', 'DESCRIPTION'], rows, io.outIsTerminal ? io.width : 1_000));
  for (const [reason, names] of reasons)
    io.out(`\nunavailable: ${names.length} tools, ${names[0]} …: ${visible(reason)}\n`);
}

/** `tools show NAME`. */
export async function showTool(io: Io, name: string, options: DirOptions & { readonly json?: boolean }): Promise<void> {
  const tool = named((await toolbox(io, options)).tools, name);
  if (options.json) {
    const { toRaw } = await import('../tools/tool-file.js');
    return printJson(io, { ...toRaw(tool), source: tool.source });
  }
  const { describeTool } = await import('./describe-tool.js');
  io.out(describeTool(tool));
}

/** `tools schema [NAME]`: what a model is given. */
export async function printSchema(io: Io, name: string | undefined, options: DirOptions): Promise<void> {
  const { tools } = await toolbox(io, options);
  const { toOpenAiTools } = await import('../tools/export.js');
  printJson(io, name === undefined ? toOpenAiTools(tools) : named(tools, name).parameters);
}

/** `tools export FILE`: the map name → definition, which loads again as it is. */
export async function exportTools(io: Io, file: string, options: ListOptions): Promise<void> {
  const tools = await selected(io, options);
  const { toToolFile } = await import('../tools/tool-file.js');
  const text = toToolFile(tools);
  if (file === '-') return io.out(text);
  try {
    const { writeFile } = await import('node:fs/promises');
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    throw new OpsError(
      'usage',
      `${file} cannot be written: ${messageOf(error)}`,
      'Choose a file that does not exist yet.',
    );
  }
  io.say(`${tools.length} tools written to ${file}\n`);
}

/** `tools lint [FILE…]`: every problem at once; exit 2 when there is one. */
export async function lintTools(
  io: Io,
  files: readonly string[],
  options: DirOptions & { readonly json?: boolean },
): Promise<ExitName> {
  const [{ loadToolFiles }, { lintTools: lint }] = await Promise.all([
    import('../tools/load.js'),
    import('../tools/lint.js'),
  ]);
  // A file that is in use already does not clash with itself.
  const isLinted = (tool: ToolDefinition) => files.some((file) => tool.source.startsWith(`${resolve(io.cwd, file)}:`));
  const known = files.length > 0 ? (await toolbox(io, options)).tools.filter((tool) => !isLinted(tool)) : [];
  const texts = await Promise.all(files.map(async (path) => ({ path, text: await readToolFile(path) })));
  const loaded =
    files.length > 0
      ? await withSources(io, loadToolFiles(texts, await loadExecutors(), known), known)
      : { ...(await toolbox(io, options)), problems: [] };
  // Advice on what ships is for those who build it: they name its files.
  const asked = loaded.tools.filter(({ source }) => files.length > 0 || !source.startsWith('tools.d/'));
  const warnings = [...loaded.warnings, ...lint(asked)];
  if (options.json) printJson(io, { tools: loaded.tools.length, problems: loaded.problems, warnings });
  else {
    if (loaded.problems.length > 0) io.out(`${formatProblems(loaded.problems)}\n`);
    for (const line of warnings.length > 0 ? formatProblems(warnings).split('\n') : []) io.out(`warning: ${line}\n`);
    io.say(`${loaded.tools.length} tools, ${loaded.problems.length} problems, ${warnings.length} warnings\n`);
  }
  return loaded.problems.length > 0 ? 'usage' : 'ok';
}

/** What the sources of files give, beside the tools that stand in them. A source that fails is a problem here: somebody looks. */
async function withSources(io: Io, loaded: LoadedTools, known: readonly ToolDefinition[]): Promise<LoadedTools> {
  const more = await loadElsewhere(loaded.problems.length > 0 ? [] : loaded.sources, [...known, ...loaded.tools], io);
  for (const notice of more.notices) io.say(`${visible(notice)}\n`);
  return {
    ...loaded,
    tools: [...loaded.tools, ...more.tools],
    problems: [...loaded.problems, ...more.failures],
    warnings: [...loaded.warnings, ...more.warnings],
  };
}

async function readToolFile(path: string): Promise<string> {
  try {
    const { readFile } = await import('node:fs/promises');
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OpsError('usage', `${path} cannot be read: ${messageOf(error)}`);
  }
}

const printJson = (io: Io, value: unknown): void => io.out(`${JSON.stringify(value, null, 2)}\n`);
