import type { Action, Classification, Json, Risk, RunSpec } from '../../domain/types.js';
import { isList, isObject, textsAt } from '../../lib/json-values.js';
import {
  commandsDigest,
  fillCommand,
  readCommands,
  type ScriptCommand,
  UNKNOWN_WORD,
} from '../../lib/script-commands.js';
import { rank } from '../rank.js';
import { classify } from './index.js';
import { isAlwaysReader } from './readers.js';
import { conclude, high, low, medium } from './verdict.js';

/**
 * The argv of every command in a script, when the import has read them from this very code; undefined for any other script, and when
 * commands and code do not belong together.
 */
export function commandsIn({ kind, tokens, payload }: Action): readonly (readonly string[])[] | undefined {
  if (kind !== 'script') return undefined;
  const commands = readCommands(payload.commands);
  const interpreter = textsAt(payload, 'interpreter');
  const code = tokens.at(-1) ?? '';
  const isSame = code === payload.code && JSON.stringify(tokens) === JSON.stringify([...interpreter, code]);
  if (!commands || !isSame || payload.digest !== commandsDigest(interpreter, code, payload.commands as Json))
    return undefined;
  const values = isObject(payload.arguments) ? payload.arguments : {};
  return commands.map((command) => fillCommand(command, values));
}

/** What a script does beside starting programs; the import writes it as a command of this name. */
const ACTS: Readonly<Record<string, string>> = {
  redirect: 'it writes to a file',
  evaluate: 'its shell reads a text once more, and commands may stand in it',
  export: 'it sets variables that its programs may read',
};

/** Reads one command of a script. Words that only the run will know may be anything. */
export function classifyInScript(argv: readonly string[]): Classification | undefined {
  const [program = '', ...items] = argv;
  const reason = Object.hasOwn(ACTS, program) ? ACTS[program] : undefined;
  if (reason !== undefined)
    return conclude([], { program, verb: '', mark: high(reason), scope: 'unknown', reversible: false, parsed: [] });
  if (/^[gmn]?awk$/.test(program)) return classifyAwk(program, items);
  const found = classify(argv);
  const isUnsure = found?.risk === 'low' && isAlwaysReader(program) && !/^(echo|printf|test)$/.test(program);
  return found && isUnsure && items.includes(UNKNOWN_WORD)
    ? { ...found, ...medium('what it reads is known to the script only') }
    : found;
}

/** awk with a program that starts nothing and writes nowhere. */
function classifyAwk(program: string, items: readonly string[]): Classification {
  let at = 0;
  while (/^-[vF]/.test(items[at] ?? '')) at += (items[at] ?? '').length === 2 ? 2 : 1;
  const code = (items[at] ?? UNKNOWN_WORD).replaceAll('||', '');
  // A text, a pattern or a line that goes on may hold what looks like the end of a statement.
  const prints = /["/\\\n]/.test(code) ? /printf?\b[\s\S]*>/ : /printf?\b[^;}]*>/;
  const acts =
    code.startsWith('-') ||
    /system|getline|@|\|/.test(code) ||
    prints.test(code) ||
    items.slice(at + 1).some((item) => item.startsWith('-'));
  const mark = acts ? high(`with these arguments ${program} may change something`) : low();
  return conclude(items.slice(at + 1), {
    program,
    verb: '',
    mark,
    scope: acts ? 'unknown' : 'none',
    reversible: !acts,
    parsed: [],
  });
}

/** What a whole script does: its gravest command, with what all of them name. Undefined when a program in it is not known. */
export function classifyScript(commands: readonly (readonly string[])[]): Classification | undefined {
  const found = commands.map(classifyInScript);
  const known = found.filter((one) => one !== undefined);
  const [top] = known.toSorted((a, b) => rank(b.risk) - rank(a.risk));
  if (!top || known.length < found.length) return undefined;
  return {
    ...top,
    targets: [...new Set(known.flatMap(({ targets }) => targets))],
    connection: known.flatMap(({ connection }) => connection),
  };
}

/**
 * The risk that calls of an imported script have at least, whatever their arguments are: high when a program in each of its texts is
 * one that no table knows, and what its gravest command says by itself. What a call really does is judged with its arguments.
 */
export function leastRisk({ variants }: RunSpec): Risk | undefined {
  const all = (isList(variants) ? variants : []).filter(isObject).map((variant) => readCommands(variant.commands));
  const risks = all.map((commands) => commands?.map(leastRiskOf).toSorted(byRank).at(-1) ?? 'high');
  return risks.toSorted(byRank)[0];
}

const byRank = (a: Risk, b: Risk): number => rank(a) - rank(b);

/** Values with which commands do the least: an ordinary name, verbs that read, and ways to try only. */
const HARMLESS = ['x', '1', 'get', 'list', 'ps', 'status', 'show', 'version', 'client', 'true'];

function leastRiskOf(command: ScriptCommand): Risk {
  const names = command.flat().flatMap((part) => (typeof part !== 'string' && 'arg' in part ? [part.arg] : []));
  let least: Risk | undefined;
  for (const value of names.length === 0 ? [''] : HARMLESS) {
    const values = Object.fromEntries(names.map((name) => [name, value]));
    const { risk } = classifyInScript(fillCommand(command, values)) ?? { risk: 'high' as const };
    if (least === undefined || rank(risk) < rank(least)) least = risk;
    if (least === 'low') break;
  }
  return least ?? 'high';
}
