import type { BashNode } from '../../../lib/bash.js';
import { type BindContext, bindScript, type Edit } from './bind.js';
import { bindJq } from './jq.js';
import { findMarks, hasMark, refuse } from './marks.js';
import type { Values } from './trace.js';
import { programOf, quoted, staticText, wordsOf } from './words.js';

const SHELLS = /^(ba|da|z|k|a)?sh$/;
const AWK = /^[gmn]?awk$/;
const SED = /^g?sed$/;
/** They run code, or what their arguments say, in ways that nothing here can follow. */
const INTERPRETERS =
  /^(python[\d.]*|pypy\d?|perl[\d.]*|ruby|node|nodejs|deno|bun|php\d?|lua[\d.]*|tclsh|expect|Rscript|osascript|gdb|java|groovy|pwsh)$/;
const FORBIDDEN =
  /^(eval|source|\.|trap|let|ssh|su|watch|parallel|script|at|batch|flock|tmux|screen|make|gmake|ed|ex|vim?|nvim|emacs|m4|bc|dc|psql|mysql|mariadb|sqlite3|mongo(sh)?|alias|mapfile|readarray|getopts|enable|complete|compgen|bind|hash|fc|history|coproc|shopt|busybox|toybox|rlwrap|entr|socat|nc|ncat)$/;
/** They run the program that their arguments name. */
const WRAPPERS =
  /^(sudo|doas|env|timeout|nice|ionice|nohup|time|command|exec|builtin|setsid|stdbuf|chroot|strace|xargs|find|nsenter|unshare|runuser)$/;
/** They run one elsewhere. */
const REMOTE = /^(kubectl|oc|docker|podman|nerdctl|crictl|ip|docker-compose|lxc|incus|vagrant|multipass)$/;
/** They hand the environment on and start nothing else. */
const TRANSPARENT = /^(timeout|nice|ionice|nohup|time|command|stdbuf)$/;

/**
 * Looks for words of a command that another interpreter reads as code. Values in the code of a shell become its positional
 * parameters, in strings of jq they become `$ENV.NAME`; any other code that holds a value, or may be made of one, is refused.
 * @throws OpsError usage
 */
export function codeEdits(command: BashNode, values: Values, context: BindContext): Edit[] {
  const words = wordsOf(command);
  const [first] = words;
  if (!first) return [];
  const program = programOf(first);
  if (program === undefined) {
    if (values.reach(first)) refuse('a value would be the name of a program');
    return [];
  }
  const isWrapper = WRAPPERS.test(program);
  if (isWrapper) checkWrapper(program, words, values);
  const from = isWrapper ? 1 : REMOTE.test(program) ? remoteFrom(words) : words.length;
  const at = isCode(program) ? 0 : words.findIndex((word, index) => index >= from && isCode(programOf(word) ?? ''));
  if (at < 0) return checkPlain(program, words, values);
  const name = programOf(words[at]) ?? '';
  const rest = words.slice(at + 1);
  if (at > 0 && /^(xargs|find)$/.test(program) && SHELLS.test(name))
    refuse(`${program} starts ${name} with what it reads`);
  if (SHELLS.test(name)) return shellEdits(name, rest, values, context);
  if (name === 'jq') return jqEdits(rest, values, context, at === 0 || TRANSPARENT.test(program));
  if (AWK.test(name)) return checkAwk(rest, values);
  if (SED.test(name)) return checkSed(rest, values);
  if (FORBIDDEN.test(name)) refuse(`${name} reads its arguments as code, which is not done where values are used`);
  return checkInterpreter(name, rest, values);
}

const isCode = (name: string): boolean =>
  name === 'jq' || [SHELLS, AWK, SED, INTERPRETERS, FORBIDDEN].some((pattern) => pattern.test(name));

function remoteFrom(words: readonly BashNode[]): number {
  const at = words.findIndex((word) => /^(--|exec|run|debug|ssh|shell)$/.test(staticText(word) ?? ''));
  return at < 0 ? words.length : at + 1;
}

/** Builtins that take a name, or evaluate one. */
function checkPlain(program: string, words: readonly BashNode[], values: Values): Edit[] {
  const used = words.slice(1).filter(values.reach).length;
  const options = words.map(staticText);
  if (program === 'printf' && options.some((option) => option?.startsWith('-v'))) refuse('printf -v sets a variable');
  if ((program === 'test' || program === '[') && (used > 1 || options.includes('-v') || options.includes('-R')))
    refuse('a test may look a variable up by its name');
  if (/^(read|unset|wait|export|declare|typeset|local|readonly)$/.test(program) && used > 0)
    refuse(`${program} would take a value for a name`);
  return [];
}

/** The program that a wrapper starts, and what stands before it, must be fixed. */
function checkWrapper(program: string, words: readonly BashNode[], values: Values): void {
  const fixed = (word: BashNode) => !values.reach(word) && /^[A-Za-z./_][\w./-]*$/.test(staticText(word) ?? '');
  const start = words.findIndex((word, index) => index > 0 && fixed(word));
  const early = program === 'find' ? [] : words.slice(1, start < 0 ? undefined : start);
  const named = words.filter((_, index) =>
    /^-(exec|ok)(dir)?$/.test(staticText(words[index - 1] ?? (words[0] as BashNode)) ?? ''),
  );
  if ([...early, ...named].some(values.reach)) refuse(`a value would tell ${program} what to start`);
}

/** `sh -c 'grep {{ x }} file'` becomes `sh -c 'grep "${1}" file' sh "$ARG_X"`. */
function shellEdits(shell: string, rest: readonly BashNode[], values: Values, context: BindContext): Edit[] {
  const at = rest.findIndex((word) => !/^-[a-z]*$/.test(staticText(word) ?? ''));
  const options = rest.slice(0, at).map(staticText);
  const code = rest[at];
  if (!code || at === 0 || !options.some((option) => option?.endsWith('c'))) {
    if (!code || at > 0) refuse(`${shell} may read code that is made of values`);
    if (code && values.reach(code)) refuse(`a value would tell ${shell} what to run`);
    return [];
  }
  const text = staticText(code);
  if (text === undefined) return refuse(`the code of ${shell} -c is made while the script runs`);
  const used = [...new Set(findMarks(text, context.variables).map(({ variable }) => variable))];
  const others = rest.slice(at + 1);
  if (used.length > 0 && (others.length > 0 || /\$\{?[@*#\d]/.test(text)))
    refuse(`the code of ${shell} -c has arguments of its own beside the values in it`);
  const reference = (variable: string) => `\${${used.indexOf(variable) + 1}}`;
  const bound = bindScript(text, { ...context, reference, nested: used.length > 0 || others.some(values.reach) });
  if (used.length === 0) return [];
  const passed = used.map((variable) => `"${context.reference(variable)}"`).join(' ');
  return [{ start: code.start, end: code.end, text: `${quoted(bound)} ${shell} ${passed}`, values: used.length }];
}

function jqEdits(rest: readonly BashNode[], values: Values, context: BindContext, hasEnvironment: boolean): Edit[] {
  return rest.flatMap((word): Edit[] => {
    if (!hasMark(word.text) || word.type === 'word') return [];
    const text = staticText(word);
    const isWhole =
      text !== undefined && findMarks(text, context.variables).some(({ start, end }) => end - start === text.length);
    if (isWhole) return [];
    if (text === undefined || context.nested || !hasEnvironment || values.standIn(word) !== hasMark(word.text))
      return refuse('a value stands in a program of jq that gets no values of its own');
    return [{ start: word.start, end: word.end, text: quoted(bindJq(text, context.variables)), values: 0 }];
  });
}

/** A program of awk that starts nothing and writes nowhere. Values are set with -v, or are files. */
function checkAwk(rest: readonly BashNode[], values: Values): Edit[] {
  for (const [index, word] of rest.entries()) {
    const before = index === 0 ? undefined : staticText(rest[index - 1] as BashNode);
    const text = staticText(word);
    if (before === '-v' && /^\w+=/.test(word.text)) continue;
    if (values.reach(word) || text === undefined) refuse('a value may become code of awk');
    if (before === '-F' || /^(-v|-F.*)$/.test(text ?? '')) continue;
    if (/^-|system|getline|@|\|/.test((text ?? '-').replaceAll('||', '')))
      refuse('a program of awk may start what a value says');
    return [];
  }
  return [];
}

/** Scripts of sed that only print, drop or replace. */
const SED_PLAIN =
  /^(?:[\d,$!]*[pdq=]|\/[^/\n]*\/!?[pdq]|s([|/#,:@~])(?:(?!\1)[^\n\\]|\\.)*\1(?:(?!\1)[^\n\\]|\\.)*\1[gpiI\d]*)$/;

function checkSed(rest: readonly BashNode[], values: Values): Edit[] {
  let isScriptSeen = false;
  for (const [index, word] of rest.entries()) {
    const text = staticText(word);
    const isScript =
      (index > 0 && staticText(rest[index - 1] as BashNode) === '-e') || (!isScriptSeen && !text?.startsWith('-'));
    if (isScript && (text === undefined || values.reach(word) || !SED_PLAIN.test(text)))
      refuse('a script of sed may run what a value says');
    if (isScript) isScriptSeen = true;
    else if (text?.startsWith('-') && !/^(-[nErsuz]+|-e|-i\S*)$/.test(text)) refuse(`sed ${text} is not known here`);
  }
  return [];
}

/** Fixed code that reads its input is fine; with a value among the arguments it could do anything. */
function checkInterpreter(name: string, rest: readonly BashNode[], values: Values): Edit[] {
  if (rest.some(values.reach)) refuse(`a value would be an argument of ${name}, which can run anything`);
  if (!rest.some((word) => /^-(c|e|m|ne|pe|ane|nE|r)$/.test(staticText(word) ?? '')))
    refuse(`${name} may read code that is made of values`);
  return [];
}
