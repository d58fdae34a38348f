import { describe, expect, test } from 'vitest';
import { parseObstacles } from '../../src/diagnose/rules/pod-scheduling.js';
import { diagnosed, first, titles } from './fixtures/ask.js';
import { ended, event, minutesAgo, object, pod, running } from './fixtures/cluster.js';

const pending = (message: string, spec = {}) =>
  pod('web-1', {
    phase: 'Pending',
    spec: { nodeName: '', ...spec },
    containers: [],
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  });

describe('a pod that cannot be scheduled', () => {
  test.each([
    [
      '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available',
      'too little free CPU (3 of 3 nodes)',
    ],
    [
      '0/3 nodes are available: 1 Insufficient memory, 2 node(s) had untolerated taint {dedicated: gpu}.',
      'too little free memory (1 of 3 nodes), a taint it does not tolerate {dedicated: gpu} (2 of 3 nodes)',
    ],
    [
      "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.",
      'no node satisfies its node selector or affinity (3 of 3 nodes)',
    ],
    [
      "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.",
      'its pod affinity or anti-affinity rules (3 of 3 nodes)',
    ],
    ['0/3 nodes are available: 3 node(s) were unschedulable.', 'nodes are cordoned (3 of 3 nodes)'],
    ['0/3 nodes are available: 3 Insufficient nvidia.com/gpu.', 'too little nvidia.com/gpu (3 of 3 nodes)'],
    [
      '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
      'a PersistentVolumeClaim is not bound',
    ],
    ['persistentvolumeclaim "data" not found', 'PersistentVolumeClaim data does not exist'],
    [
      '0/3 nodes are available: 3 node(s) had volume node affinity conflict.',
      'its volume is in another zone (3 of 3 nodes)',
    ],
    ['a message nobody knows', 'see the quoted message'],
  ])('%s', async (message, reason) => {
    expect(await titles([pending(message)])).toEqual([`Pod production/web-1 cannot be scheduled: ${reason}`]);
  });

  test('is no finding once it has a node, although its event is still there', async () => {
    const items = [
      pod('web-1'),
      event({ kind: 'Pod', name: 'web-1' }, 'FailedScheduling', '0/3 nodes are available: 3 Insufficient cpu.', {
        count: 1,
      }),
    ];
    expect(await titles(items)).toEqual([]);
  });

  test('is a consequence of its claim, when the claim says why', async () => {
    const items = [
      pending('0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.', {
        volumes: [{ persistentVolumeClaim: { claimName: 'data' } }],
      }),
      object('PersistentVolumeClaim', 'data', { status: { phase: 'Pending' } }),
      event(
        { kind: 'PersistentVolumeClaim', name: 'data' },
        'FailedBinding',
        'no persistent volumes available for this claim and no storage class is set',
      ),
    ];
    const { findings } = await diagnosed(items);
    expect(findings.map((f) => [f.title, f.symptoms.map((s) => s.rule)])).toEqual([
      [
        'PersistentVolumeClaim production/data is not bound: it names no storage class and there is no default one',
        ['pod.unschedulable', 'event.warning'],
      ],
    ]);
  });

  test('waits for its gates, which is not a fault', async () => {
    const gated = pod('web-1', {
      phase: 'Pending',
      containers: [],
      spec: { nodeName: '', schedulingGates: [{ name: 'example.com/quota' }] },
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
    });
    const diagnosis = await diagnosed([gated]);
    expect([first(diagnosis).title, diagnosis.healthy]).toEqual([
      'Pod production/web-1 waits for its scheduling gates: example.com/quota',
      true,
    ]);
  });

  test('keeps a taint with commas whole', () => {
    expect(parseObstacles('0/2 nodes are available: 2 node(s) had untolerated taint {a: b, c: d}.')).toEqual([
      { key: 'schedule.taint', values: { taint: ' {a: b, c: d}' }, nodes: '2' },
    ]);
  });
});

describe('a pod on its way out', () => {
  test('is no finding within its grace period', async () => {
    expect(await titles([pod('web-1', { ready: false, metadata: { deletionTimestamp: minutesAgo(0) } })])).toEqual([]);
  });

  test('is one past it, with its finalizers', async () => {
    const finding = first(
      await diagnosed([
        pod('web-1', { metadata: { deletionTimestamp: minutesAgo(30), finalizers: ['example.com/hold'] } }),
      ]),
    );
    expect([finding.title, finding.detail]).toEqual([
      'Pod production/web-1 should have ended 30m ago and is still there',
      'Finalizers still hold it: example.com/hold.',
    ]);
  });

  test('was evicted: the message is quoted', async () => {
    const finding = first(
      await diagnosed([
        pod('web-1', { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' }),
      ]),
    );
    expect([finding.rule, finding.evidence[0]?.quote]).toEqual([
      'pod.evicted',
      'The node was low on resource: memory.',
    ]);
  });

  test('is not looked at when it succeeded, or its job did in the end', async () => {
    const owner = { kind: 'Job', name: 'load' };
    const failed = pod('load-1', { phase: 'Failed', owner, containers: [{ state: ended(1), ready: false }] });
    const done = object('Job', 'load', { status: { conditions: [{ type: 'Complete', status: 'True' }] } });
    expect(await titles([failed, done, pod('x', { phase: 'Succeeded', ready: false })])).toEqual([]);
    expect(await titles([failed])).toEqual(['Pod production/load-1: container app ended with exit code 1']);
  });
});

describe('a pod that runs and is not ready', () => {
  const unready = (minutes: number) => pod('web-1', { containers: [{ state: running(minutes), ready: false }] });
  const probe = (message: string) =>
    event({ kind: 'Pod', name: 'web-1' }, 'Unhealthy', message, {
      involvedObject: { kind: 'Pod', namespace: 'production', name: 'web-1', fieldPath: 'spec.containers{app}' },
    });

  test('may still be starting', async () => {
    expect(await titles([unready(0)])).toEqual([]);
  });

  test.each([
    ['Readiness probe failed: HTTP probe failed with statuscode: 503', 'readiness'],
    ['Liveness probe failed: dial tcp 10.0.0.1:80: connect: connection refused', 'liveness'],
    ['Startup probe failed: command timed out', 'startup'],
  ])('fails its probe: %s', async (message, kind) => {
    const finding = first(await diagnosed([unready(30), probe(message)]));
    expect([finding.title, finding.evidence[0]?.quote]).toEqual([
      `Pod production/web-1: container app runs but fails its ${kind} probe`,
      message,
    ]);
  });

  test('has an unknown cause without a probe event', async () => {
    expect(first(await diagnosed([unready(30)])).certainty).toBe('unknown');
  });

  test('does not fail because the probe of another container does', async () => {
    const other = event({ kind: 'Pod', name: 'web-1' }, 'Unhealthy', 'Readiness probe failed: x', {
      involvedObject: { kind: 'Pod', namespace: 'production', name: 'web-1', fieldPath: 'spec.containers{proxy}' },
    });
    expect(first(await diagnosed([unready(30), other])).rule).toBe('pod.not-ready');
  });

  test('restarted often and not long ago', async () => {
    const shaky = (minutes: number) =>
      pod('web-1', {
        containers: [{ state: running(minutes - 1), last: ended(1, 'Error', minutes), restarts: 7, ready: true }],
      });
    expect(await titles([shaky(40)])).toEqual(['Pod production/web-1: container app runs now, but restarted 7 times']);
    expect(await titles([shaky(2000)])).toEqual([]);
  });
});
