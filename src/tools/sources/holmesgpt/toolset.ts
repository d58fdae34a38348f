import { OpsError } from '../../../domain/errors.js';
import type { JsonObject, ToolDefinition } from '../../../domain/types.js';
import type { ParseBash } from '../../../lib/bash.js';
import { isList, isObject, objectAt, textsAt } from '../../../lib/json-values.js';
import type { Problem } from '../../../lib/problems.js';
import { toDefinition } from '../../definition.js';
import { toolNameOf } from '../names.js';
import type { RawToolset } from './files.js';
import { readInstructions, withoutEnvironment } from './instructions.js';
import { withoutMarks } from './marks.js';
import { declaredOf } from './parameters.js';
import { type Prerequisites, readPrerequisites } from './prerequisites.js';
import { runOf } from './run.js';
import { readTransformers } from './transformers.js';

/** What a toolset is imported with. */
export interface ImportOptions {
  readonly parse: ParseBash;
  /** Of the tool file that names the source: its `defaults` and `instructions`. */
  readonly header: JsonObject;
}

/** A call that has not ended after this many seconds is ended, unless the tool file says otherwise. */
const TIMEOUT_SECONDS = 60;
const MAX_DESCRIPTION = 1500;

const SET_KEYS = [
  ...[
    'description',
    'enabled',
    'type',
    'tools',
    'prerequisites',
    'tags',
    'docs_url',
    'icon_url',
    'name',
    'path',
    'status',
  ],
  ...['installation_instructions', 'config', 'experimental', 'is_default', 'error', 'expose_remotely', 'transformers'],
  ...['restricted_tools', 'approval_required_tools', 'llm_instructions', 'additional_instructions'],
];
const TOOL_KEYS = [
  ...['name', 'description', 'command', 'script', 'parameters', 'user_description', 'transformers', 'icon_url'],
  ...['restricted', 'additional_instructions', 'additionalInstructions', 'args'],
];
const TAGS = ['core', 'cluster', 'cli'];

/** The tools of a toolset. One that cannot be imported safely is left out, with the reason among the warnings. */
export async function importToolset(
  { name, raw, place }: RawToolset,
  options: ImportOptions,
): Promise<{ tools: ToolDefinition[]; warnings: Problem[] }> {
  const warnings: Problem[] = [];
  const warn = (message: string) => warnings.push({ ...place, message: `${name}: ${message}` });
  const { off, ...prerequisites } = readPrerequisites(raw.prerequisites, options.parse);
  const reason = raw.enabled === false ? 'enabled: false' : off;
  if (reason !== undefined) warn(`it is turned off (${reason}).`);
  else if (!isList(raw.tools) || raw.tools.length === 0) warn(withoutTools(raw));
  const tools = reason === undefined && isList(raw.tools) ? raw.tools.filter(isObject) : [];
  const advice = await readInstructions(name, tools.length > 0 ? raw.llm_instructions : undefined);
  const notes = [...notesOf(raw, tools), ...transformed(raw, tools), ...advice.warnings, ...prerequisites.warnings];
  if (tools.length > 0) for (const note of notes) warn(`${note}.`);
  const imported: ToolDefinition[] = [];
  for (const tool of tools) {
    try {
      const made = await importTool(tool, { name, raw, place }, prerequisites, options);
      const instructions = [...(made.instructions ?? []), ...advice.instructions];
      imported.push(instructions.length > 0 ? { ...made, instructions } : made);
    } catch (error) {
      if (!(error instanceof OpsError)) throw error;
      warn(`the tool ${JSON.stringify(tool.name ?? '')} is left out: ${withoutMarks(error.message)}.`);
    }
  }
  return { tools: imported, warnings };
}

const withoutTools = ({ type }: JsonObject): string =>
  typeof type === 'string' && !/^(built-in|custom)$/.test(type)
    ? `toolsets of type ${type} are not imported.`
    : 'it has no tools of its own here; name the file that holds them before this one.';

/** What is in a toolset that has no effect here. */
function notesOf(raw: JsonObject, tools: readonly JsonObject[]): string[] {
  const unknown = Object.keys(raw).filter((key) => !SET_KEYS.includes(key) && key !== 'installation');
  const inTools = [...new Set(tools.flatMap((tool) => Object.keys(tool)))].filter((key) => !TOOL_KEYS.includes(key));
  const tags = textsAt(raw, 'tags').filter((tag) => !TAGS.includes(tag));
  const hasPipe = [raw, ...tools].some(({ additional_instructions: pipe }) => typeof pipe === 'string');
  return [
    ...(unknown.length > 0 ? [`${unknown.join(', ')}: not known, and without effect`] : []),
    ...(inTools.length > 0 ? [`${inTools.join(', ')} of its tools: not known, and without effect`] : []),
    ...(tags.length > 0 ? [`the tags ${tags.join(', ')} are taken for labels`] : []),
    ...(Object.hasOwn(raw, 'installation') ? ['installation is read as installation_instructions'] : []),
    ...(tools.some(({ parameters }) => isList(parameters)) ? ['parameters that are a list are read as a map'] : []),
    ...(hasPipe ? ['additional_instructions is a command that results would go through; it is not run'] : []),
  ];
}

/** What is wrong with transformers, each once. */
const transformed = ({ transformers }: JsonObject, tools: readonly JsonObject[]): string[] => [
  ...new Set(tools.flatMap((tool) => readTransformers(transformers, tool.transformers).warnings)),
];

async function importTool(
  tool: JsonObject,
  { name: set, raw, place }: RawToolset,
  { requires, env }: Omit<Prerequisites, 'off' | 'warnings'>,
  { parse, header }: ImportOptions,
): Promise<ToolDefinition> {
  const name = typeof tool.name === 'string' && tool.name.trim() !== '' ? tool.name.trim() : undefined;
  if (name === undefined) throw new OpsError('usage', 'it has no name');
  const declared = declaredOf(tool.parameters ?? tool.args);
  const { run, parameters } = await runOf(tool, { declared, config: objectAt(raw, 'config'), env, parse });
  const description = [tool.description, tool.additionalInstructions].filter((text) => typeof text === 'string');
  const needsYes =
    tool.restricted === true ||
    isNamed(name, [...textsAt(raw, 'approval_required_tools'), ...textsAt(raw, 'restricted_tools')]);
  const { summarize } = readTransformers(raw.transformers, tool.transformers);
  const definition: JsonObject = {
    ...{ timeout_seconds: TIMEOUT_SECONDS, ...objectAt(header, 'defaults') },
    ...{ name: toolNameOf(name), display_name: name, category: toolNameOf(set.split('/')[0] ?? set) },
    description: withoutEnvironment(description.join('\n').trim() || name).slice(0, MAX_DESCRIPTION),
    // What its commands are raises it, call by call.
    risk_level: needsYes ? 'high' : 'low',
    permissions: [`holmesgpt:${toolNameOf(set)}:${toolNameOf(name)}`],
    ...{ parameters, run, requires },
    output: { format: 'text', keep: 'both', ...(summarize && { summarize }) },
  };
  return toDefinition(definition, { instructions: header.instructions ?? null }, `${place.file}:${place.line}`);
}

/** Whether one of several patterns of file names matches. */
export function isNamed(name: string, patterns: readonly string[]): boolean {
  const plain = (text: string) => text.replaceAll(/[.+^${}()|\\]/g, '\\$&');
  return patterns.some((pattern) =>
    new RegExp(`^${plain(pattern).replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(name),
  );
}
