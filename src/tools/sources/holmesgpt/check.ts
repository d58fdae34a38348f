import { type BashNode, nodesOf } from '../../../lib/bash.js';
import { hasMark, refuse } from './marks.js';
import type { Values } from './trace.js';
import { above, staticText } from './words.js';

/** Variables to which a shell, the loader or a well-known program gives a meaning of its own. */
const SPECIAL =
  /^(ARG_.*|BASH.*|COMP_.*|ENV|IFS|PATH|CDPATH|HOME|SHELL.*|PS\d|PROMPT_COMMAND|LD_.*|KUBE.*|DOCKER_.*|HELM_.*|SECONDS|S?RANDOM|OPTIND|OPTERR|LINENO|HIST.*|FUNCNEST|TMOUT|EPOCH.*|DIRSTACK|GLOBIGNORE|MAIL.*|COLUMNS|LINES|UID|EUID|PPID|GROUPS|REPLY|MAPFILE|COPROC|READLINE_.*|EXECIGNORE|TIMEFORMAT|POSIXLY_CORRECT|INPUTRC|LC_.*|LANG.*|TMPDIR)$/;
const OPERATORS = [
  '${',
  '}',
  ':-',
  '-',
  ':=',
  '=',
  ':+',
  '+',
  ':?',
  '?',
  '%',
  '%%',
  '#',
  '##',
  '/',
  '//',
  '^',
  '^^',
  ',',
  ',,',
];
const NUMERIC = /^-(eq|ne|lt|le|gt|ge)$/;

/**
 * Refuses what makes a shell read a value as anything but text: arithmetic and subscripts (which run `$(…)` inside them),
 * indirect names, attributes that make a variable a number, and splitting.
 * @throws OpsError usage with the line.
 */
export function checkScript(root: BashNode, values: Values): void {
  for (const node of nodesOf(root)) {
    const why = problemOf(node, values);
    if (why !== undefined) refuse(`${why} (line ${root.text.slice(0, node.start - root.start).split('\n').length})`);
  }
}

function problemOf(node: BashNode, values: Values): string | undefined {
  switch (node.type) {
    case 'arithmetic_expansion':
    case 'c_style_for_statement':
      return computes(node, values);
    case 'compound_statement':
      return node.children[0]?.type === '((' ? computes(node, values) : undefined;
    case 'simple_expansion':
    case 'expansion':
      return expansionProblem(node, values);
    case 'test_command':
      return testProblem(node, values);
    case 'subscript':
      return /^\w+\[\d+\]$/.test(node.text)
        ? undefined
        : 'an element of an array is chosen by something that may be a value';
    case 'variable_assignment': {
      const name = node.children[0]?.text ?? '';
      return SPECIAL.test(name) && (values.reach(node) || name.startsWith('ARG_'))
        ? `${name} would be a value`
        : undefined;
    }
    case 'declaration_command':
    case 'unset_command':
      return declarationProblem(node, values);
    default:
      return undefined;
  }
}

function computes(node: BashNode, values: Values): string | undefined {
  const names = [...nodesOf(node)]
    .filter(({ type }) => type === 'variable_name' || type === 'word')
    .map(({ text }) => text);
  const unsure = names.find((name) => !values.isNumber(name));
  const other = [...nodesOf(node)].some(({ type }) => type === 'command_substitution' || type === 'subscript');
  if (unsure === undefined && !other && !values.standIn(node)) return undefined;
  return `the shell computes with ${unsure === undefined || hasMark(unsure) ? 'a value' : `${unsure}, which may be a value`}`;
}

/** `${x:-y}` and what else is plain; `${!x}`, `${x@P}`, `${x:y}`, `${x[y]}` and what stands inside another are not. */
function expansionProblem(node: BashNode, values: Values): string | undefined {
  if (node.type === 'expansion') {
    const [first, ...rest] = node.children;
    const isLength = rest[0]?.type === '#' && node.children.length === 4;
    const isPlain = node.children.every(
      (child) => OPERATORS.includes(child.type) || /^(special_)?variable_name$/.test(child.type) || isFixed(child),
    );
    const afterName = rest.findIndex(({ type }) => /variable_name$/.test(type)) === 0;
    if (first?.type !== '${' || !(isLength || (isPlain && (afterName || /^\$\{[\d@*]+\}$/.test(node.text)))))
      return `${node.text} does more than it can be checked for`;
  }
  const outer = node.parent?.type === 'concatenation' ? node.parent.parent : node.parent;
  const isSplit = !['string', 'heredoc_body', 'variable_assignment', 'case_statement', 'herestring_redirect'].includes(
    outer?.type ?? '',
  );
  if (!isSplit || !values.standIn(node) || above(node, ['test_command'])?.children[0]?.type === '[[') return undefined;
  return `${node.text} stands without double quotes and may be a value`;
}

const isFixed = (node: BashNode): boolean =>
  staticText(node) !== undefined ||
  (node.type === 'regex' && !/[$`]/.test(node.text)) ||
  node.type === 'special_character';

function testProblem(node: BashNode, values: Values): string | undefined {
  const operators = [...nodesOf(node)].filter(({ type }) => type === 'test_operator' || /^-\w+$/.test(type));
  if (operators.some(({ text }) => text === '-v' || text === '-R')) return 'a test looks a variable up by its name';
  const isDouble = node.children[0]?.type === '[[';
  const isNumeric = operators.some(({ text }) => NUMERIC.test(text));
  return isDouble && isNumeric && values.reach(node)
    ? 'a test in [[ ]] computes with something that may be a value'
    : undefined;
}

/** `-i` makes a variable a number, which is computed; `-n` another name. */
function declarationProblem(node: BashNode, values: Values): string | undefined {
  const words = node.children.filter(({ type }) => type !== 'variable_assignment' && type !== 'variable_name').slice(1);
  return words.some((word) => !/^-[rxg]+$/.test(staticText(word) ?? '') || values.reach(word))
    ? `${node.children[0]?.text} is used in a way that it cannot be checked for`
    : undefined;
}
