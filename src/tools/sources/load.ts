import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf, OpsError } from '../../domain/errors.js';
import type { ToolDefinition } from '../../domain/types.js';
import { deadline } from '../../lib/deadline.js';
import { packageVersion } from '../../lib/package-root.js';
import { homeFolder } from '../../lib/paths.js';
import { readPrivate, writePrivate } from '../../lib/private-cache.js';
import type { Problem } from '../../lib/problems.js';
import { reservedName } from '../reserved.js';
import { SOURCE_KINDS } from './index.js';
import { toolNameOf } from './names.js';
import type { Acceptable, SourceCache, SourceContext, SourceEntry, SourceTools } from './source.js';

export interface SourceOptions {
  readonly cacheDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secret: (name: string) => string;
  readonly signal: AbortSignal;
  readonly pins?: SourceContext['pins'];
  readonly notice?: (text: string) => void;
  /** Files that may name nothing outside their folder: those of a trusted project. */
  readonly confined: (file: string) => boolean;
  /** How long all sources together may take, in ms. */
  readonly deadlineMs?: number;
  readonly kinds?: typeof SOURCE_KINDS;
}

export interface LoadedSources extends SourceTools {
  /** Sources that could not be loaded, and tools that were left out: what everybody should know. */
  readonly failures: readonly Problem[];
  /** Once by name: of two with one name, the first. */
  readonly accepts: readonly Acceptable[];
  /** Names of tools that were left out, since another tool has them. */
  readonly taken: readonly string[];
}

/** A start waits this long for a network that does not answer. */
const DEADLINE_MS = 10_000;

/**
 * Loads all sources at once. Never throws for what a source is or does: one that cannot be loaded is a failure with its place, its
 * tools are missing, and everything else works. A tool whose name is taken is left out.
 */
export async function loadSources(
  entries: readonly SourceEntry[],
  known: readonly ToolDefinition[],
  options: SourceOptions,
): Promise<LoadedSources> {
  const signal = AbortSignal.any([options.signal, deadline(options.deadlineMs ?? DEADLINE_MS)]);
  const all = await Promise.all(
    entries.map((entry) => loadOne(entry, contextOf(entry, { ...options, signal }), options)),
  );
  const byName = new Map(known.map((tool) => [tool.name, tool]));
  const kept = all.map(({ tools, ...rest }, index) => {
    const isTaken = ({ name }: ToolDefinition) => byName.has(name) || reservedName(name) !== undefined;
    const taken = tools.filter(isTaken);
    const free = tools.filter((tool) => !isTaken(tool));
    for (const tool of free) byName.set(tool.name, tool);
    const entry = entries[index];
    const names = taken.map(({ name }) => name);
    return { ...rest, tools: free, names, leftOut: entry ? clash(entry, taken, byName) : [] };
  });
  const { accepts, clashes } = distinct(kept.map((one, index) => ({ ...one, entry: entries[index] as SourceEntry })));
  return {
    tools: kept.flatMap(({ tools }) => tools),
    accepts,
    warnings: [...kept.flatMap(({ warnings }) => warnings), ...clashes],
    failures: kept.flatMap(({ failures, leftOut }) => [...failures, ...leftOut]),
    taken: kept.flatMap(({ names }) => names),
  };
}

/** What is accepted goes by its name: of two servers or modules that share one, the first counts, and that is a warning. */
function distinct(all: readonly { readonly accepts: readonly Acceptable[]; readonly entry: SourceEntry }[]) {
  const byName = new Map<string, Acceptable>();
  const clashes: Problem[] = [];
  const essence = ({ state: _state, ...rest }: Acceptable) => JSON.stringify(rest);
  for (const { accepts, entry } of all) {
    for (const one of accepts) {
      const other = byName.get(one.name);
      if (!other) byName.set(one.name, one);
      else if (essence(other) !== essence(one))
        clashes.push({
          ...placeOf(entry),
          message: `${one.name} is the name of another MCP server or adapter too, and only that one can be accepted.`,
          fix: 'Rename one of them.',
        });
    }
  }
  return { accepts: [...byName.values()], clashes };
}

async function loadOne(entry: SourceEntry, context: SourceContext, options: SourceOptions): Promise<LoadedSources> {
  try {
    const kind = (options.kinds ?? SOURCE_KINDS).find((one) => one.kind === entry.kind);
    if (!kind) throw new OpsError('usage', `there is no kind of source called "${entry.kind}".`);
    const { tools, warnings, accepts = [] } = await untilAborted(kind.load(entry.source, context), context.signal);
    const { prefix } = entry.source;
    const named =
      typeof prefix === 'string' ? tools.map((tool) => ({ ...tool, name: toolNameOf(tool.name, prefix) })) : tools;
    return { tools: named, warnings, accepts, failures: [], taken: [] };
  } catch (error) {
    const hint = error instanceof OpsError && error.hint !== undefined ? { fix: error.hint } : {};
    return {
      tools: [],
      ...{ warnings: [], accepts: [], taken: [] },
      failures: [{ ...placeOf(entry), message: `${titleOf(entry)}: ${messageOf(error)}`, ...hint }],
    };
  }
}

/** Rejects when the signal is aborted: a kind that does not look at it must not hold everybody up. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((settle, reject) => {
    const stop = () => reject(new OpsError('unavailable', 'it did not answer in time.'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(settle, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function clash(
  entry: SourceEntry,
  taken: readonly ToolDefinition[],
  known: ReadonlyMap<string, ToolDefinition>,
): Problem[] {
  const [first] = taken;
  if (!first) return [];
  const more = taken.length > 1 ? ` and ${taken.length - 1} more` : '';
  return [
    {
      ...placeOf(entry),
      message: `${titleOf(entry)}: its tool "${first.name}"${more} is left out, since ${reservedName(first.name) ?? `${known.get(first.name)?.source} has a tool of that name`}.`,
      fix: 'Give the source a prefix, for example prefix: vendor.',
    },
  ];
}

const titleOf = ({ kind, source: { name } }: SourceEntry): string =>
  typeof name === 'string' ? `The ${kind} source ${name}` : `The ${kind} source`;

const placeOf = ({ file, line, column }: SourceEntry) => ({ file, line, column });

function contextOf(entry: SourceEntry, options: SourceOptions): SourceContext {
  const { kind: _kind, source: _source, ...rest } = entry;
  const confined = options.confined(entry.file);
  return {
    ...rest,
    place: `${entry.file}:${entry.line}`,
    path: pathFrom(entry.file, options.env, confined),
    cache: cacheIn(options.cacheDir),
    secret: options.secret,
    env: options.env,
    pins: options.pins ?? NO_PINS,
    notice: options.notice ?? (() => undefined),
    signal: options.signal,
  };
}

const NO_PINS: SourceContext['pins'] = { read: async () => undefined, adapters: async () => ({}) };

/** Makes paths absolute that a tool file names; see `SourceContext.path`. */
export function pathFrom(file: string, env: SourceOptions['env'], confined: boolean): SourceContext['path'] {
  const folder = dirname(resolve(file));
  return (relative) => {
    const path = resolve(folder, relative.replace(/^~(?=\/)/, homeFolder(env)));
    if (confined && !isInside(path, folder)) {
      throw new OpsError(
        'usage',
        `${relative} lies outside the folder of its tool file, whose project was trusted for what it holds itself.`,
        'Move it there, or name it in a tool file of your own.',
      );
    }
    return path;
  };
}

function isInside(path: string, folder: string): boolean {
  try {
    return realpathSync(path).startsWith(`${realpathSync(folder)}/`);
  } catch {
    return path.startsWith(`${folder}/`);
  }
}

/** Definitions on disk, by a hash of their key and the version of the program. */
function cacheIn(dir: string): SourceCache {
  const nameOf = (key: string) =>
    `source-${createHash('sha256').update(`${packageVersion()}\n${key}`).digest('hex').slice(0, 32)}.json`;
  return {
    read: (key) => readPrivate(dir, nameOf(key)),
    write: (key, value) => writePrivate(dir, nameOf(key), value),
  };
}
