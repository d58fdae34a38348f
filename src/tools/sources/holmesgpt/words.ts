import { type BashNode, nodesOf } from '../../../lib/bash.js';

/** The words of a simple command: its name and its arguments, without redirections and the assignments before it. */
export function wordsOf({ children }: BashNode): BashNode[] {
  const at = children.findIndex(({ type }) => type === 'command_name');
  const words = children.slice(at).filter(({ type }) => !type.endsWith('_redirect') && type !== 'comment');
  return at < 0 ? [] : words.map((node) => (node.type === 'command_name' ? (node.children[0] ?? node) : node));
}

/** What a word says when it is fixed text, quotes and backslashes taken off; undefined when something is expanded in it. */
export function staticText(node: BashNode): string | undefined {
  switch (node.type) {
    case 'word':
    case 'number':
    case '{':
    case '}':
      return node.text.replaceAll(/\\([\s\S])/g, (_, char: string) => (char === '\n' ? '' : char));
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'string':
      return node.children.every(({ type }) => type === 'string_content' || type === '"')
        ? node.text.slice(1, -1).replaceAll(/\\(["$`\\\n])/g, (_, char: string) => (char === '\n' ? '' : char))
        : undefined;
    case 'concatenation': {
      const parts = node.children.map(staticText);
      return parts.includes(undefined) ? undefined : parts.join('');
    }
    default:
      return undefined;
  }
}

/** The last part of a program's path. */
export const programOf = (word: BashNode | undefined): string | undefined =>
  word && staticText(word)?.split('/').at(-1);

/** The variable that an expansion is about: `x` of `$x`, `${x}` and `${x:-y}`. */
export const variableOf = (expansion: BashNode): string | undefined =>
  expansion.children.find(({ type }) => type === 'variable_name' || type === 'special_variable_name')?.text;

/** The expansions of variables in a node. */
export const expansionsIn = (node: BashNode): BashNode[] =>
  [...nodesOf(node)].filter(({ type }) => type === 'simple_expansion' || type === 'expansion');

/** The nearest node above, of one of these types. */
export function above(node: BashNode, types: readonly string[]): BashNode | undefined {
  for (let at = node.parent; at; at = at.parent) if (types.includes(at.type)) return at;
  return undefined;
}

/** A word that a POSIX shell reads back as exactly this text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
