import { type BashNode, nodesOf, type ParseBash } from '../../../lib/bash.js';
import type { ScriptCommand, WordPart } from '../../../lib/script-commands.js';
import { type Evaluates, findEvaluation } from './evaluation.js';
import { lastOf } from './last-command.js';
import { traceValues } from './trace.js';
import { expansionsIn, programOf, staticText, variableOf, wordsOf } from './words.js';

/** What a script does, for those who judge it. */
export interface ScriptReading {
  readonly commands: readonly ScriptCommand[];
  /** Its last command looks for lines: that there are none is an answer, with exit code 1. */
  readonly endsInSearch: boolean;
}

/** What a script is read with: the words that its positional parameters are. */
interface Reader {
  readonly parse: ParseBash;
  readonly positional: readonly (readonly WordPart[])[];
  /** A word that is the name of a file which the script itself has made with mktemp. */
  readonly isOwnFile: (word: BashNode) => boolean;
  readonly evaluates: Evaluates;
}

/** What needs no judgement: it changes nothing but the shell itself. */
const HARMLESS = /^(:|true|false|exit|return|shift|break|continue|wait|cd|pwd)$/;
/** Programs would do something else with another value of these. */
const STEERING =
  /^(PATH|HOME|IFS|ENV|PS\d|PROMPT_COMMAND|BASH.*|LD_.*|KUBE.*|DOCKER_.*|HELM_.*|AWS_.*|AZURE_.*|ARGOCD_.*|GIT_.*|PYTHON.*|PERL.*|.*_PROXY|.*_proxy)$/;
const NOWHERE = /^(\/dev\/(null|stdout|stderr)|\d|-)$/;

/**
 * The simple commands of a script, wherever they stand, in its order. What changes the world without being a command is there as one
 * that no table knows: a redirection to a file, a variable that steers programs. Undefined when it cannot be read.
 */
export function readScript(
  code: string,
  parse: ParseBash,
  positional: Reader['positional'] = [],
): ScriptReading | undefined {
  const root = parse(code);
  if (!root) return undefined;
  const evaluates = findEvaluation(root, traceValues(root));
  const reader = { parse, positional, isOwnFile: ownFiles(root), evaluates };
  const last = lastOf(root);
  return {
    commands: [...nodesOf(root)].flatMap((node) => commandsAt(node, reader)),
    endsInSearch: /^[ef]?grep$/.test(programOf(last && wordsOf(last)[0]) ?? ''),
  };
}

const EXPORT: ScriptCommand = [['export']];
const EVALUATE: ScriptCommand = [['evaluate']];

function commandsAt(node: BashNode, reader: Reader): readonly ScriptCommand[] {
  const own = actsAt(node, reader);
  return reader.evaluates(node) ? [EVALUATE, ...own] : own;
}

function actsAt(node: BashNode, reader: Reader): readonly ScriptCommand[] {
  const [first] = node.children;
  switch (node.type) {
    case 'command': {
      const isSteered = node.children.some(({ type }) => type === 'variable_assignment');
      const read = programOf(wordsOf(node)[0]) === 'read' && wordsOf(node).some(({ text }) => STEERING.test(text));
      return [...(isSteered || read ? [EXPORT] : []), ...simpleCommand(wordsOf(node), reader)];
    }
    case 'file_redirect':
      return redirection(node, reader);
    case 'declaration_command':
      return first?.type === 'local' && node.children.slice(1).every(isPlainLocal) ? [] : [EXPORT];
    case 'variable_assignment':
      return STEERING.test(first?.text ?? '') ? [EXPORT] : [];
    case 'for_statement':
      return node.children.some(({ type, text }) => type === 'variable_name' && STEERING.test(text)) ? [EXPORT] : [];
    default:
      return setsSteering(node) ? [EXPORT] : [];
  }
}

/** A variable of a function that is an ordinary one: `-n` makes it stand for another, `-i` computes. */
const isPlainLocal = ({ type, text }: BashNode): boolean =>
  /^variable_(name|assignment)$/.test(type) || /^-r$|^\w+$/.test(text);

/** `${PATH:=x}`, `$((PATH = 1))` and `((PATH++))`. */
const setsSteering = ({ type, children }: BashNode): boolean =>
  (type === 'expansion'
    ? children.some((child) => /^:?=$/.test(child.type))
    : /^(\(\(|\$\(\()$/.test(children[0]?.type ?? '')) &&
  children.flatMap((child) => [...nodesOf(child)]).some(({ text }) => STEERING.test(text));

/** `set -a` hands variables on, `set -k` too; `mktemp` can make a file anywhere. */
function isHarmless(program: string, words: readonly BashNode[]): boolean {
  const texts = words.map(staticText);
  if (program === 'set') {
    const end = texts.indexOf('--');
    return texts
      .slice(0, end < 0 ? undefined : end)
      .every(
        (text) => /^([-+][a-zA-Z]*|[a-z]\w*)$/.test(text ?? '') && !/^[-+]\w*[ak]|allexport|keyword/.test(text ?? ''),
      );
  }
  if (program === 'mktemp') return texts.every((text) => /^(-[dqut]+|(\/tmp\/)?[\w.-]+)$/.test(text ?? '/'));
  return HARMLESS.test(program) || program === 'read';
}

function simpleCommand(words: readonly BashNode[], reader: Reader): readonly ScriptCommand[] {
  const program = programOf(words[0]);
  if (words.length === 0 || (program !== undefined && isHarmless(program, words.slice(1)))) return [];
  if (program === 'rm' && words.slice(1).every((word) => reader.isOwnFile(word) || staticText(word) === '-f'))
    return [];
  return innerShell(words, reader) ?? [words.map((word) => partsOf(word, reader))];
}

/** The commands of `sh -c '…' sh "$ARG_X"`; undefined when the words are anything else. */
function innerShell(words: readonly BashNode[], reader: Reader): readonly ScriptCommand[] | undefined {
  const [shell, option, code, ...rest] = words;
  const isShell = /^(\/bin\/|\/usr\/bin\/)?(ba|da)?sh$/.test((shell && staticText(shell)) ?? '');
  const text = isShell && option && code && /^-[eufx]*c$/.test(staticText(option) ?? '') ? staticText(code) : undefined;
  const positional = rest.slice(1).map((word) => partsOf(word, reader));
  return text === undefined ? undefined : readScript(text, reader.parse, positional)?.commands;
}

function redirection(node: BashNode, reader: Reader): readonly ScriptCommand[] {
  const target = node.children.at(-1);
  const text = target && staticText(target);
  if (!target || reader.isOwnFile(target) || NOWHERE.test(text ?? '')) return [];
  const reads = node.children.some(({ type }) => type === '<') && text !== undefined && !/^\/dev\/(tcp|udp)/.test(text);
  return [[[reads ? 'cat' : 'redirect'], partsOf(target, reader)]];
}

/**
 * Knows words such as `"$temporary"`, when every value of the variable is `$(mktemp)`. A script with functions, or that names the
 * variable in any other way, has none.
 */
function ownFiles(root: BashNode): (word: BashNode) => boolean {
  const nodes = [...nodesOf(root)];
  const assigned = nodes.filter(({ type }) => type === 'variable_assignment');
  const nameOf = (node: BashNode) => node.children[0]?.text ?? '';
  const isMade = (node: BashNode) => /^\w+="?\$\(mktemp\)"?$/.test(node.text);
  const isPlain = (name: string) => {
    const uses = nodes.filter((node) => /^(simple_)?expansion$/.test(node.type) && variableOf(node) === name).length;
    const own = assigned.filter((node) => nameOf(node) === name);
    return (
      own.every(isMade) &&
      [...root.text.matchAll(/\w+/g)].filter(([word]) => word === name).length === uses + own.length
    );
  };
  const hasFunctions = nodes.some(({ type }) => type === 'function_definition');
  const names = new Set(hasFunctions ? [] : assigned.filter(isMade).map(nameOf).filter(isPlain));
  return (word) => names.has(/^"?\$\{?(\w+)\}?"?$/.exec(word.text)?.[1] ?? '');
}

/** A word in pieces. A pattern or braces that stand bare become words that nobody knows. */
function partsOf(word: BashNode, reader: Reader): readonly WordPart[] {
  if (reader.isOwnFile(word)) return ['/tmp/tmp.mktemp'];
  const text = staticText(word);
  const bare = word.text.replaceAll(/'[^']*'|"(\\.|[^"\\])*"|\\./gs, '');
  if (text !== undefined) return /[*?[{]|^~/.test(bare) ? [{ any: true }] : [text];
  if (word.type === 'simple_expansion' || word.type === 'expansion') return expansionParts(word, reader);
  if (word.type !== 'string' && word.type !== 'concatenation') return [{ any: true }];
  const parts: WordPart[] = [];
  let end = word.start;
  const between = (to: number) => word.text.slice(end - word.start, to - word.start);
  for (const child of word.children) {
    if (between(child.start) !== '') parts.push(between(child.start));
    end = child.end;
    if (child.type === '"') continue;
    if (child.type === 'string_content') parts.push(child.text.replaceAll(/\\(["$`\\])/g, '$1'));
    else parts.push(...partsOf(child, reader));
  }
  return parts;
}

/** An expansion in double quotes is its value as it stands; elsewhere it is split. */
function expansionParts(expansion: BashNode, { positional }: Reader): readonly WordPart[] {
  const name = /^\$\{(\w+)\}$/.exec(expansion.text)?.[1];
  if (name === undefined || expansion.parent?.type !== 'string') return [{ any: true }];
  return name.startsWith('ARG_') ? [{ arg: name }] : (positional[Number(name) - 1] ?? [{ any: true }]);
}

/** Variables that a script reads and does not set: its environment has to have them. */
export function environmentOf(code: string, parse: ParseBash): string[] {
  const root = parse(code);
  if (!root) return [];
  const assigned = [...nodesOf(root)].filter(({ type }) => type === 'variable_assignment');
  const set = new Set(assigned.map((node) => node.children[0]?.text));
  const read = expansionsIn(root).map((one) => variableOf(one) ?? '');
  return [...new Set(read)].filter((name) => /^[A-Za-z_]\w*$/.test(name) && !name.startsWith('ARG_') && !set.has(name));
}
