import { describe, expect, test } from 'vitest';
import { diagnosed, first, titles } from './fixtures/ask.js';
import { deployment, event, minutesAgo, node, object, pod, replicaSet } from './fixtures/cluster.js';

const progressing = (status: string, reason: string, minutes: number, message = '') => ({
  conditions: [{ type: 'Progressing', status, reason, message, lastUpdateTime: minutesAgo(minutes) }],
});

describe('deployments', () => {
  test('are well with all pods ready, also while a surge runs one more', async () => {
    expect(await titles([deployment('web', 2, { readyReplicas: 2, replicas: 3 })])).toEqual([]);
  });

  test('roll out within their deadline without a word', async () => {
    expect(
      await titles([deployment('web', 2, { readyReplicas: 1, ...progressing('True', 'ReplicaSetUpdated', 3) })]),
    ).toEqual([]);
  });

  test('are judged on what their controller has seen only', async () => {
    const unseen = {
      ...deployment('web', 2, { observedGeneration: 1 }),
      metadata: { name: 'web', namespace: 'production', generation: 2 },
    };
    expect(await titles([unseen])).toEqual([]);
  });

  test('without readyReplicas have none ready', async () => {
    const finding = first(await diagnosed([deployment('web', 2, {})]));
    expect([finding.title, finding.severity]).toEqual(['Deployment production/web: 0 of 2 pods are ready', 'critical']);
  });

  test('are stuck past their deadline', async () => {
    const stuck = deployment('web', 2, {
      readyReplicas: 1,
      ...progressing('False', 'ProgressDeadlineExceeded', 20, 'ReplicaSet "web-1" has timed out progressing.'),
    });
    expect(await titles([stuck])).toEqual([
      'Deployment production/web: the rollout made no progress within its deadline (1 of 2 pods are ready)',
    ]);
  });

  test.each([
    [
      'pods "web-1" is forbidden: exceeded quota: compute, requested: limits.memory=1Gi',
      'the resource quota compute is used up',
    ],
    ['pods "web-1" is forbidden: exceeded quota', 'a resource quota of the namespace is used up'],
    [
      'pods "web-1" is forbidden: violates PodSecurity "restricted:latest"',
      'the pod security standard of the namespace forbids them',
    ],
    ['admission webhook "policy.example.com" denied the request', 'an admission webhook fails or refuses them'],
    [
      'error looking up service account production/web: serviceaccount "web" not found',
      'their service account does not exist',
    ],
    ['odd', 'see the quoted message'],
  ])('cannot create pods: %s', async (message, reason) => {
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }];
    const diagnosis = await diagnosed([
      deployment('web', 2, { conditions }),
      replicaSet('web-1', 'web', { spec: { replicas: 2 }, status: { replicas: 0, conditions } }),
    ]);
    expect(diagnosis.findings.map((f) => [f.title, f.symptoms.map((s) => s.rule)])).toEqual([
      [`Deployment production/web cannot create its pods: ${reason}`, ['deployment.not-ready']],
    ]);
  });

  test('paused or scaled to 0 are remarks, not problems', async () => {
    const diagnosis = await diagnosed([
      deployment('a', 1, { readyReplicas: 1 }, { paused: true }),
      deployment('b', 0, {}),
    ]);
    expect(diagnosis.findings.map((f) => [f.rule, f.severity])).toEqual([
      ['deployment.paused', 'low'],
      ['workload.scaled-to-zero', 'info'],
    ]);
    // Without a list of pods nobody can call it healthy, with one it is.
    expect(diagnosis.healthy).toBe(true);
  });
});

describe('other workloads', () => {
  test('StatefulSets and DaemonSets count their ready pods', async () => {
    const items = [
      object('StatefulSet', 'db', { spec: { replicas: 3 }, status: { readyReplicas: 2 } }),
      object('DaemonSet', 'agent', { status: { desiredNumberScheduled: 3, numberReady: 0 } }),
      object('StatefulSet', 'well', { spec: { replicas: 1 }, status: { readyReplicas: 1 } }),
    ];
    expect(await titles(items)).toEqual([
      'DaemonSet production/agent: ready on 0 of 3 nodes',
      'StatefulSet production/db: 2 of 3 pods are ready',
    ]);
  });

  test('Jobs fail by their condition, not by a failed attempt', async () => {
    const failed = object('Job', 'load', {
      status: {
        failed: 3,
        conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'x' }],
      },
    });
    expect(await titles([failed])).toEqual(['Job production/load failed (BackoffLimitExceeded)']);
    expect(await titles([object('Job', 'load', { status: { failed: 1 } })])).toEqual([]);
    expect(await titles([object('CronJob', 'nightly', { spec: { suspend: true } })])).toEqual([
      'CronJob production/nightly is suspended',
    ]);
  });
});

describe('nodes and claims', () => {
  test('a node that is gone is the cause of its lost pods', async () => {
    const lost = pod('web-1', { phase: 'Unknown', reason: 'NodeLost', spec: { nodeName: 'node-2' } });
    const gone = node('node-2', [
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      },
    ]);
    const { findings } = await diagnosed([gone, lost]);
    expect(findings.map((f) => [f.title, f.symptoms.map((s) => s.rule)])).toEqual([
      ['Node node-2 is not ready', ['pod.node-lost']],
    ]);
  });

  test('pressure counts when True only, and being cordoned is a remark', async () => {
    const full = node(
      'node-2',
      [
        { type: 'Ready', status: 'True' },
        { type: 'DiskPressure', status: 'True' },
        { type: 'MemoryPressure', status: 'Unknown' },
        { type: 'PIDPressure', status: 'False' },
      ],
      { unschedulable: true },
    );
    const { findings } = await diagnosed([full]);
    expect(findings.map((f) => [f.title, f.severity])).toEqual([
      ['Node node-2 reports DiskPressure', 'high'],
      ['Node node-2 is cordoned: no new pods are scheduled there', 'info'],
    ]);
  });

  test('a claim that waits for its first pod is no problem, one that cannot be provisioned is', async () => {
    const claim = object('PersistentVolumeClaim', 'data', { status: { phase: 'Pending' } });
    const said = (reason: string, message: string) =>
      event({ kind: 'PersistentVolumeClaim', name: 'data' }, reason, message, { type: 'Normal' });
    expect(
      first(
        await diagnosed([
          claim,
          said('WaitForFirstConsumer', 'waiting for first consumer to be created before binding'),
        ]),
      ).severity,
    ).toBe('info');
    expect(await titles([claim, said('ProvisioningFailed', 'storageclass.storage.k8s.io "fast" not found')])).toEqual([
      'PersistentVolumeClaim production/data is not bound: its storage class does not exist',
    ]);
    expect(first(await diagnosed([claim])).certainty).toBe('unknown');
    expect(await titles([object('PersistentVolumeClaim', 'data', { status: { phase: 'Bound' } })])).toEqual([]);
    expect(await titles([object('PersistentVolumeClaim', 'data', { status: { phase: 'Lost' } })])).toEqual([
      'PersistentVolumeClaim production/data lost its volume',
    ]);
  });
});

describe('warning events', () => {
  const warn = (more = {}) => event({ kind: 'Deployment', name: 'web' }, 'Odd', 'odd thing', more);
  const well = deployment('web', 1, { readyReplicas: 1 });

  test('are a remark when fresh and unexplained', async () => {
    expect(await titles([well, warn()])).toEqual(['Deployment production/web: Odd (5×)']);
  });

  test('are not, when old, Normal, about something gone, or about a pod that is well and had it once', async () => {
    expect(await titles([well, warn({ lastTimestamp: minutesAgo(60) })])).toEqual([]);
    expect(await titles([well, warn({ type: 'Normal' })])).toEqual([]);
    expect(await titles([warn()])).toEqual([]);
    expect(
      await titles([
        pod('web-1'),
        event({ kind: 'Pod', name: 'web-1' }, 'Unhealthy', 'Readiness probe failed', { count: 1 }),
      ]),
    ).toEqual([]);
  });

  test('give their time by series, last time, event time, creation, in this order', async () => {
    const old = { lastTimestamp: minutesAgo(60) };
    expect(await titles([well, warn({ ...old, series: { count: 9, lastObservedTime: minutesAgo(1) } })])).toEqual([
      'Deployment production/web: Odd (9×)',
    ]);
    expect(await titles([well, warn({ lastTimestamp: null, eventTime: minutesAgo(60) })])).toEqual([]);
  });

  test('of events.k8s.io are read too', async () => {
    const modern = {
      kind: 'Event',
      metadata: { name: 'e', namespace: 'production', creationTimestamp: minutesAgo(1) },
      regarding: { kind: 'Deployment', namespace: 'production', name: 'web' },
      type: 'Warning',
      reason: 'Odd',
      note: 'odd thing',
    };
    expect(await titles([well, modern])).toEqual(['Deployment production/web: Odd (1×)']);
  });
});
