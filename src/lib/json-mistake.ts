// biome-ignore-start lint/suspicious/noControlCharactersInRegex: JSON rules control characters out of texts
const SPACE = /[ \t\r\n]*/y;
const TEXT = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const OPEN_TEXT = /^"[^"\\\u0000-\u001f]*(?:\\[^\u0000-\u001f][^"\\\u0000-\u001f]*)*\\?$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: JSON rules control characters out of texts

type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'end';

const EXPECTED: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'first-value': 'a value or "]"',
  key: 'a name in double quotes',
  'first-key': 'a name in double quotes or "}"',
  colon: '":"',
  comma: '"," or a closing bracket',
  end: 'the end',
};

/** What is wrong with a text that is not JSON, and where, counted from 1. The engine's own messages do not always tell. */
export function explainMistake(text: string): {
  readonly line: number;
  readonly column: number;
  readonly what: string;
} {
  const { offset, expected } = findMistake(text);
  const before = text.slice(0, offset);
  const place = { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
  if (text.trim() === '') return { ...place, what: 'the file is empty' };
  if (offset >= text.length) return { ...place, what: 'it ends in the middle of a value' };
  const found = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return { ...place, what: `unexpected ${JSON.stringify(found)} where ${EXPECTED[expected]} should be` };
}

/** Where a text that is not JSON stops being JSON, as an offset; its length when it only ends too early. */
export const offsetOfMistake = (text: string): number => findMistake(text).offset;

function findMistake(text: string): { readonly offset: number; readonly expected: Expected } {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = skip(SPACE, text, 0);
  while (at < text.length) {
    const character = text.charAt(at);
    let end = at + 1;
    const wanted = expected;
    if (closes(character, expected, open)) {
      open.pop();
      expected = afterValue(open);
    } else if (expected === 'colon' && character === ':') expected = 'value';
    else if (expected === 'comma' && character === ',') expected = open.at(-1) === '{' ? 'key' : 'value';
    else if (expected === 'key' || expected === 'first-key') {
      end = skip(TEXT, text, at);
      expected = 'colon';
    } else if (expected !== 'value' && expected !== 'first-value') return { offset: at, expected };
    else if (character === '{' || character === '[') {
      open.push(character);
      expected = character === '{' ? 'first-key' : 'first-value';
    } else {
      end = skip(character === '"' ? TEXT : SCALAR, text, at);
      expected = afterValue(open);
    }
    if (end === at) return { offset: endsInside(text, at) ? text.length : at, expected: wanted };
    at = skip(SPACE, text, end);
  }
  return { offset: text.length, expected };
}

const afterValue = (open: readonly string[]): Expected => (open.length === 0 ? 'end' : 'comma');

const closes = (character: string, expected: Expected, open: readonly string[]): boolean =>
  (character === '}' && open.at(-1) === '{' && (expected === 'comma' || expected === 'first-key')) ||
  (character === ']' && open.at(-1) === '[' && (expected === 'comma' || expected === 'first-value'));

/** The end of what the pattern finds at an offset; the offset itself when it finds nothing. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** True when a text or a word begins here and the file ends before it does. */
const endsInside = (text: string, at: number): boolean =>
  text.charAt(at) === '"'
    ? OPEN_TEXT.test(text.slice(at))
    : ['true', 'false', 'null', '-'].some((word) => word.startsWith(text.slice(at)));
