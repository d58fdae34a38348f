import type { BashNode } from '../../../lib/bash.js';

const HOLDERS = ['program', 'pipeline', 'redirected_statement', 'list', 'command_substitution'];

/** The last command of a script, in the last part of a pipe; undefined when something else comes last. */
export function lastOf(node: BashNode): BashNode | undefined {
  if (node.type === 'command') return node;
  if (!HOLDERS.includes(node.type)) return undefined;
  const last = node.children
    .filter(({ type }) => type !== 'comment' && !type.endsWith('_redirect') && type !== ')')
    .at(-1);
  return last && (last.type === ';' || last.type === '\n' ? undefined : lastOf(last));
}
