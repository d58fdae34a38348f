import { type BashNode, nodesOf } from '../../../lib/bash.js';
import { hasMark } from './marks.js';
import { expansionsIn, programOf, staticText, variableOf, wordsOf } from './words.js';

/** Where values of parameters go in a script, through its own variables. */
export interface Values {
  /** Something in it comes from a value, perhaps through the output of a command. */
  readonly reach: (node: BashNode) => boolean;
  /** A value itself stands in it: where it is split, one value becomes several words. */
  readonly standIn: (node: BashNode) => boolean;
  /** A variable that certainly holds a number whenever it is set; `isCount` knows more values that are one. */
  readonly isNumber: (variable: string, isCount?: (value: BashNode) => boolean) => boolean;
}

interface Assignment {
  readonly name: string;
  readonly value: BashNode | undefined;
  /** It is certainly made of input that nobody knows. */
  readonly isInput: boolean;
}

/** Follows the values. A variable that is assigned more than once may hold any of what it is assigned. */
export function traceValues(root: BashNode): Values {
  const assigned = assignmentsIn(root);
  const reached = new Set<string>();
  const direct = new Set<string>();
  const isIn = (names: ReadonlySet<string>, node: BashNode) =>
    hasMark(node.text) || expansionsIn(node).some((one) => isPositional(one) || names.has(variableOf(one) ?? ''));
  const standIn = (node: BashNode): boolean => {
    if (node.type === 'command_substitution') return false;
    if (isExpansion(node)) return isIn(direct, node);
    return hasOwnMark(node) || node.children.some(standIn);
  };
  for (let before = -1; before !== reached.size + direct.size; ) {
    before = reached.size + direct.size;
    for (const { name, value, isInput } of assigned) {
      if (isInput || (value && isIn(reached, value))) reached.add(name);
      if (value && standIn(value)) direct.add(name);
    }
  }
  return {
    reach: (node) => isIn(reached, node),
    standIn,
    isNumber: (variable, isCount = () => false) => {
      const own = assigned.filter(({ name }) => name === variable);
      return own.length > 0 && own.every(({ value }) => value !== undefined && (isNumeric(value) || isCount(value)));
    },
  };
}

/** A mark that none of its children holds: in a word, or in the text of a here-document. */
const hasOwnMark = (node: BashNode): boolean =>
  hasMark(node.text) && !node.children.some((child) => hasMark(child.text));

const isExpansion = ({ type }: BashNode): boolean => type === 'simple_expansion' || type === 'expansion';

const isPositional = (expansion: BashNode): boolean => /^([@*]|[1-9]\d*)$/.test(variableOf(expansion) ?? '');

const isNumeric = (value: BashNode): boolean =>
  value.type === 'arithmetic_expansion' ||
  /^\d+$/.test(staticText(value) ?? '') ||
  (value.type === 'simple_expansion' && /^\$[?#]$/.test(value.text));

function assignmentsIn(root: BashNode): Assignment[] {
  return [...nodesOf(root)].flatMap((node): Assignment[] => {
    const name = node.children.find(({ type }) => type === 'variable_name' || type === 'subscript');
    if (node.type === 'variable_assignment' && name) {
      const value = node.children.at(-1);
      return [{ name: name.text.replace(/\[[\s\S]*/, ''), value: value === name ? undefined : value, isInput: false }];
    }
    if (node.type === 'for_statement' && name) {
      const values = node.children.filter(({ type }) => !/^(for|select|variable_name|in|;|do_group|\n)$/.test(type));
      return values.map((value) => ({ name: name.text, value, isInput: false }));
    }
    if (node.type === 'command' && programOf(wordsOf(node)[0]) === 'read')
      return wordsOf(node).map((word) => ({ name: word.text, value: undefined, isInput: true }));
    return [];
  });
}
