import { describe, expect, test } from 'vitest';
import { aDump, ask, askExample } from './make-dump.js';

const P = '-n production';

describe('kubectl events', () => {
  test.each([
    ['events --for foo', 'error: --for must be in resource/name form'],
    ['events --types=foo', 'error: valid --types are Normal or Warning'],
    [
      'events -o foo',
      'error: unable to match a printer suitable for the output format "foo", allowed formats are: json,name,yaml',
    ],
  ])('%s is refused', async (words, message) => {
    expect(await askExample(words)).toMatchObject({ stdout: '', stderr: `${message}\n`, exitCode: 1 });
  });

  test('lists oldest first, with how often', async () => {
    const { stdout } = await askExample(`events ${P} --for=pod/order-service-7d8f9b-abc12 --types=Warning`);
    expect(stdout.split('\n').map((line) => line.slice(0, 46))).toEqual([
      'LAST SEEN                TYPE      REASON     ',
      '2m36s (x17 over 9m42s)   Warning   Unhealthy  ',
      '8s (x27 over 8m23s)      Warning   BackOff    ',
      '',
    ]);
  });

  test('none is said, and JSON is a list', async () => {
    expect(await askExample('events')).toEqual({
      stdout: '',
      stderr: 'No events found in default namespace.\n',
      exitCode: 0,
    });
    const { items } = JSON.parse((await askExample(`events ${P} --for deploy/order-service -o json`)).stdout);
    expect(items.map((event: { reason: string }) => event.reason)).toEqual(['ScalingReplicaSet', 'ScalingReplicaSet']);
  });
});

describe('kubectl top', () => {
  test('what was not recorded', async () => {
    const answer = await ask(aDump({ 'nodes.json': [] }), 'top', 'nodes');
    expect(answer.stderr).toBe('top nodes is not recorded: the dump holds no usage of nodes\n');
    expect(answer.error?.hint).toContain("kubectl top nodes > top-nodes.txt in the dump's folder");
  });

  test('pods of a namespace, of a selector, by size', async () => {
    expect((await askExample(`top pods ${P} -l app=orders-db`)).stdout).toBe(
      'NAME          CPU(cores)   MEMORY(bytes)\norders-db-0   38m          1204Mi\n',
    );
    expect((await askExample('top pods -A --sort-by=memory --no-headers')).stdout.split('\n')[0]).toMatch(
      /^production +orders-db-0 /,
    );
    expect((await askExample('top nodes')).stdout.split('\n')[1]).toBe(
      'worker-1   412m         10%    4127Mi          27%',
    );
    expect(await askExample(`top pod order-service-7d8f9b-abc12 ${P}`)).toMatchObject({ exitCode: 1 });
  });
});

describe('kubectl rollout', () => {
  test('status says what was not complete when the dump was made', async () => {
    const answer = await askExample(`rollout status deployment order-service ${P} --timeout=60s`);
    expect([answer.exitCode, answer.stderr]).toEqual([
      1,
      'error: the rollout of deployment "order-service" was not complete when the dump was made: it exceeded its progress deadline\n',
    ]);
    expect((await askExample(`rollout status sts/orders-db ${P}`)).stdout).toBe(
      'statefulset "orders-db" successfully rolled out\n',
    );
    expect((await askExample('rollout status ds kube-proxy -n kube-system')).stdout).toBe(
      'daemonset "kube-proxy" successfully rolled out\n',
    );
  });

  test('history lists revisions', async () => {
    expect((await askExample(`rollout history deploy/order-service ${P}`)).stdout).toBe(
      'deployment.apps/order-service \nREVISION   CHANGE-CAUSE\n41         release order-service 2.4.0\n42         release order-service 2.4.1\n',
    );
    expect((await askExample(`rollout history sts orders-db ${P}`)).stdout).toContain('\n3          <none>\n');
  });
});

test.each([
  ['version', 'Client Version: none, a dump is being read\nNode Versions: v1.29.6\n'],
  ['version --client', 'Client Version: none, a dump is being read\n'],
  ['config current-context', 'dump:order-service\n'],
  ['config get-contexts -o name', 'dump:order-service\n'],
  [
    'cluster-info',
    'No control plane: this is a dump of dump:order-service.\nNewest moment in it: 2024-07-10T14:29:10.000Z\nNamespaces: default, kube-system, production\nNode versions: v1.29.6\n',
  ],
  [
    'api-resources --namespaced=false --no-headers',
    'namespaces          ns    v1                  false   Namespace\nnodes               no    v1                  false   Node\npersistentvolumes   pv    v1                  false   PersistentVolume\nstorageclasses      sc    storage.k8s.io/v1   false   StorageClass\n',
  ],
])('kubectl %s', async (words, stdout) => {
  expect(await askExample(words)).toEqual({ stdout, stderr: '', exitCode: 0 });
});
