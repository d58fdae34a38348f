import { describe, expect, test } from 'vitest';
import { alignCells, DESCRIPTION } from '../../src/dump/align.js';
import { aDump, aPod, ask, askExample } from './make-dump.js';

const P = '-n production';

describe('descriptions that cannot be given', () => {
  test('of an object that is not there', async () => {
    expect(await askExample(`describe pod nope ${P}`)).toMatchObject({
      stdout: '',
      stderr: 'Error from server (NotFound): pods "nope" not found\n',
      exitCode: 1,
    });
  });

  test('neighbours and events that were not recorded are told as that', async () => {
    const dir = aDump({ 'shop/services.json': [{ metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } }] });
    const { stdout } = await ask(dir, 'describe', 'svc', 'web', '-n', 'shop');
    expect(stdout).toContain('Endpoints:         <endpoints are not recorded>\n');
    expect(stdout).toMatch(/\nEvents: +<events are not recorded>\n$/);
  });
});

test('a pod that crashes: states, references, conditions and events', async () => {
  const { stdout, stderr, exitCode } = await askExample(`describe pod order-service-7d8f9b-abc12 ${P}`);
  expect([stderr, exitCode]).toEqual(['', 0]);
  for (const text of [
    'Node:             worker-1/10.0.1.11\nStart Time:       Wed, 10 Jul 2024 14:19:00 +0000\n',
    'Controlled By:  ReplicaSet/order-service-7d8f9b\n',
    '    State:          Waiting\n      Reason:       CrashLoopBackOff\n    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    1\n',
    '    Restart Count:  5\n    Limits:\n      cpu:     1\n      memory:  1Gi\n',
    '    Readiness:  http-get http://:http/actuator/health/readiness delay=15s timeout=2s period=10s #success=1 #failure=3\n',
    "      DB_POOL_MAX:        <set to the key 'DB_POOL_MAX' of config map 'order-service-config'>  Optional: false\n",
    "      DB_PASSWORD:        <set to the key 'password' in secret 'orders-db-credentials'>        Optional: false\n",
    '  Ready                      False   ContainersNotReady  containers with unready status: [order-service]\n',
    '  Warning  Unhealthy  2m36s (x17 over 9m42s)  kubelet            Readiness probe failed: HTTP probe failed with statuscode: 503\n',
  ]) {
    expect(stdout).toContain(text);
  }
});

test.each([
  [
    'deploy order-service',
    [
      'Replicas:           3 desired | 3 updated | 3 total | 0 available | 3 unavailable',
      'NewReplicaSet:   order-service-7d8f9b (3/3 replicas created)',
      '  Progressing    False   ProgressDeadlineExceeded    ReplicaSet "order-service-7d8f9b" has timed out progressing.',
    ],
  ],
  ['sts orders-db', ['Pods Status:        1 Running / 0 Waiting / 0 Succeeded / 0 Failed', '  Capacity:      50Gi']],
  ['svc web-frontend', ['Endpoints:                10.244.2.52:8080,10.244.3.33:8080,10.244.1.47:8080']],
  ['ep order-service', ['  NotReadyAddresses:  10.244.1.23,10.244.2.41,10.244.3.17']],
  ['cm order-service-config', ['DB_POOL_MAX:', '10']],
  ['secret orders-db-credentials', ['password:  <value is not part of the dump>']],
  ['job orders-nightly', ['Pods Statuses:      0 Active (0 Ready) / 1 Succeeded / 0 Failed']],
  [
    'hpa web-frontend',
    [
      '  maxReplicas: 6',
      '  Normal  SuccessfulRescale  52m   horizontal-pod-autoscaler  New size: 3; reason: cpu resource utilization (percentage of request) above target',
    ],
  ],
  ['pvc', ['Name:               data-orders-db-0', '  phase: Bound']],
])('kubectl describe %s', async (words, lines) => {
  const answer = await askExample(`describe ${words} ${P}`);
  expect(answer.exitCode).toBe(0);
  expect(answer.stdout.split('\n')).toEqual(expect.arrayContaining(lines));
  expect(answer.stdout).toMatch(/\nEvents:(\n| +<none>\n)/);
});

test('a node counts what its pods ask for', async () => {
  const { stdout } = await askExample('describe node worker-1');
  expect(stdout).toContain('Non-terminated Pods:          (5 in total)\n');
  expect(stdout).toContain('  cpu                550m (14%)  1 (25%)\n  memory             806Mi (5%)  1642Mi (11%)\n');
});

test('several objects are separated by one empty line, and a name may be a beginning', async () => {
  const { stdout } = await askExample(`describe po order-service ${P}`);
  expect(stdout.match(/^Name: /gm)).toHaveLength(3);
  expect(stdout.match(/\n\nName: /g)).toHaveLength(2);
});

test('events of an earlier object of the same name are left out', async () => {
  const involved = (uid: string) => ({ kind: 'Pod', name: 'web', uid });
  const events = [
    { metadata: { name: 'a' }, reason: 'Mine', involvedObject: involved('2') },
    { metadata: { name: 'b' }, reason: 'Former', involvedObject: involved('1') },
  ];
  const dir = aDump({
    'shop/pods.json': [aPod('web', { metadata: { name: 'web', namespace: 'shop', uid: '2' } })],
    'shop/events.json': events,
  });
  const { stdout } = await ask(dir, 'describe', 'pod', 'web', '-n', 'shop');
  expect([stdout.includes('Mine'), stdout.includes('Former')]).toEqual([true, false]);
});

test('hostile values neither tear the columns nor reach a terminal', async () => {
  const annotations = { a: 'one\n\ttwo\u001b[31m', b: 'x'.repeat(100_000) };
  const dir = aDump({
    'shop/pods.json': [aPod('web', { metadata: { name: 'web', namespace: 'shop', annotations } })],
    'shop/events.json': [],
  });
  const { stdout } = await ask(dir, 'describe', 'pod', 'web', '-n', 'shop');
  expect(stdout).toContain('Annotations:      a: one two^[[31m\n');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(200);
});

test('a line break in a value cannot pass for a line of the description', async () => {
  const containers = [{ name: 'app', image: 'x\nEvents:  <none>' }];
  const dir = aDump({ 'shop/pods.json': [aPod('web', { spec: { containers } })], 'shop/events.json': [] });
  const { stdout } = await ask(dir, 'describe', 'pod', 'web', '-n', 'shop');
  expect(stdout.match(/^Events:/gm)).toHaveLength(1);
});

test('columns reach as far as consecutive lines have them', () => {
  expect(alignCells(['a:\tb', 'long title:\tc\td', 'no cell', 'x:\ty'], DESCRIPTION)).toEqual([
    'a:           b',
    'long title:  c  d',
    'no cell',
    'x:  y',
  ]);
});
