import { describe, expect, test } from 'vitest';
import { aDump, aPod, ask, askExample, EXAMPLE } from './make-dump.js';

const P = '-n production';
const linesOf = async (words: string): Promise<string[]> => (await askExample(words)).stdout.trimEnd().split('\n');

describe('what is not there is told in the words of a server', () => {
  test.each([
    [`get pod nope ${P}`, 'Error from server (NotFound): pods "nope" not found'],
    [`get deploy nope ${P}`, 'Error from server (NotFound): deployments.apps "nope" not found'],
    ['get pod x -A', 'error: a resource cannot be retrieved by name across all namespaces'],
    ['get pod x -l a=b', 'error: name cannot be provided when a selector is specified'],
    ['get pod/x/y', 'error: arguments in resource/name form must have a single resource and name'],
    [`get pods ${P} --sort-by=.foo`, 'error: couldn\'t find any field with path ".foo" in the list of objects'],
    [
      `get pods ${P} -o custom-columns=N`,
      'error: unexpected custom-columns spec: N, expected <header>:<json-path-expr>',
    ],
  ])('kubectl %s', async (words, message) => {
    expect(await askExample(words)).toEqual({
      stdout: '',
      stderr: `${message}\n`,
      exitCode: 1,
      error: { category: 'execution', message },
    });
  });

  test('what is there is shown beside it', async () => {
    const answer = await askExample(`get pod orders-db-0 nope ${P} -o name`);
    expect([answer.stdout, answer.exitCode]).toEqual(['pod/orders-db-0\n', 1]);
    expect(await askExample(`get pod nope ${P} --ignore-not-found`)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  test('no objects at all', async () => {
    expect(await askExample('get pods')).toEqual({
      stdout: '',
      stderr: 'No resources found in default namespace.\n',
      exitCode: 0,
    });
    expect(await askExample('get netpol -A')).toEqual({ stdout: '', stderr: 'No resources found\n', exitCode: 0 });
    expect(JSON.parse((await askExample('get pods -o json')).stdout)).toEqual({
      apiVersion: 'v1',
      items: [],
      kind: 'List',
      metadata: { resourceVersion: '' },
    });
  });
});

test('the pods of the example, aged by its own time', async () => {
  expect(
    (await askExample(`get pods ${P}`)).stdout,
  ).toBe(`NAME                                   READY   STATUS             RESTARTS        AGE
order-service-7d8f9b-abc12             0/1     CrashLoopBackOff   5 (2m30s ago)   10m
order-service-7d8f9b-def34             0/1     CrashLoopBackOff   5 (2m23s ago)   10m
order-service-7d8f9b-ghi56             0/1     CrashLoopBackOff   5 (2m16s ago)   10m
orders-db-0                            1/1     Running            0               38d
orders-nightly-export-28676280-h7bqd   0/1     Completed          0               12h
payment-service-58d7c9f6bb-4kq8z       1/1     Running            0               12d
payment-service-58d7c9f6bb-t6w2n       1/1     Running            0               12d
web-frontend-7c4f8d6b9d-l9v5x          1/1     Running            0               6d6h
web-frontend-7c4f8d6b9d-r2m7c          1/1     Running            0               6d6h
web-frontend-7c4f8d6b9d-x8s4d          1/1     Running            0               52m
`);
});

test('several kinds are tables of their own, with the kind in each name', async () => {
  expect(
    (await askExample(`get deploy,rs ${P} -l app=order-service`)).stdout,
  ).toBe(`NAME                            READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/order-service   0/3     3            0           121d

NAME                                   DESIRED   CURRENT   READY   AGE
replicaset.apps/order-service-6c5d4b   0         0         0       15d
replicaset.apps/order-service-7d8f9b   3         3         0       10m
`);
});

test.each([
  [
    'get nodes -o wide',
    'worker-1   Ready   <none>   141d   v1.29.6   10.0.1.11   <none>   Ubuntu 22.04.4 LTS   5.15.0-1063-aws   containerd://1.7.18',
  ],
  ['get ns', 'default   Active   141d'],
  [`get svc order-service ${P}`, 'order-service   ClusterIP   10.96.114.20   <none>   8080/TCP   121d'],
  [
    `get svc order-service ${P} -o wide`,
    'order-service   ClusterIP   10.96.114.20   <none>   8080/TCP   121d   app=order-service',
  ],
  [`get ep web-frontend ${P}`, 'web-frontend   10.244.2.52:8080,10.244.3.33:8080,10.244.1.47:8080   140d'],
  [`get ep order-service ${P}`, 'order-service   121d'],
  [`get sts ${P}`, 'orders-db   1/1   121d'],
  ['get ds -n kube-system', 'kube-proxy   3   3   3   3   3   kubernetes.io/os=linux   141d'],
  [`get jobs ${P}`, 'orders-nightly-export-28676280   Complete   1/1   3m12s   12h'],
  [`get cj ${P}`, 'orders-nightly-export   0 2 * * *   <none>   False   0   12h   117d'],
  [
    `get pvc ${P}`,
    'data-orders-db-0   Bound   pvc-f068cf97-c93a-57ee-970b-609351fe2628   50Gi   RWO   gp3   <unset>   121d',
  ],
  ['get sc', 'gp3 (default)   ebs.csi.aws.com   Delete   WaitForFirstConsumer   true   141d'],
  [`get cm order-service-config ${P}`, 'order-service-config   5   121d'],
  [`get hpa ${P}`, 'web-frontend   Deployment/web-frontend   cpu: 54%/70%   2   6   3   139d'],
  [`get ing ${P}`, 'shop   nginx   shop.example.com   203.0.113.40   80, 443   140d'],
  [`get pdb ${P}`, 'order-service   1   N/A   0   121d'],
  [`get controllerrevisions ${P}`, 'orders-db-5f7c9d4b86   38d'],
  [
    `get events ${P} --field-selector reason=SuccessfulRescale`,
    '52m   Normal   SuccessfulRescale   horizontalpodautoscaler/web-frontend   New size: 3; reason: cpu resource utilization (percentage of request) above target',
  ],
  [
    `get po orders-db-0 ${P} -L app,nope --show-labels --no-headers`,
    'orders-db-0   1/1   Running   0   38d   orders-db   app=orders-db,apps.kubernetes.io/pod-index=0,controller-revision-hash=orders-db-5f7c9d4b86,statefulset.kubernetes.io/pod-name=orders-db-0',
  ],
])('kubectl %s: a row', async (words, row) => {
  const lines = await linesOf(words);
  expect((lines[1] ?? lines[0])?.replaceAll(/ {3,}/g, '   ')).toBe(row);
});

const NAMES = ['order-service-7d8f9b-abc12', 'order-service-7d8f9b-def34', 'order-service-7d8f9b-ghi56'].map(
  (name) => `pod/${name}`,
);

test.each([
  [`get pods ${P} -l app=order-service -o name`, NAMES],
  [`-n production get -o=name -lapp=order-service po`, NAMES],
  [`get Pod ${P} --selector=app=order-service --output name`, NAMES],
  [`get pods.v1. -l app=order-service -A -o name`, NAMES],
  [`get ${NAMES.join(' ')} ${P} -o name`, NAMES],
  [`get pods ${P} --field-selector=status.phase!=Running -o name`, ['pod/orders-nightly-export-28676280-h7bqd']],
  [
    'get pods -A --field-selector spec.nodeName=worker-2,metadata.namespace=kube-system -o name',
    ['pod/coredns-76f75df574-wq8vd', 'pod/kube-proxy-mz5tw'],
  ],
  [
    `get deployments.v1.apps,svc ${P} -l app=order-service -o name`,
    ['deployment.apps/order-service', 'service/order-service'],
  ],
  [
    'get deployments,statefulsets,daemonsets,services,jobs,cronjobs,pods --all-namespaces --field-selector=metadata.name=orders-db -o name',
    ['statefulset.apps/orders-db', 'service/orders-db'],
  ],
  [
    `get pods ${P} --sort-by=.metadata.creationTimestamp -o name -l app!=web-frontend,app`,
    ['pod/orders-db-0', 'pod/payment-service-58d7c9f6bb-4kq8z', 'pod/payment-service-58d7c9f6bb-t6w2n', ...NAMES],
  ],
  ['get all -n default -o name', ['service/kubernetes']],
])('kubectl %s: names', async (words, names) => {
  expect(await linesOf(words)).toEqual(names);
});

test('selectors with blanks are one word', async () => {
  const { stdout } = await ask(
    EXAMPLE,
    'get',
    'pods',
    '-A',
    '-l',
    'app in (orders-db, none), !pod-template-hash',
    '-o',
    'name',
  );
  expect(stdout).toBe('pod/orders-db-0\n');
});

describe('whole objects', () => {
  test('one named object stands alone, with its kind and its keys in order', async () => {
    const { stdout } = await askExample(`get cm order-service-config ${P} -o json`);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '{',
      '    "apiVersion": "v1",',
      '    "data": {',
      '        "CACHE_WARMUP_WORKERS": "8",',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'ConfigMap', data: { DB_POOL_MAX: '10' } });
  });

  test('several objects are a List, in YAML too', async () => {
    const { stdout } = await askExample(`get cm ${P} -o yaml`);
    expect(stdout).toMatch(/^apiVersion: v1\nitems:\n/);
    expect(stdout).toMatch(/\nkind: List\nmetadata:\n {2}resourceVersion: ""\n$/);
    expect(stdout).toContain('DB_POOL_MAX: "10"');
  });

  test('managedFields are left out unless they are asked for', async () => {
    const pod = aPod('web', { metadata: { name: 'web', namespace: 'shop', managedFields: [{ manager: 'x' }] } });
    const dir = aDump({ 'shop/pods.json': [pod] });
    expect((await ask(dir, 'get', 'pod', 'web', '-n', 'shop', '-o', 'yaml')).stdout).not.toContain('managedFields');
    expect((await ask(dir, 'get', 'pod', 'web', '-n', 'shop', '-o', 'yaml', '--show-managed-fields')).stdout).toContain(
      'manager: x',
    );
  });

  test('custom columns', async () => {
    const columns = 'custom-columns=N:.metadata.name,C:.spec.containers[*].name,X:.nothing';
    expect((await askExample(`get pod orders-db-0 ${P} -o ${columns}`)).stdout).toBe(
      'N             C          X\norders-db-0   postgres   <none>\n',
    );
  });

  test('jsonpath reads one object, or the list', async () => {
    const path = '{.metadata.annotations.deployment\\.kubernetes\\.io/revision}';
    expect(
      (await ask(EXAMPLE, 'get', 'deploy', 'order-service', '-n', 'production', '-o', `jsonpath=${path}`)).stdout,
    ).toBe('42');
    expect((await askExample(`get deploy ${P} -o jsonpath={.items[*].metadata.name}`)).stdout).toBe(
      'order-service payment-service web-frontend',
    );
  });
});

test('a custom kind is found by plural, singular and group', async () => {
  const dir = aDump({
    'nodes.json': [],
    'shop/certificates.cert-manager.io.json': [{ kind: 'Certificate', metadata: { name: 'tls' } }],
    'clusterissuers.json': [{ metadata: { name: 'ca' } }],
  });
  for (const word of ['certificates', 'certificate', 'certificates.cert-manager.io']) {
    expect((await ask(dir, 'get', word, '-n', 'shop', '-o', 'name')).stdout).toMatch(/^certificate\/tls\n$/);
  }
  expect((await ask(dir, 'get', 'clusterissuers', '--no-headers')).stdout).toBe('ca    <unknown>\n');
});
