import { describe, expect, test } from 'vitest';
import { AnswerError } from '../../src/dump/outcome.js';
import { fieldSelector, labelSelector, podSelectorOf } from '../../src/dump/selectors.js';

const LABELS = new Map([
  ['app', 'web'],
  ['tier', 'front'],
  ['app.kubernetes.io/part-of', 'shop'],
  ['empty', ''],
  ['rank', '7'],
]);

test.each(['a=(', 'a in b', '=x', 'a=b c=d', 'a==b==c', 'in (a)', 'a,,b', 'a>', 'a>b', 'a>-1', '>5'])(
  'the selector %s is refused',
  (selector) => {
    expect(() => labelSelector(selector)).toThrow(AnswerError);
  },
);

test.each([
  ['', true],
  ['app=web', true],
  ['app==web', true],
  ['app = web , tier=front', true],
  ['app=web,tier=back', false],
  ['rank>5', true],
  ['rank > 5,app=web', true],
  ['rank>7', false],
  ['rank<8', true],
  ['rank<7', false],
  ['rank>99999999999999999999', false],
  ['app>5', false],
  ['app<5', false],
  ['none<5', false],
  ['app!=web', false],
  ['app!=db', true],
  ['none!=db', true],
  ['app in (web, db)', true],
  ['app in (db)', false],
  ['none in (db)', false],
  ['app notin (db),tier', true],
  ['none notin (db)', true],
  ['app notin (web)', false],
  ['tier', true],
  ['none', false],
  ['!none', true],
  ['!tier', false],
  ['empty=', true],
  ['app.kubernetes.io/part-of=shop,app', true],
])('the labels of a pod and %j', (selector, expected) => {
  expect(labelSelector(selector)(LABELS)).toBe(expected);
});

describe('field selectors', () => {
  const event = {
    metadata: { name: 'e' },
    type: 'Warning',
    reason: 'BackOff',
    source: { component: 'kubelet' },
    involvedObject: { kind: 'Pod', name: 'web-1' },
  };

  test.each([
    ['type=Warning', true],
    ['type!=Normal,reason==BackOff', true],
    ['involvedObject.name=web-1,involvedObject.kind=Pod', true],
    ['involvedObject.name=web-2', false],
    ['source=kubelet', true],
    ['metadata.name=e', true],
    ['', true],
  ])('%s', (selector, expected) => {
    expect(fieldSelector(selector, 'events')(event)).toBe(expected);
  });

  test('a field that a server cannot select by is refused in its words', () => {
    expect(() => fieldSelector('spec.foo=1', 'pods')).toThrow(
      /^Error from server \(BadRequest\): .* field label not supported: spec\.foo/,
    );
    expect(() => fieldSelector('type', 'events')).toThrow(/invalid field selector/);
  });
});

test('a selector of a workload with expressions selects its pods, and an empty one selects none', () => {
  const expressions = [
    { key: 'app', operator: 'In', values: ['web'] },
    { key: 'none', operator: 'DoesNotExist' },
  ];
  expect(podSelectorOf({ spec: { selector: { matchExpressions: expressions } } })?.(LABELS)).toBe(true);
  expect(podSelectorOf({ spec: { selector: { app: 'web' } } })?.(LABELS)).toBe(true);
  expect(podSelectorOf({ spec: { selector: {} } })).toBeUndefined();
  expect(podSelectorOf({ spec: {} })).toBeUndefined();
});
