import type { Json, JsonObject } from '../domain/types.js';
import { at, isList, isObject, sortKeys } from './json.js';
import { type FilterStep, parsePath, type Step } from './jsonpath-parse.js';
import { complaint } from './outcome.js';

type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'path'; readonly steps: readonly Step[] }
  | { readonly type: 'range'; readonly steps: readonly Step[]; readonly body: readonly Node[] };

/**
 * Evaluates a JSONPath template of kubectl (`{range .items[*]}{.metadata.name}{"\n"}{end}`) on a value. What is
 * missing prints nothing; several results are separated by blanks. Throws AnswerError for a template that cannot be
 * read, and for an index beyond a list.
 */
export function renderTemplate(template: string, root: Json): string {
  const sorted = sortKeys(root);
  return renderNodes(parseTemplate(template), sorted, sorted);
}

/** Values at a relaxed path: `.a.b`, `a.b`, `{.a.b}`, as custom columns and --sort-by take it. */
export function valuesAtPath(path: string): (root: Json) => Json[] {
  const bare = /^\s*\{(.*)\}\s*$/s.exec(path)?.[1] ?? path;
  const steps = readPath(bare.trim().startsWith('.') || /^[$[]/.test(bare.trim()) ? bare : `.${bare}`, path);
  return (root) => follow([root], steps, root);
}

function renderNodes(nodes: readonly Node[], root: Json, current: Json): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.text;
      const found = follow([current], node.steps, root);
      if (node.type === 'path') return found.map(printValue).join(' ');
      return found.map((value) => renderNodes(node.body, root, value)).join('');
    })
    .join('');
}

/** A value as kubectl prints it: text bare, everything else as JSON. */
export const printValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function parseTemplate(template: string): Node[] {
  const open: { steps: readonly Step[]; body: Node[] }[] = [{ steps: [], body: [] }];
  const add = (node: Node): void => void open.at(-1)?.body.push(node);
  for (const piece of pieces(template)) {
    if (piece.type === 'text') {
      add({ type: 'text', text: piece.text });
      continue;
    }
    const action = piece.text.trim();
    const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')$/s.exec(action);
    if (quoted !== null) add({ type: 'text', text: unescapeText(quoted[1] ?? quoted[2] ?? '') });
    else if (/^range\s/.test(action)) open.push({ steps: readPath(action.slice(5).trim(), template), body: [] });
    else if (action === 'end') {
      const closed = open.length > 1 ? open.pop() : undefined;
      if (closed === undefined) throw unreadable(template, 'not in range, nothing to end');
      add({ type: 'range', ...closed });
    } else add({ type: 'path', steps: readPath(action, template) });
  }
  if (open.length > 1) throw unreadable(template, 'unterminated range');
  return open[0]?.body ?? [];
}

function readPath(text: string, template: string): Step[] {
  const steps = parsePath(text);
  if (typeof steps === 'string') throw unreadable(template, steps);
  return steps;
}

/** Cuts a template into text and the insides of its braces; a brace inside quotes closes nothing. */
function pieces(template: string): { type: 'text' | 'action'; text: string }[] {
  const found: { type: 'text' | 'action'; text: string }[] = [];
  let index = 0;
  while (index < template.length) {
    const start = template.indexOf('{', index);
    if (start < 0) break;
    if (start > index) found.push({ type: 'text', text: template.slice(index, start) });
    const end = endOfAction(template, start + 1);
    if (end < 0) throw unreadable(template, 'unclosed action');
    found.push({ type: 'action', text: template.slice(start + 1, end) });
    index = end + 1;
  }
  if (index < template.length) found.push({ type: 'text', text: template.slice(index) });
  return found;
}

function endOfAction(template: string, from: number): number {
  let quote = '';
  for (let index = from; index < template.length; index += 1) {
    const character = template.charAt(index);
    if (character === '\\') index += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '}') return index;
  }
  return -1;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const unescapeText = (text: string): string => text.replaceAll(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c);

const unreadable = (template: string, why: string): Error =>
  complaint(`error: error parsing jsonpath ${template}, ${why}`);

function follow(start: readonly Json[], steps: readonly Step[], root: Json): Json[] {
  let values: Json[] = [...start];
  for (const step of steps) values = values.flatMap((value) => take(value, step, root));
  return values;
}

function take(value: Json, step: Step, root: Json): Json[] {
  switch (step.type) {
    case 'root':
      return [root];
    case 'keys':
      return isObject(value) ? step.keys.flatMap((key) => valuesOfKey(value, key)) : [];
    case 'all':
      return isList(value) ? [...value] : isObject(value) ? Object.values(value) : [];
    case 'descend':
      return descendants(value);
    case 'indexes':
      return isList(value) ? step.indexes.map((index) => element(value, index)) : [];
    case 'slice':
      return isList(value) ? sliceOf(value, step.from, step.to, step.by) : [];
    case 'filter':
      return isList(value) ? value.filter((each) => passes(each, step, root)) : [];
  }
}

/** A key in brackets may also be a path: `['metadata.name', 'status.phase']`. */
function valuesOfKey(object: JsonObject, key: string): Json[] {
  if (Object.hasOwn(object, key)) return [object[key] ?? null];
  const found = key.includes('.') ? at(object, ...key.split('.')) : undefined;
  return found === undefined ? [] : [found];
}

function element(list: readonly Json[], index: number): Json {
  const found = list.at(index);
  if (found !== undefined) return found;
  throw complaint(`error: error executing jsonpath: array index out of bounds: index ${index}, length ${list.length}`);
}

function sliceOf(list: readonly Json[], from: number | undefined, to: number | undefined, by: number): Json[] {
  return list.slice(from, to).filter((_, index) => index % by === 0);
}

function descendants(root: Json): Json[] {
  const found: Json[] = [];
  const open: Json[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    const children = isList(next) ? [...next] : isObject(next) ? Object.values(next) : [];
    for (const child of children.toReversed()) open.push(child);
  }
  return found;
}

function passes(value: Json, { left, operator, right }: FilterStep, root: Json): boolean {
  const [a] = follow([value], left, root);
  if (a === undefined) return false;
  if (operator === undefined || right === undefined) return true;
  const b = right.type === 'value' ? right.value : follow([value], right.steps, root)[0];
  if (b === undefined) return false;
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string') || b === null) return false;
  const [less, equal] = [a < b, a === b];
  return { '<': less, '<=': less || equal, '>': !less && !equal, '>=': !less }[operator];
}
