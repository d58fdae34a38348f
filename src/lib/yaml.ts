import {
  Composer,
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  Parser,
  stringify,
} from 'yaml';
import { messageOf, OpsError } from '../domain/errors.js';
import type { Json } from '../domain/types.js';
import type { Problem } from './problems.js';

/** Biggest YAML text that is read. */
export const MAX_YAML_BYTES = 5 * 1024 * 1024;
/** Limit on what aliases may expand to, so that a small file cannot become a huge value. */
const MAX_ALIASES = 1000;
/** Deeper values would overflow the stack of whoever walks them; no file that a person writes comes near. */
const MAX_DEPTH = 100;
const MAX_VALUES = 3_000_000;

export interface Place {
  readonly line: number;
  readonly column: number;
}

export type YamlPath = readonly (string | number)[];

export interface ParsedYaml {
  /**
   * What was read; undefined when nothing usable was. Partial when there are problems: a caller that needs a sound
   * file checks those first.
   */
  readonly data: Json | undefined;
  readonly problems: readonly Problem[];
  /** Where the value at a path stands (its key, in a map); the nearest known parent when the path does not exist. */
  locate(path: YamlPath): Place;
}

/**
 * Reads one YAML 1.2 document (JSON is YAML). Never throws: syntax errors, duplicate keys, several documents in one
 * file, too much text and too many aliases are problems with their place. `<<` merges maps. `file` only names the
 * source in problems.
 */
export function parseYaml(text: string, file: string): ParsedYaml {
  const start: Place = { line: 1, column: 1 };
  const fail = (message: string, fix: string): ParsedYaml => {
    return { data: undefined, problems: [{ file, ...start, message, fix }], locate: () => start };
  };
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) {
    return fail(`The file is larger than ${MAX_YAML_BYTES / 1024 / 1024} MiB.`, 'Split it into smaller files.');
  }
  const lines = new LineCounter();
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const tokens = [...new Parser(lines.addNewLine).parse(text)];
    if (tokens.some((token) => isTooDeep(token, insideToken))) return fail(TOO_DEEP.message, TOO_DEEP.fix);
    const composer = new Composer({ version: '1.2', merge: true, lineCounter: lines });
    const [document, second] = composer.compose(tokens, true, text.length);
    if (document === undefined) return fail('The file cannot be read.', 'Check that it is YAML.');
    const problems = document.errors.map(({ code, message, pos }) => ({
      file,
      ...placeOf(pos[0]),
      ...explain(code, message),
    }));
    if (second) problems.push({ file, ...placeOf(second.range[0]), ...explain('MULTIPLE_DOCS', '') });
    // A file whose structure could not be read would only cause follow-up problems that are not real.
    const readable = document.errors.every(({ code }) => code === 'DUPLICATE_KEY');
    const data: Json | undefined = readable ? document.toJS({ maxAliasCount: MAX_ALIASES }) : undefined;
    if (isTooDeep(data, insideValue)) return fail(TOO_DEEP.message, TOO_DEEP.fix);
    return { data, problems, locate: (path) => placeOf(offsetOf(document, path)) };
  } catch (error) {
    return fail(`The file cannot be read: ${messageOf(error)}.`, 'Use fewer aliases.');
  }
}

/**
 * Reads every document of a YAML text, as data of the YAML 1.2 core schema.
 * @throws OpsError usage when one of them cannot be read, or holds a key twice.
 */
export function parseYamlDocuments(text: string): Json[] {
  const bad = (message: string) => new OpsError('usage', `This is not YAML: ${message}`);
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) throw bad(`it is larger than ${MAX_YAML_BYTES / 1024 / 1024} MiB.`);
  try {
    const tokens = [...new Parser().parse(text)];
    if (tokens.some((token) => isTooDeep(token, insideToken))) throw bad(TOO_DEEP.message);
    const documents = [...new Composer({ version: '1.2', merge: true }).compose(tokens, true, text.length)];
    return documents.map((document) => {
      const [error] = document.errors;
      if (error) throw bad(error.message.split('\n')[0] ?? error.code);
      const data: Json = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? null;
      if (isTooDeep(data, insideValue)) throw bad(TOO_DEEP.message);
      return data;
    });
  } catch (error) {
    throw error instanceof OpsError ? error : bad(messageOf(error));
  }
}

/** Every plain (unquoted) scalar of a YAML text, keys included, as it is written. */
export function plainScalarsOf(text: string): string[] {
  const found: string[] = [];
  for (const document of new Parser().parse(text))
    CST.visit(document as CST.Document, ({ key, value }) => void found.push(...[key, value].flatMap(plainSource)));
  return found;
}

const plainSource = (token: CST.Token | null | undefined): string[] => (token?.type === 'scalar' ? [token.source] : []);

const TOO_DEEP = {
  message: `The file is nested more than ${MAX_DEPTH} levels deep, or an alias stands inside what it names.`,
  fix: 'Nest less.',
};

/** Walks without recursion, because that is what too much nesting breaks. */
function isTooDeep<T>(root: T, inside: (value: T) => readonly T[]): boolean {
  let level: T[] = [root];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth++) {
    seen += level.length;
    if (depth > MAX_DEPTH || seen > MAX_VALUES) return true;
    level = level.flatMap((value) => inside(value));
  }
  return false;
}

const insideToken = (token: CST.Token): CST.Token[] => {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!CST.isCollection(token)) return [];
  return token.items.flatMap((item) => [item.key, item.value].filter((inner) => inner != null));
};

const insideValue = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/** A value as YAML text with stable key order, no line folding and no anchors. */
export const stringifyYaml = (value: unknown): string =>
  stringify(value, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false });

function explain(code: string, message: string): { message: string; fix: string } {
  if (code === 'DUPLICATE_KEY')
    return { message: 'This key stands twice in the same map.', fix: 'Keep one of the two.' };
  if (code === 'MULTIPLE_DOCS')
    return {
      message: 'The file holds more than one YAML document.',
      fix: 'Put each document (---) into a file of its own.',
    };
  if (code === 'TAB_AS_INDENT') return { message: 'A tab is used for indentation.', fix: 'Indent with spaces.' };
  return {
    message: `Not valid YAML: ${message.replace(/\.?\s*$/, '.')}`,
    fix: 'Check indentation, quotes and brackets here; quote text that holds ": ", "#", "{" or "*".',
  };
}

/** Offset of the deepest node of the path that exists; a map entry counts from its key. */
function offsetOf(document: Document.Parsed, path: YamlPath): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find((item) => nameOf(item.key) === String(key));
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

const nameOf = (key: unknown): string => String(isScalar(key) ? key.value : key);
