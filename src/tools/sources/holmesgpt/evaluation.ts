import { type BashNode, nodesOf } from '../../../lib/bash.js';
import { lastOf } from './last-command.js';
import type { Values } from './trace.js';
import { programOf, staticText, variableOf, wordsOf } from './words.js';

/** Whether a part of a script lets the shell read text once more, so that commands may hide in what looks like a text. */
export type Evaluates = (node: BashNode) => boolean;

const COMPARES = /^-(eq|ne|lt|le|gt|ge)$/;
const NAMED = /^-[vR]$/;
const isPlainName = (text: string | undefined): boolean => /^-?\w*$/.test(text ?? '[');

/**
 * Finds what runs `$(…)` in the middle of a text: arithmetic with a variable that may hold anything, subscripts, `${x@P}`, `${!x}`, and
 * builtins that take the name of a variable, which may have a subscript.
 */
export function findEvaluation(root: BashNode, values: Values): Evaluates {
  const nodes = [...nodesOf(root)];
  const hasFunctions = nodes.some(({ type }) => type === 'function_definition');
  const otherwiseSet = new Set(nodes.filter(setsDefault).map(variableOf));
  const isCount = (node: BashNode) => !hasFunctions && node.type === 'command_substitution' && countsAtEnd(node);
  const isNumber = (name: string) => values.isNumber(name, isCount) && !otherwiseSet.has(name);
  /** A text that the shell computes with. */
  const isRisky = (node: BashNode): boolean => {
    if (isCount(node)) return false;
    if (/^(raw_string|ansi_c_string|translated_string|command_substitution|process_substitution)$/.test(node.type))
      return !/^'\d*'$/.test(node.text);
    if (node.type === 'special_variable_name') return !/^[#?$!]$/.test(node.text);
    if (node.type === 'variable_name' || node.type === 'word')
      return !/^-?\d+$/.test(node.text) && !isNumber(node.text);
    return node.children.some(isRisky);
  };
  return (node) => {
    const [first] = node.children;
    if (/^(\(\(|\$\(\(|\$\[)$/.test(first?.type ?? '') || node.type === 'c_style_for_statement')
      return headOf(node).some(isRisky);
    switch (node.type) {
      case 'test_command':
        return testEvaluates(node, isRisky);
      case 'subscript':
        return node.children.slice(1).some((child) => !/^[[\]]$/.test(child.type) && !isIndex(child) && isRisky(child));
      case 'array':
        return node.children.some(({ text }) => text.startsWith('['));
      case 'expansion':
        return expansionEvaluates(node, isRisky);
      case 'unset_command':
        return node.children.slice(1).some((child) => !isPlainName(nameIn(child)));
      case 'command':
        return commandEvaluates(node);
      default:
        return false;
    }
  };
}

/** A loop that counts holds its body too, which is looked at by itself. */
const headOf = ({ children }: BashNode): readonly BashNode[] =>
  children.filter(({ type }) => !/^(do_group|compound_statement)$/.test(type));

const isIndex = ({ text }: BashNode): boolean => /^(\d+|[@*])$/.test(text);

const nameIn = (node: BashNode): string | undefined => (node.type === 'variable_name' ? node.text : staticText(node));

const setsDefault = ({ type, children }: BashNode): boolean =>
  type === 'expansion' && children.some((child) => child.type === ':=' || child.type === '=');

/** `$(… | wc -l)`, `$(date +%s)` and `$(seq 1 5)` are numbers. */
function countsAtEnd(substitution: BashNode): boolean {
  const command = lastOf(substitution);
  const [program, ...rest] = command ? wordsOf(command) : [];
  const words = rest.map((word) => staticText(word) ?? '');
  const name = programOf(program);
  if (name === 'wc') return words.length > 0 && words.every((word) => /^-[lcwm]$/.test(word));
  if (name === 'date') return words.at(-1) === '+%s';
  return name === 'seq' && words.every((word) => /^-?\d+$/.test(word));
}

/** `[[ x -eq y ]]` computes; `[ -v x ]` looks a name up, and runs what its subscript holds. */
function testEvaluates(node: BashNode, isRisky: Evaluates): boolean {
  const all = [...nodesOf(node)];
  const computes = node.children[0]?.type === '[[' && all.some(({ text }) => COMPARES.test(text));
  const compared = all.filter(({ children }) => children.some(({ text }) => COMPARES.test(text)));
  const looks = all.some(({ text }) => NAMED.test(text));
  const names = all.filter(({ type }) =>
    /^(word|string|raw_string|concatenation|ansi_c_string|.*expansion)$/.test(type),
  );
  return (
    (computes &&
      compared.flatMap(({ children }) => children).some((child) => !COMPARES.test(child.text) && isRisky(child))) ||
    (looks && names.some((word) => !isPlainName(staticText(word))))
  );
}

/** `${x@P}` expands a text, `${!x}` takes one for a name, `${x:y}` computes. */
function expansionEvaluates(node: BashNode, isRisky: Evaluates): boolean {
  if (/^\$\{!/.test(node.text)) return !/^\$\{!\w+(\[[@*]\]|[@*])\}$/.test(node.text);
  if (/^\$\{\w+(\[[^\]]*\])?@/.test(node.text)) return true;
  if (/^\$\{\w+:\s*-?\d+(:-?\d+)?\}$/.test(node.text)) return false;
  const at = node.children.findIndex(({ type }) => type === ':');
  return at >= 0 && node.children.slice(at).some(isRisky);
}

/** Builtins that set or look up the variable that a word names. */
function commandEvaluates(command: BashNode): boolean {
  const [program, ...words] = wordsOf(command);
  const texts = words.map(staticText);
  switch (programOf(program)) {
    case 'read':
    case 'wait':
      return texts.some((text) => text === undefined || text.includes('['));
    case 'test':
      return texts.some((text) => text === undefined || NAMED.test(text)) && texts.some((text) => !isPlainName(text));
    case 'printf':
      return texts[0] === undefined
        ? /^["$]*\$[^{]|^\$|^"\$\{(?!ARG_)/.test(words[0]?.text ?? '')
        : texts[0].startsWith('-v');
    default:
      return false;
  }
}
