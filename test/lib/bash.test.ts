import { describe, expect, test } from 'vitest';
import { loadBash, nodeAt, nodesOf } from '../../src/lib/bash.js';

const parse = await loadBash();

describe('a script that is not understood as a whole is not understood', () => {
  test.each([
    ['a syntax error', 'if true; then ls'],
    ['a quote that does not end', 'echo "a'],
    ['words after a redirection, which the grammar takes for a part of it', 'rm >log a b'],
    ['words after a here-document begins', 'rm <<END a\nx\nEND'],
    ['a word that the grammar passes over', 'cat - <<END\nx\nEND'],
    ['nesting that is deeper than anybody writes', `echo ${'$('.repeat(150)}ls${')'.repeat(150)}`],
  ])('%s', (_, text) => {
    expect(parse(text)).toBeUndefined();
  });
});

test('nodes tell their text and place, also after characters of two units', () => {
  const text = `echo "😀 $x \${y}"`;
  const root = parse(text);
  const expansions = root ? [...nodesOf(root)].filter(({ type }) => /expansion$/.test(type)) : [];
  expect(expansions.map((node) => [node.text, text.slice(node.start, node.end), node.parent?.type])).toEqual([
    ['$x', '$x', 'string'],
    [`\${y}`, `\${y}`, 'string'],
  ]);
  expect(root && nodeAt(root, 0, 4).text).toBe('echo');
});
