import { describe, expect, test } from 'vitest';
import { diffLines } from '../../src/agent/change-diff.js';
import { comparable, isAbsent, isSame, nameOnly, restorable, stateOf } from '../../src/agent/change-state.js';

const object = (spec: object, metadata: object = {}, more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', ...metadata },
  spec,
  ...more,
});
const state = (...objects: object[]) => stateOf(JSON.stringify({ kind: 'List', items: objects }));
const SAME = { sameLife: true };

describe('the difference of two objects', () => {
  test('is nothing for another order of keys', () => {
    expect(diffLines({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toEqual([]);
  });

  test('is a line for each field, with elements of lists by their name', () => {
    const before = { spec: { replicas: 2, containers: [{ name: 'app', image: 'a:1' }, { name: 'log' }], gone: true } };
    const after = {
      spec: { replicas: 3, containers: [{ name: 'log' }, { name: 'app', image: 'a:2', args: ['x'] }] },
      labels: { 'a/b': 'c' },
    };
    expect(diffLines(before, after)).toEqual([
      '.spec.replicas: 2 → 3',
      '.spec.containers[app].image: "a:1" → "a:2"',
      '.spec.containers[app].args: nothing → ["x"]',
      '.spec.gone: true → nothing',
      '.labels: nothing → {"a/b":"c"}',
    ]);
  });

  test('is cut at 40 lines, and says so', () => {
    const many = (value: number) => Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, value]));
    const lines = diffLines(many(1), many(2));
    expect([lines.length, lines.at(-1)]).toEqual([40, '… and 61 more fields']);
  });
});

describe('a saved state', () => {
  test.each(['', '\n', '{"kind":"List","items":[]}'])('of %j is that there was nothing', (output) => {
    expect(isAbsent(stateOf(output))).toBe(true);
  });

  test('that only the cluster wrote to is the same', () => {
    const before = object({ replicas: 2 }, { uid: 'u', resourceVersion: '1', generation: 1 }, { status: { ready: 1 } });
    const annotations = { 'deployment.kubernetes.io/revision': '7' };
    const after = object(
      { replicas: 2 },
      { uid: 'u', resourceVersion: '9', generation: 2, managedFields: [], annotations },
    );
    expect(isSame(state(before), state(after), {}, SAME)).toBe(true);
  });

  test.each([
    ['another spec', object({ replicas: 3 }, { uid: 'u' })],
    ['another label', object({ replicas: 2 }, { uid: 'u', labels: { a: 'b' } })],
    ['another life of the same name', object({ replicas: 2 }, { uid: 'v' })],
  ])('with %s is not the same', (_, other) => {
    expect(isSame(state(object({ replicas: 2 }, { uid: 'u' })), state(other), {}, SAME)).toBe(false);
  });

  test('is compared by its values where the tool names some, and by which object it is', () => {
    const values = { replicas: 'spec.replicas' };
    const before = state(object({ replicas: 2, template: 1 }, { uid: 'u' }));
    expect(comparable(before, values, SAME)).toEqual({ replicas: 2, uid: 'u' });
    expect(isSame(before, state(object({ replicas: 2, template: 2 }, { uid: 'u' })), values, SAME)).toBe(true);
    expect(isSame(before, state(object({ replicas: 2 }, { uid: 'v' })), values, SAME)).toBe(false);
  });

  test('is given back without what belongs to its former life', () => {
    const metadata = { uid: 'u', resourceVersion: '1', creationTimestamp: 't', labels: { a: 'b' } };
    const pod = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'p', ...metadata },
      spec: { nodeName: 'n', x: 1 },
      status: {},
    };
    expect(restorable(pod, true)).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'p', labels: { a: 'b' } },
      spec: { x: 1 },
    });
    expect(nameOnly(pod)).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } });
  });
});
