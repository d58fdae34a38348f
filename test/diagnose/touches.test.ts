import { describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../src/diagnose/snapshot.js';
import { touches } from '../../src/diagnose/touches.js';
import type { Json } from '../../src/domain/types.js';
import { aStoredResult } from '../helpers/run-context.js';

const pod = (name: string, ready: boolean, more: { app?: string; owner?: string; node?: string } = {}) => ({
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    labels: { app: more.app ?? 'web' },
    ownerReferences: [{ kind: more.owner ?? 'ReplicaSet', name: 'web-1', uid: 'u', controller: true }],
  },
  spec: { nodeName: more.node ?? 'n1' },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});
const replicaSet = {
  kind: 'ReplicaSet',
  metadata: {
    name: 'web-1',
    namespace: 'shop',
    uid: 'u',
    ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'd', controller: true }],
  },
};
const service = { kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec: { selector: { app: 'web' } } };
const budget = (disruptionsAllowed: number, selector: object) => ({
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector },
  status: { disruptionsAllowed },
});

async function linesOf(objects: readonly object[], kind: string, name: string) {
  const data = { kind: 'List', apiVersion: 'v1', items: objects } as unknown as Json;
  const args = { kind: 'pods', namespace: 'shop', output: 'json' };
  const tokens = ['kubectl', 'get', 'pods', '--namespace=shop', '--output=json'];
  const result = { ...aStoredResult({ callId: 'c1', tool: 'kubectl_get' }, data, args), tokens };
  return touches(await buildSnapshot([result]), kind, name, 'shop');
}

describe('what a change touches', () => {
  test('is nothing that is known for a kind without pods', async () => {
    expect(await linesOf([pod('a', true)], 'configmap', 'web')).toEqual([
      'pods: none that is known to belong to this ConfigMap',
    ]);
  });

  test('names the pods of a deployment, a Service that has no other address, and a budget that allows nothing', async () => {
    const objects = [pod('a', false), pod('b', true), replicaSet, service, budget(0, { matchLabels: { app: 'web' } })];
    expect(await linesOf(objects, 'deploy', 'web')).toEqual([
      'pods: 2, 1 ready: b, a (not ready)',
      'Service web: all its ready addresses (1) are these pods',
      'PodDisruptionBudget web: allows 0 disruptions now (2 of these pods)',
    ]);
  });

  test('of one pod says how many addresses are left elsewhere, and leaves out budgets of other pods', async () => {
    const other = budget(0, { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] });
    expect(await linesOf([pod('a', true), pod('b', true), service, other], 'pod', 'a')).toEqual([
      'pods: 1, 1 ready: a',
      'Service web: 1 of 2 ready addresses are elsewhere',
    ]);
  });

  test('of a node leaves out what a DaemonSet keeps there, and a budget that allows as many disruptions', async () => {
    const objects = [
      pod('a', true),
      pod('agent', true, { owner: 'DaemonSet' }),
      pod('b', true, { node: 'n2' }),
      budget(1, {}),
    ];
    expect(await linesOf(objects, 'node', 'n1')).toEqual(['pods: 1, 1 ready: a']);
  });

  test.each([
    [budget(1, {}), 'allows 1 disruption now (2 of these pods)'],
    [{ ...budget(1, {}), status: {} }, 'does not say how many disruptions it allows (2 of these pods)'],
  ])('names a budget that allows fewer disruptions than there are pods: %#', async (one, said) => {
    const lines = await linesOf([pod('a', true), pod('b', true), replicaSet, one], 'deploy', 'web');
    expect(lines.at(-1)).toBe(`PodDisruptionBudget web: ${said}`);
  });
});
