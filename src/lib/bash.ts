import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A node of the syntax tree of a shell script; the grammar's own names. Offsets count UTF-16 units of the text. */
export interface BashNode {
  readonly type: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly BashNode[];
  readonly parent: BashNode | undefined;
}

/** Reads a script; undefined when the grammar does not understand all of it. */
export type ParseBash = (text: string) => BashNode | undefined;

/** What this file uses of a node of web-tree-sitter. */
interface TreeNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly hasError: boolean;
  readonly children: readonly (TreeNode | null)[];
}

/** Deeper scripts count as not understood: nobody writes them, and walking them could overflow the stack. */
const MAX_DEPTH = 200;

let loading: Promise<ParseBash> | undefined;

/** The grammar of bash, loaded at first use. */
export function loadBash(): Promise<ParseBash> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ParseBash> {
  const { Parser, Language } = await import('web-tree-sitter');
  await Parser.init({ wasmBinary: readWasm('web-tree-sitter', 'web-tree-sitter.wasm') });
  const parser = new Parser();
  parser.setLanguage(await Language.load(readWasm('tree-sitter-bash', 'tree-sitter-bash.wasm')));
  return (text) => {
    const tree = parser.parse(text);
    try {
      return tree && !tree.rootNode.hasError ? copy(tree.rootNode, text, undefined, 0) : undefined;
    } finally {
      tree?.delete();
    }
  };
}

/** Beside the bundle, or in the package when the program runs from its sources. */
function readWasm(name: string, file: string): Uint8Array {
  const shipped = [join(import.meta.dirname, file), join(import.meta.dirname, '..', file)].find((one) =>
    existsSync(one),
  );
  return readFileSync(shipped ?? createRequire(import.meta.url).resolve(`${name}/${file}`));
}

function copy(node: TreeNode, text: string, parent: BashNode | undefined, depth: number): BashNode | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const children: BashNode[] = [];
  // In a string the grammar gives the space before an expansion to it.
  const whole = text.slice(node.startIndex, node.endIndex);
  const own = /^\$|expansion$|substitution$/.test(node.type) ? whole.trimStart() : whole;
  const copied: BashNode = {
    type: node.type,
    text: own,
    start: node.endIndex - own.length,
    end: node.endIndex,
    children,
    parent,
  };
  if (hidesWords(node) || losesText(node, text)) return undefined;
  for (const child of node.children) {
    const inner = child ? copy(child, text, copied, depth + 1) : undefined;
    if (!inner) return undefined;
    children.push(inner);
  }
  return copied;
}

/** The grammar takes words after a redirection for a part of it, though the shell gives them to the command. */
function hidesWords({ type, children }: TreeNode): boolean {
  const words = children.filter((child) => child && WORD.test(child.type)).length;
  return type === 'file_redirect' ? words > 1 : type === 'heredoc_redirect' && words > 0;
}

/** The grammar passes over some words without an error: the `-` of `cat - <<EOF`. Only texts may have stretches that belong to no part. */
function losesText({ type, startIndex, endIndex, children }: TreeNode, text: string): boolean {
  const parts = children.filter((child) => child !== null);
  if (parts.length === 0 || type === 'heredoc_body' || type === 'string') return false;
  const ends = [startIndex, ...parts.map((child) => child.endIndex)];
  const starts = [...parts.map((child) => child.startIndex), endIndex];
  return ends.some((end, index) => /[^\s\\]/.test(text.slice(end, starts[index])));
}

const WORD =
  /^(word|number|string|raw_string|concatenation|ansi_c_string|translated_string|(simple_)?expansion|arithmetic_expansion|(command|process)_substitution|brace_expression)$/;

/** Every node below and with this one, parents first. */
export function* nodesOf(node: BashNode): Generator<BashNode> {
  yield node;
  for (const child of node.children) yield* nodesOf(child);
}

/** The smallest node that holds a stretch of the text. */
export function nodeAt(root: BashNode, start: number, end: number): BashNode {
  const inner = root.children.find((child) => child.start <= start && end <= child.end);
  return inner ? nodeAt(inner, start, end) : root;
}
