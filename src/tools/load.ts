import type { Executor } from '../domain/ports.js';
import type { JsonObject, ToolDefinition } from '../domain/types.js';
import { compileSchema } from '../lib/json-schema.js';
import type { Finding } from '../lib/json-values.js';
import { type Problem, sortProblems } from '../lib/problems.js';
import { checkChange, checkReadTools } from './changes.js';
import { checkCommandLine } from './command-line.js';
import { describeFile, type Entry, readEntries, type ToolFile } from './entries.js';
import { checkExamples, checkIntents } from './examples.js';
import { checkExpressions, checkParameters } from './parameters.js';
import { checkPlaceholders } from './placeholders.js';
import { reservedName } from './reserved.js';
import { toolSchema } from './schema.js';
import type { SourceEntry } from './sources/source.js';
import { checkWorkflow, workflowCycle } from './workflows.js';

export interface LoadedFile {
  readonly path: string;
  readonly system: string;
  readonly description: string;
  /** For the model, when a tool of this file is offered. */
  readonly instructions: string;
}

export interface LoadedTools {
  /** Definitions without a problem. A caller that needs all of them looks at `problems` first. */
  readonly tools: readonly ToolDefinition[];
  readonly files: readonly LoadedFile[];
  /** Tools from elsewhere that the files name: `sources/load.ts` loads them. */
  readonly sources: readonly SourceEntry[];
  /** Every mistake of every file, by file and line. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Reads tool files and checks everything that can be checked before a tool runs. Pure: the same texts give the same
 * result. Never throws for what a file holds.
 * @throws OpsError `usage` when an executor's own schema cannot be used.
 */
export function loadToolFiles(
  files: readonly ToolFile[],
  executors: readonly Executor[],
  loadedBefore: readonly ToolDefinition[] = [],
): LoadedTools {
  const validate = compileSchema(schemaFor(executors));
  const read = files.map((file) => ({ file, ...readEntries(file, validate) }));
  const entries = read.flatMap((file) => file.entries);
  const first = firstByName(entries);
  const before = new Map(loadedBefore.map((tool) => [tool.name, tool]));
  const known = new Map<string, ToolDefinition | undefined>(before);
  for (const [name, entry] of first)
    if (!before.has(name)) known.set(name, entry.broken.size === 0 ? entry.tool : undefined);
  const cycle = workflowCycle([...loadedBefore, ...[...first.values()].map((entry) => entry.tool)]);

  const checked = entries.map((entry) => {
    const findings = [
      ...entry.findings,
      ...checkDuplicate(entry, before.get(entry.tool.name) ?? first.get(entry.tool.name)?.tool),
      ...checkEntry(entry, executors),
      ...checkOthers(entry, known, cycle),
    ];
    return { entry, problems: findings.map(entry.place) };
  });
  return {
    tools: checked.filter(({ problems }) => problems.length === 0).map(({ entry }) => entry.tool),
    files: read.map(({ file, header }) => describeFile(file.path, header)),
    sources: read.flatMap((file) => file.sources),
    problems: sortProblems([...read.flatMap((file) => file.problems), ...checked.flatMap(({ problems }) => problems)]),
    warnings: read.flatMap((file) => file.warnings),
  };
}

const schemas = new WeakMap<readonly Executor[], JsonObject>();

/** One schema for one list of executors, so that it is compiled once. */
function schemaFor(executors: readonly Executor[]): JsonObject {
  const schema = schemas.get(executors) ?? toolSchema(executors);
  schemas.set(executors, schema);
  return schema;
}

function firstByName(entries: readonly Entry[]): Map<string, Entry> {
  const first = new Map<string, Entry>();
  for (const entry of entries)
    if (entry.tool.name !== '' && !first.has(entry.tool.name)) first.set(entry.tool.name, entry);
  return first;
}

function checkDuplicate({ tool }: Entry, other: ToolDefinition | undefined): Finding[] {
  const reserved = reservedName(tool.name);
  if (reserved !== undefined) return [{ path: ['name'], message: `${reserved}.`, fix: 'Choose another name.' }];
  if (other === undefined || other === tool) return [];
  return [
    {
      path: ['name'],
      message: `There are two tools called "${tool.name}": ${other.source} and ${tool.source}.`,
      fix: 'Rename one of them, or leave its file out.',
    },
  ];
}

/** What can be said of a definition alone. A check is left out when the schema already refused what it looks at. */
function checkEntry({ tool, broken }: Entry, executors: readonly Executor[]): Finding[] {
  const isSound = (...keys: string[]) => keys.every((key) => !broken.has(key));
  const parameters = isSound('parameters') ? checkParameters(tool) : [];
  const usable = isSound('parameters') && parameters.length === 0;
  const executor = executors.find(({ kind }) => kind === tool.run.kind);
  return [
    ...parameters,
    ...(isSound('parameters', 'run', 'env', 'verify', 'undo', 'dry_run', 'preview') ? checkPlaceholders(tool) : []),
    ...(isSound('parameters', 'run', 'verify', 'undo', 'dry_run', 'preview') ? checkChange(tool) : []),
    ...(isSound('parameters', 'run', 'risk_level') ? checkCommandLine(tool) : []),
    ...(isSound('parameters', 'fields', 'output', 'raise') ? checkExpressions(tool) : []),
    ...(isSound('parameters', 'intents') ? checkIntents(tool) : []),
    ...(usable && isSound('examples') ? checkExamples(tool, isSound('run') ? executor : undefined) : []),
  ];
}

/** What depends on the other tools. */
function checkOthers(
  { tool, broken }: Entry,
  known: ReadonlyMap<string, ToolDefinition | undefined>,
  cycle: readonly string[],
): Finding[] {
  const steps = broken.has('run') ? [] : checkWorkflow(tool, known);
  const inCycle = cycle.includes(tool.name)
    ? [
        {
          path: ['run', 'steps'],
          message: `The workflows ${cycle.join(', ')} call each other without end.`,
          fix: 'Take one of the steps out.',
        },
      ]
    : [];
  return [...steps, ...inCycle, ...checkReadTools(tool, known)];
}
