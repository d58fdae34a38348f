import { type BashNode, nodeAt, nodesOf, type ParseBash } from '../../../lib/bash.js';
import { checkScript } from './check.js';
import { codeEdits } from './code-words.js';
import { type Found, findMarks, refuse } from './marks.js';
import { traceValues } from './trace.js';
import { above } from './words.js';

/** A stretch of a script and what takes its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Values that stand in it, as expansions. */
  readonly values: number;
}

/** How values get into a script: from the environment, or, in the code of a nested shell, as its positional parameters. */
export interface BindContext {
  readonly variables: readonly string[];
  readonly parse: ParseBash;
  /** `${ARG_KIND}`: what is expanded to the value, in double quotes. */
  readonly reference: (variable: string) => string;
  /** It is the code of a shell that another one starts: its positional parameters are values too. */
  readonly nested: boolean;
}

/**
 * Puts a reference to a variable, always in double quotes, in place of every mark: the shell expands it when everything else is
 * already parsed, to one word or a part of one.
 * @throws OpsError usage when a value would stand where something reads it as code, or might.
 */
export function bindScript(text: string, context: BindContext): string {
  const root = context.parse(text) ?? refuse('its shell code cannot be read');
  const marks = findMarks(text, context.variables);
  if (marks.length === 0 && !context.nested) return text;
  const values = traceValues(root);
  checkScript(root, values);
  const inCode: Edit[] = [];
  for (const node of nodesOf(root))
    if (node.type === 'command' && !inCode.some(({ start, end }) => start <= node.start && node.end <= end))
      inCode.push(...codeEdits(node, values, context));
  const own = marks.filter(({ start, end }) => !inCode.some((edit) => edit.start <= start && end <= edit.end));
  const edits = [...inCode, ...own.map((mark) => editOf(mark, root, text, context))];
  const code = edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((done, edit) => done.slice(0, edit.start) + edit.text + done.slice(edit.end), text);
  verify(code, edits, context);
  return code;
}

/** What holds text that a shell computes with, or reads as a pattern, or in ways of its own. */
const COMPUTED = [
  ...['arithmetic_expansion', 'expansion', 'simple_expansion', 'subscript', 'c_style_for_statement', 'regex'],
  ...['extglob_pattern', 'ansi_c_string', 'translated_string', 'brace_expression'],
];

function editOf({ start, end, variable }: Found, root: BashNode, text: string, { reference }: BindContext): Edit {
  const node = nodeAt(root, start, end);
  const at = `line ${text.slice(0, start).split('\n').length}`;
  if (node.type === 'comment') return { start, end, text: variable, values: 0 };
  const outer = above(node, [...COMPUTED, 'command_substitution', 'process_substitution']);
  if (COMPUTED.includes(node.type) || (outer && COMPUTED.includes(outer.type)))
    refuse(`a value stands where the shell computes (${at})`);
  if (text.slice(0, start).endsWith('\\')) refuse(`a backslash stands before a value (${at})`);
  if (above(node, ['command_name', 'command_substitution'])?.type === 'command_name')
    refuse(`a value would be the name of a program (${at})`);
  const edit = (put: string): Edit => ({ start, end, text: put, values: 1 });
  switch (node.type) {
    case 'word':
      return edit(`"${reference(variable)}"`);
    case 'raw_string':
      return edit(`'"${reference(variable)}"'`);
    case 'string':
    case 'string_content':
      return edit(reference(variable));
    case 'heredoc_body':
    case 'heredoc_content': {
      const word = above(node, ['heredoc_redirect'])?.children.find(({ type }) => type === 'heredoc_start')?.text;
      if (word === undefined || /["'\\]/.test(word))
        refuse(`a value stands in a here-document whose end is quoted (${at})`);
      return edit(reference(variable));
    }
    default:
      return refuse(`a value stands where it cannot be told what reads it (${at})`);
  }
}

/** Reads the result once more: every value must be there, as an expansion in double quotes or in a here-document. */
function verify(code: string, edits: readonly Edit[], { parse, reference, variables }: BindContext): void {
  const references = new Set(variables.map(reference));
  const root = parse(code);
  const found = root ? [...nodesOf(root)].filter(({ type, text }) => type === 'expansion' && references.has(text)) : [];
  const wanted = edits.reduce((sum, { values }) => sum + values, 0);
  const isQuoted = found.every(({ parent }) => parent?.type === 'string' || parent?.type === 'heredoc_body');
  if (found.length !== wanted || !isQuoted) refuse('where its values stand cannot be told for certain');
}
