import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainMistake, offsetOfMistake } from '../../src/lib/json-mistake.js';

test.each([
  ['{"a": x}', 6],
  ['[1, 2,]', 6],
  ['{"a" 1}', 5],
  ['{"a": 1,}', 8],
  ['{"a": 1} x', 9],
  ['[1 2]', 3],
  ['{a: 1}', 1],
  ['[}', 1],
  ['["a\nb"]', 1],
  ['nope', 0],
  [']', 0],
])('the mistake in %j is at %i', (text, offset) => {
  expect(offsetOfMistake(text)).toBe(offset);
});

test.each(['', '{', '{"a', '{"a": ', '[1, ', '{"a": tr', '["x', '["x\\"', '["x\\', '{"a": {"b": [1'])(
  '%j only ends too early',
  (text) => {
    expect(offsetOfMistake(text)).toBe(text.length);
  },
);

test('JSON that is cut anywhere ends too early, and whole JSON has no mistake', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const text = JSON.stringify({ value });
      expect(offsetOfMistake(text)).toBe(text.length);
      const part = text.slice(0, (cut % text.length) + 1);
      // A number that is cut after its point looks wrong where the point is; nothing else does.
      const offset = offsetOfMistake(part);
      if (offset !== part.length) expect(part.slice(offset)).toMatch(/^[.eE][+-]?$/);
    }),
  );
});

test('a text of many megabytes in one line is scanned', () => {
  const text = `{"a": "${'x'.repeat(20_000_000)}", b`;
  expect(offsetOfMistake(text)).toBe(text.length - 1);
});

test.each([
  ['{"a": 1,\n  }', 2, 3, 'unexpected "}" where a name in double quotes should be'],
  ['{"a": 1\n"b": 2}', 2, 1, 'unexpected "\\"" where "," or a closing bracket should be'],
  ['[x]', 1, 2, 'unexpected "x" where a value or "]" should be'],
  ['{"a" 1}', 1, 6, 'unexpected "1" where ":" should be'],
  ['{"a": "b', 1, 9, 'it ends in the middle of a value'],
  ['{} 😀', 1, 4, 'unexpected "😀" where the end should be'],
  [' ', 1, 2, 'the file is empty'],
])('%j is explained', (text, line, column, what) => {
  expect(explainMistake(text)).toEqual({ line, column, what });
});
