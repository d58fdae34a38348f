import { basename } from 'node:path';
import type { Json, JsonObject, ToolDefinition } from '../domain/types.js';
import { checkExpression } from '../lib/jmespath.js';
import { type Finding, isList, isObject, objectAt, type Path } from '../lib/json-values.js';
import { didYouMean } from '../lib/nearest.js';
import { DRY_RUN_OPTIONS, READING_VERBS } from './changing-verbs.js';
import { checkOptions, type Item, itemsOf, wordsOf } from './command-line.js';
import { checkCondition, schemaProblem } from './parameters.js';
import { RESTORES } from './placeholders.js';

/**
 * Mistakes in the keys that take care of a change: a dry run, preview, check or save that is more than a read, an undo that
 * lacks a part, conditions and expressions that cannot be used.
 */
export function checkChange(tool: ToolDefinition): Finding[] {
  const reads: [string, JsonObject | undefined][] = [
    ['dry_run', tool.dryRun],
    ['preview', tool.preview],
    ['verify', tool.verify],
  ];
  return [...reads.flatMap(([key, raw]) => (raw ? checkRead(key, raw, tool) : [])), ...checkUndo(tool)];
}

/** What depends on the other tools: those that `preview` and `verify` name. */
export function checkReadTools(
  tool: ToolDefinition,
  known: ReadonlyMap<string, ToolDefinition | undefined>,
): Finding[] {
  const named: [string, JsonObject | undefined][] = [
    ['verify', tool.verify],
    ['preview', tool.preview],
  ];
  return named.flatMap(([key, raw]): Finding[] => {
    const name = raw?.tool;
    if (typeof name !== 'string') return [];
    const path = [key, 'tool'];
    if (!known.has(name)) {
      const fix = didYouMean(name, known.keys()).trim() || 'Name a tool of these files.';
      return [{ path, message: `There is no tool "${name}".`, fix }];
    }
    const other = known.get(name);
    if (!other) return [];
    if (other.riskLevel !== 'low' && other.riskLevel !== 'medium')
      return [
        { path, message: `"${name}" is ${other.riskLevel}: ${key} must only read.`, fix: 'Name a tool that reads.' },
      ];
    const parameters = Object.keys(objectAt(other.parameters, 'properties'));
    return Object.keys(objectAt(raw ?? {}, 'parameters'))
      .filter((parameter) => !parameters.includes(parameter))
      .map((parameter) => ({
        path: [key, 'parameters', parameter],
        message: `${name} has no parameter "${parameter}".${didYouMean(parameter, parameters)}`,
        fix: `Its parameters: ${parameters.join(', ') || '(none)'}.`,
      }));
  });
}

function checkRead(key: string, raw: JsonObject, tool: ToolDefinition): Finding[] {
  const [hasArgv, hasTool] = [raw.argv !== undefined, raw.tool !== undefined];
  if (hasArgv === hasTool) {
    const message = `${key} needs either argv or tool.`;
    return [{ path: [key], message, fix: 'Write the argv of a read, or name a tool that reads.' }];
  }
  const conditions = isObject(raw.when) ? checkCondition(raw.when, [key, 'when'], tool) : [];
  const expected = isObject(raw.expect) ? schemaProblem(raw.expect, [key, 'expect'], 'What is expected') : undefined;
  return [
    ...(hasArgv ? checkReads(raw.argv, [key, 'argv'], tool, key === 'dry_run') : []),
    ...conditions,
    ...(expected ? [expected] : []),
  ];
}

/** An argv beside a change runs unasked: it must be known to read only. */
function checkReads(argv: Json | undefined, path: Path, tool: ToolDefinition, mayBeDryRun: boolean): Finding[] {
  const items = itemsOf(argv, path);
  if (!isList(argv) || items.length === 0) return [];
  const options = checkOptions(items, tool.parameters);
  if (isKnownRead(items.map(({ text }) => text)) || (mayBeDryRun && isDryRun(argv, items))) return options;
  const shown = items
    .map(({ text }) => text)
    .join(' ')
    .slice(0, 80);
  const fix = mayBeDryRun
    ? 'Add --dry-run=server (kubectl) or the like before any "--", or use a command that only reads, such as kubectl diff.'
    : 'Use a command that is known to only read, such as kubectl get or docker inspect.';
  return [...options, { path, message: `${path.join('.')} must only read, but runs "${shown}".`, fix }];
}

function isKnownRead(items: readonly string[]): boolean {
  const [program = '', ...rest] = wordsOf(items);
  const name = basename(program);
  if (name !== program && !program.startsWith('/')) return false;
  const verbs = Object.hasOwn(READING_VERBS, name) ? READING_VERBS[name] : undefined;
  const words = rest.join(' ');
  return verbs?.some((verb) => words === verb || words.startsWith(`${verb} `) || items[1] === verb) ?? false;
}

/** Its own option says so: always there, before any `--`, and no other one takes it back. */
function isDryRun(argv: readonly Json[], items: readonly Item[]): boolean {
  const end = argv.indexOf('--');
  const always = end === -1 ? argv : argv.slice(0, end);
  const contrary = items.filter(({ text }) => /^--dry-run/.test(text) && !DRY_RUN_OPTIONS.includes(text));
  const isKubectl = basename(`${argv[0]}`) === 'kubectl';
  const options = DRY_RUN_OPTIONS.filter((option) => !isKubectl || option.startsWith('--dry-run='));
  return contrary.length === 0 && always.some((item) => typeof item === 'string' && options.includes(item));
}

function checkUndo(tool: ToolDefinition): Finding[] {
  const { undo } = tool;
  if (undo === undefined) return [];
  const ways = RESTORES.filter((key) => undo[key] !== undefined);
  if ((undo.none === undefined) === (undo.save === undefined) || (undo.save !== undefined && ways.length === 0)) {
    const message = 'undo needs either none with a reason, or save with restore, recreate or remove.';
    return [{ path: ['undo'], message, fix: 'A change that cannot be taken back says so: undo: { none: why }.' }];
  }
  if (undo.none !== undefined) return [];
  if (tool.run.kind !== 'command') {
    return [
      {
        path: ['undo', 'save'],
        message: 'Only a tool of run.kind command can save and restore.',
        fix: 'Write undo: { none: why }.',
      },
    ];
  }
  const expressions = Object.entries(objectAt(undo, 'values')).flatMap(([name, text]): Finding[] => {
    const path = ['undo', 'values', name];
    const problem = checkExpression(`${text}`);
    if (problem !== undefined) return [{ path, message: `"${text}" is not a JMESPath expression: ${problem}.` }];
    if (!`${text}`.trimStart().startsWith('[')) return [];
    const message = `"${text}" looks in a list, and would find nothing: values are those of the one object that was saved.`;
    return [{ path, message, fix: 'Leave the index out.' }];
  });
  const advancing = (isList(undo.advancing) ? undo.advancing : []).flatMap((name, index): Finding[] =>
    Object.hasOwn(objectAt(undo, 'values'), `${name}`)
      ? []
      : [{ path: ['undo', 'advancing', index], message: `"${name}" is not among undo.values.` }],
  );
  const exceptions = (isList(undo.except) ? undo.except : []).flatMap((one, index) =>
    checkCondition(objectAt(one as JsonObject, 'when'), ['undo', 'except', index, 'when'], tool),
  );
  const save = checkReads(undo.save, ['undo', 'save'], tool, false);
  return [...save, ...ways.flatMap((key) => checkRestore(tool, key)), ...expressions, ...advancing, ...exceptions];
}

/** A restore runs the program of the tool itself, and no saved value can become an option of it. */
function checkRestore(tool: ToolDefinition, key: string): Finding[] {
  const path = ['undo', key];
  const items = itemsOf(tool.undo?.[key], path);
  const program = isList(tool.run.argv) ? tool.run.argv[0] : undefined;
  const wrong =
    items[0]?.text === program
      ? []
      : [
          {
            path: [...path, 0],
            message: `An undo runs the program of its tool, ${program}.`,
            fix: `Begin with ${program}.`,
          },
        ];
  const saved = items
    .filter(({ text }) => /^\{\{\s*saved\./.test(text))
    .map((item) => ({
      path: item.path,
      message: 'A saved value begins an item of argv, and one that begins with "-" would become an option.',
      fix: 'Write "--option={{ saved.name }}".',
    }));
  return [...wrong, ...saved, ...checkOptions(items, tool.parameters)];
}
