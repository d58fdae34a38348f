import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTemplate, valuesAtPath } from '../../src/dump/jsonpath.js';
import { AnswerError } from '../../src/dump/outcome.js';

const ROOT = {
  kind: 'List',
  items: [
    {
      name: 'a',
      size: 3,
      ready: true,
      labels: { 'app.kubernetes.io/name': 'web' },
      ports: [80, 443],
      on: [{ type: 'Ready', status: 'True' }],
    },
    {
      name: 'b',
      size: 10,
      ready: false,
      labels: {},
      ports: [],
      on: [
        { type: 'Ready', status: 'False' },
        { type: 'Other', status: 'True' },
      ],
    },
  ],
};

describe('templates that cannot be used are refused', () => {
  test.each([
    '{.items[0',
    '{.items[}',
    '{end}',
    '{range .items[*]}x',
    '{.items[0]',
    '{.a b}',
    '{.items[?(name)]}',
    '{.items[9].name}',
    '{.items[a:b]}',
  ])('%s', (template) => {
    expect(() => renderTemplate(template, ROOT)).toThrow(AnswerError);
  });

  test('a path that is absurdly long', () => {
    expect(() => renderTemplate(`{${'.a'.repeat(5000)}}`, ROOT)).toThrow(AnswerError);
  });
});

test.each([
  ['{.kind}', 'List'],
  ['{$.kind}', 'List'],
  ['plain text', 'plain text'],
  ['{"quoted\\t"}{\'x\'}', 'quoted\tx'],
  ['{.items[*].name}', 'a b'],
  ['{.items[0].name}-{.items[-1].name}', 'a-b'],
  ['{.items[0,1].name}', 'a b'],
  ['{.items[0:1].name}', 'a'],
  ['{.items[*].ports[*]}', '80 443'],
  ['{.items[0].ports}', '[80,443]'],
  ['{.items[1].labels}', '{}'],
  ["{.items[0].labels['app.kubernetes.io/name']}", 'web'],
  ["{.items[0]['labels']['app\\.kubernetes\\.io/name']}", 'web'],
  ['{.items[0].labels.app\\.kubernetes\\.io/name}', 'web'],
  ['{.items[?(@.name=="b")].size}', '10'],
  ["{.items[?(@.name=='b')].size}", '10'],
  ['{.items[?(@.size>3)].name}', 'b'],
  ['{.items[?(@.size>=3)].name}', 'a b'],
  ['{.items[?(@.name!="a")].name}', 'b'],
  ['{.items[?(@.ready==true)].name}', 'a'],
  ['{.items[?(@.nothing)].name}', ''],
  ['{.items[*].on[?(@.type=="Ready")].status}', 'True False'],
  ['{range .items[*]}{.name}={.size}{"\\n"}{end}', 'a=3\nb=10\n'],
  ['{range .items[*]}{.name}:{range .on[?(@.status=="True")]}{.type},{end};{end}', 'a:Ready,;b:Other,;'],
  ['{..name}', 'a b'],
  ['{.nothing.at.all}', ''],
  ["{.items[*]['name', 'size']}", 'a 3 b 10'],
  ['{.items[0].__proto__}{.items[0].constructor}', ''],
])('%s', (template, expected) => {
  expect(renderTemplate(template, ROOT)).toBe(expected);
});

test.each(['.items[0].name', 'items[0].name', '{.items[0].name}', '$.items[0].name'])(
  'the path %s of a column',
  (path) => {
    expect(valuesAtPath(path)(ROOT)).toEqual(['a']);
  },
);

test('any text is rendered or refused, and never breaks', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '.',
    '..',
    '*',
    '?',
    '(',
    ')',
    '@',
    '"',
    "'",
    '\\',
    'range ',
    'end',
    'items',
    '0',
    ':',
    ',',
    '==',
    '$',
    '\0',
    '\u001b',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        return typeof renderTemplate(pieces.join(''), ROOT) === 'string';
      } catch (thrown) {
        return thrown instanceof AnswerError;
      }
    }),
    { numRuns: 2000 },
  );
});
