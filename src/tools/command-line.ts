import { basename } from 'node:path';
import { type Json, type JsonObject, RISKS, type ToolDefinition } from '../domain/types.js';
import { type Finding, isList, isObject, objectAt, type Path } from '../lib/json-values.js';
import { placeholdersIn } from '../lib/template.js';
import { CHANGING_PROGRAMS, CHANGING_VERBS, OPTIONS_WITH_VALUE } from './changing-verbs.js';
import { interactiveAdvice } from './interactive.js';

/** Programs that run the program that follows. */
const WRAPPERS = ['sudo', 'doas', 'env', 'nice', 'nohup', 'timeout', 'time', 'stdbuf'];
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish'];
/** Interpreters whose -c or -e takes code. */
const INTERPRETERS = [...SHELLS, 'python', 'python3', 'perl', 'ruby', 'node'];
/** What one placeholder may become, with the list parameter that `item` stands for. */
export interface Item {
  readonly text: string;
  readonly path: Path;
  readonly list?: string;
}

/**
 * Mistakes in what a command tool would run: a program that is not fixed, a value that could become an option, a value
 * inside code for a shell, and a change that claims to be a read.
 */
export function checkCommandLine(tool: ToolDefinition): Finding[] {
  const requires = tool.requires.flatMap(({ command }, index) =>
    checkRequirement(command ?? [], ['requires', index, 'command']),
  );
  if (tool.run.kind === 'http') return [...requires, ...checkMethod(tool)];
  if (tool.run.kind !== 'command') return requires;
  const items = itemsOf(tool.run.argv, ['run', 'argv']);
  return [
    ...requires,
    ...checkProgram(tool.run.argv),
    ...checkOptions(items, tool.parameters),
    ...checkShell(items),
    ...checkInteractive(items),
    ...checkRisk(items, tool),
  ];
}

/** A check of a requirement runs unasked, as a call that reads: it may ask a program for its version or state, and no more. */
function checkRequirement(command: readonly string[], path: Path): Finding[] {
  const [program = '', ...words] = command;
  const name = basename(program);
  const isCode = [...INTERPRETERS, ...WRAPPERS, 'xargs', 'find', 'awk', 'ssh'].includes(name.replace(/[\d.]+$/, ''));
  const isPlain = words.length <= 3 && words.every((word) => /^[A-Za-z0-9=._-]{1,40}$/.test(word));
  if (program === '' || (words.length === 0 && !isCode)) return [];
  if (!isCode && isPlain && changingVerb(command) === undefined) return [];
  return [
    {
      path,
      message: `requires may only ask a program for its version or state, not run ${JSON.stringify(command.join(' ').slice(0, 80))}.`,
      fix: 'Write the program and at most three plain words, such as [docker, version].',
    },
  ];
}

function checkInteractive(items: readonly Item[]): Finding[] {
  const advice = interactiveAdvice(items.map(({ text }) => text));
  return advice === undefined
    ? []
    : [{ path: ['run', 'argv'], message: advice, fix: 'A call has no terminal, and must end.' }];
}

function checkProgram(argv: Json | undefined): Finding[] {
  const [program] = isList(argv) ? argv : [];
  if (typeof program === 'string' && program !== '' && placeholdersIn(program).length === 0) return [];
  return [
    {
      path: ['run', 'argv', 0],
      message: 'The program (the first item of argv) must be a fixed text.',
      fix: 'Write the name of the program; make one tool a program.',
    },
  ];
}

/** Values that could become an option, because a placeholder begins an item. */
export function checkOptions(items: readonly Item[], parameters: JsonObject): Finding[] {
  const end = items.findIndex(({ text, path }) => text === '--' && path.length === 3);
  const before = end === -1 ? items : items.slice(0, end);
  return before.flatMap(({ text, path, list }) =>
    leadingPlaceholders(text).flatMap((name): Finding[] => {
      const schema = schemaOf(name, list, parameters);
      if (schema === undefined || rulesOutOption(schema)) return [];
      const shown = name === 'item' ? `An element of "${list}"` : `Parameter "${name}"`;
      const message = `${shown} begins an item of argv, and a value that begins with "-" would become an option.`;
      const fix = `Give it a pattern such as "^[A-Za-z0-9][A-Za-z0-9._-]*$", write "--option={{ ${name} }}", or put "--" before it.`;
      return [{ path, message, fix }];
    }),
  );
}

/** Placeholders at the start of an item; a second one counts too, because the first may be empty. */
function leadingPlaceholders(text: string): string[] {
  const match = /^(?:\{\{\s*[\w.-]+\s*\}\})+/.exec(text);
  return match ? placeholdersIn(match[0]) : [];
}

function schemaOf(name: string, list: string | undefined, parameters: JsonObject): JsonObject | undefined {
  const properties = objectAt(parameters, 'properties');
  if (name === 'item' && list !== undefined) return objectAt(objectAt(properties, list), 'items');
  return Object.hasOwn(properties, name) ? objectAt(properties, name) : undefined;
}

/** Whether no value that fits the schema begins with "-". */
export function rulesOutOption(schema: JsonObject): boolean {
  if (isList(schema.enum)) return schema.enum.every((value) => !`${value}`.startsWith('-'));
  if (schema.const !== undefined) return !`${schema.const}`.startsWith('-');
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') {
    const least = [schema.minimum, schema.exclusiveMinimum].find((limit) => typeof limit === 'number');
    return typeof least === 'number' && least >= 0;
  }
  return schema.type === 'string' && typeof schema.pattern === 'string' && patternRulesOutOption(schema.pattern);
}

function patternRulesOutOption(pattern: string): boolean {
  if (!pattern.startsWith('^') || hasOpenAlternative(pattern)) return false;
  const test = readPattern(pattern);
  // A pattern that is none is reported with the schema; it need not be reported twice.
  return test === undefined || OPTION_SAMPLES.every((sample) => !test.test(sample));
}

function readPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** `^a|b` is anchored in its first half only. */
function hasOpenAlternative(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./gu, '').replaceAll(/\[[^\]]*\]/gu, '');
  let depth = 0;
  for (const character of plain) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === '|' && depth === 0) return true;
  }
  return false;
}

/** Texts that begin with "-", of many lengths, made of what patterns usually allow. */
const OPTION_SAMPLES = ['a', 'A', '0', '-', '_', '.', '/', ':', '=', ' ', '@', '中'].flatMap((character) =>
  Array.from({ length: 65 }, (_, length) => `-${character.repeat(length)}`),
);

function checkShell(items: readonly Item[]): Finding[] {
  return items.flatMap(({ text, path }, index): Finding[] => {
    const option = items[index - 1]?.text ?? '';
    const interpreters = items.slice(0, index).filter((item) => INTERPRETERS.includes(basename(item.text)));
    if (interpreters.length === 0 || !/^-[a-z]*[ce]$/.test(option) || placeholdersIn(text).length === 0) return [];
    return [
      {
        path,
        message: 'A placeholder stands inside code for an interpreter, where its value could become code.',
        fix: 'Use run.kind script: arguments reach it as variables ARG_<NAME>.',
      },
    ];
  });
}

function checkRisk(items: readonly Item[], tool: ToolDefinition): Finding[] {
  const verb = changingVerb(items.map(({ text }) => text));
  return verb === undefined ? [] : tooLow(tool, `runs "${verb}", which changes something,`);
}

/** DELETE, PUT and PATCH change something by definition; POST often carries a query. */
function checkMethod(tool: ToolDefinition): Finding[] {
  const { method } = tool.run;
  return typeof method === 'string' && ['DELETE', 'PUT', 'PATCH'].includes(method)
    ? tooLow(tool, `sends ${method}, which changes something,`)
    : [];
}

function tooLow(tool: ToolDefinition, does: string): Finding[] {
  if (RISKS.indexOf(tool.riskLevel) >= RISKS.indexOf('high')) return [];
  return [
    {
      path: ['risk_level'],
      message: `The tool ${does} but claims risk_level: ${tool.riskLevel}.`,
      fix: 'Use high, or critical when it cannot be undone.',
    },
  ];
}

/** `kubectl delete`, or undefined when the fixed words of an argv are not known to change anything. */
export function changingVerb(items: readonly string[]): string | undefined {
  const words = wordsOf(items);
  const start = words.findIndex((word) => !WRAPPERS.includes(basename(word)) && !/^\w+=|^\d/.test(word));
  const program = basename(words[start] ?? '');
  if (CHANGING_PROGRAMS.includes(program)) return program;
  const verbs = Object.hasOwn(CHANGING_VERBS, program) ? CHANGING_VERBS[program] : undefined;
  const rest = words.slice(start + 1).join(' ');
  const verb = verbs?.find((candidate) => rest === candidate || rest.startsWith(`${candidate} `));
  return verb === undefined ? undefined : `${program} ${verb}`;
}

/** The items that are neither options nor values of options. */
export function wordsOf(items: readonly string[]): string[] {
  return items.filter((item, index) => !item.startsWith('-') && !OPTIONS_WITH_VALUE.includes(items[index - 1] ?? ''));
}

/** The items of an argv template, those in `when` and `for_each` too. */
export function itemsOf(argv: Json | undefined, path: Path, list?: string): Item[] {
  if (!isList(argv)) return [];
  return argv.flatMap((item, index): Item[] => {
    const at = [...path, index];
    if (typeof item === 'string') return [{ text: item, path: at, ...(list !== undefined && { list }) }];
    if (!isObject(item)) return [];
    return [
      ...itemsOf(item.argv, [...at, 'argv'], typeof item.for_each === 'string' ? item.for_each : list),
      ...itemsOf(item.else, [...at, 'else'], list),
    ];
  });
}
