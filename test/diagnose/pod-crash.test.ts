import { describe, expect, test } from 'vitest';
import { diagnosed, first, titles } from './fixtures/ask.js';
import {
  crashLoop,
  ended,
  event,
  log,
  minutesAgo,
  object,
  pod,
  replicaSet,
  running,
  service,
} from './fixtures/cluster.js';

const crashing = (last = ended(1)) => pod('web-1', { containers: [crashLoop(last)] });

describe('a container that crashes', () => {
  test('is no finding when it restarted long ago and runs since', async () => {
    const well = pod('web-1', {
      containers: [{ state: running(), last: ended(1, 'Error', 3000), restarts: 9, ready: true }],
    });
    expect(await titles([well])).toEqual([]);
  });

  test('has no cause when nothing that was read shows one', async () => {
    const finding = first(await diagnosed([crashing()]));
    expect([finding.title, finding.certainty, finding.cause]).toEqual([
      'Pod production/web-1: container app keeps crashing',
      'unknown',
      undefined,
    ]);
    expect(finding.detail).toBe(
      '5 restarts; exit code 1: the program reported an error. The log of the run that ended was not read, so the cause is unknown.',
    );
  });

  test('has an empty log, a log without an error line, or an error nobody knows: three different words', async () => {
    const detail = async (text: string) => first(await diagnosed([crashing()], [log('c2', 'web-1', text)])).detail;
    expect(await detail('')).toContain('is empty');
    expect(await detail('INFO started\nbye')).toContain('holds no error line');
    expect(await detail('ERROR widget 7 broke')).toContain('No known failure was recognised');
  });

  test('quotes the last error line although nobody knows it', async () => {
    expect(first(await diagnosed([crashing()], [log('c2', 'web-1', 'ERROR widget 7 broke')])).evidence[0]).toEqual({
      callId: 'c2',
      quote: 'ERROR widget 7 broke',
      where: 'Pod production/web-1 log of app (previous run)',
    });
  });

  test('is explained by the log of another pod or container never', async () => {
    const others = [
      log('c2', 'web-2', 'FATAL: database connection pool exhausted'),
      log('c3', 'web-1', 'FATAL: database connection pool exhausted', { container: 'proxy' }),
    ];
    expect(first(await diagnosed([crashing()], others)).certainty).toBe('unknown');
  });

  test('is explained for certain by a fatal line of the run that ended', async () => {
    const finding = first(
      await diagnosed([crashing()], [log('c2', 'web-1', 'FATAL: database connection pool exhausted')]),
    );
    expect([finding.title, finding.certainty]).toEqual([
      'Pod production/web-1: container app keeps crashing because the database connection pool is exhausted',
      'confirmed',
    ]);
  });

  test('is explained by its termination message', async () => {
    expect(
      first(await diagnosed([crashing(ended(1, 'Error', 1, 'FATAL: database connection pool exhausted\n'))])).certainty,
    ).toBe('confirmed');
  });

  test('is only probably explained by a warning', async () => {
    const finding = first(
      await diagnosed([crashing()], [log('c2', 'web-1', 'WARN connection refused by 10.0.0.4:5432')]),
    );
    expect([finding.title, finding.certainty]).toEqual([
      'Pod production/web-1: container app keeps crashing, probably because a service that it needs refuses the connection',
      'likely',
    ]);
  });

  test.each([
    [
      0,
      'exit code 0: the program ended by itself without an error, and is restarted because the restart policy says so',
    ],
    [127, 'exit code 127: the command was not found'],
    [139, 'exit code 139: ended by signal 11 (SIGSEGV)'],
    [143, 'exit code 143: ended by signal 15 (SIGTERM)'],
    [42, 'exit code 42'],
  ])('says what exit code %i means', async (code, words) => {
    expect(first(await diagnosed([crashing(ended(code))])).detail).toContain(`5 restarts; ${words}.`);
  });

  test('still counts between two crashes', async () => {
    const between = pod('web-1', {
      containers: [{ state: running(1), last: ended(1, 'Error', 2), restarts: 4, ready: true }],
    });
    expect(await titles([between])).toEqual(['Pod production/web-1: container app keeps crashing']);
  });

  test('is restarted by its probe, when the kubelet says so', async () => {
    const about = { kind: 'Pod', name: 'web-1' };
    const items = [
      crashing(ended(137)),
      event(about, 'Killing', 'Container app failed liveness probe, will be restarted', { type: 'Normal' }),
      event(about, 'Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 500'),
    ];
    const finding = first(await diagnosed(items));
    expect([finding.rule, finding.evidence[0]?.quote]).toEqual([
      'pod.probe-kills',
      'Liveness probe failed: HTTP probe failed with statuscode: 500',
    ]);
    // It ended by itself, so the probe is not why.
    expect(first(await diagnosed([crashing(ended(1)), ...items.slice(1)])).rule).toBe('pod.crash-loop');
  });

  test('is not explained by logs that it wrote in a run that goes on', async () => {
    const between = pod('web-1', {
      containers: [{ state: running(1), last: ended(1, 'Error', 2), restarts: 4, ready: true }],
    });
    const present = log('c2', 'web-1', 'FATAL: database connection pool exhausted', { previous: false });
    expect(first(await diagnosed([between], [present])).certainty).toBe('likely');
  });

  test('came with the new revision, when pods of the old one are ready', async () => {
    const of = (name: string, hash: string, container: Parameters<typeof crashLoop>[1] | undefined) =>
      pod(name, {
        labels: { 'pod-template-hash': hash },
        owner: { kind: 'ReplicaSet', name: `web-${hash}` },
        ...(container === undefined ? {} : { containers: [crashLoop(ended(1), container)] }),
      });
    const deployment = object('Deployment', 'web', { spec: { replicas: 1 }, status: { readyReplicas: 1 } });
    const finding = first(
      await diagnosed([
        deployment,
        replicaSet('web-old', 'web'),
        replicaSet('web-new', 'web'),
        of('web-old-1', 'old', undefined),
        of('web-new-1', 'new', {}),
      ]),
    );
    expect(finding.detail).toContain('Pods of revision old of the same workload are ready');
    expect(finding.stopgap.map((s) => [s.command, s.risk])).toEqual([
      [['kubectl', 'rollout', 'undo', 'deployment/web', '-n', 'production'], 'high'],
    ]);
  });
});

describe('a container killed for memory', () => {
  const spec = { resources: { limits: { memory: '512Mi' } } };
  const killed = (minutes: number) =>
    pod('web-1', {
      containers: [
        { state: running(minutes - 1), last: ended(137, 'OOMKilled', minutes), restarts: 1, ready: true, spec },
      ],
    });

  test('is forgotten after a day', async () => {
    expect(await titles([killed(26 * 60)])).toEqual([]);
  });

  test('is a finding with its limit although it runs now', async () => {
    const finding = first(await diagnosed([killed(30)]));
    expect([finding.title, finding.severity]).toEqual([
      'Pod production/web-1: container app was killed for using more memory than its limit (512Mi) (OOMKilled)',
      'high',
    ]);
  });
});

test('a container killed for memory without a limit is not said to be over it', async () => {
  const state = { state: running(1), last: ended(137, 'OOMKilled', 2), restarts: 1, ready: true, spec: {} };
  const finding = first(await diagnosed([pod('web-1', { containers: [state] })]));
  const said = [finding.title, finding.cause?.text, finding.detail].join(' ');
  expect(finding.title).toBe(
    'Pod production/web-1: container app, which has no memory limit, was killed because memory ran out (OOMKilled)',
  );
  expect(said).not.toMatch(/its limit|the limit|memory limit\. /);
  expect(finding.detail).toContain('its node most likely ran out of memory');
  const shared = first(
    await diagnosed([pod('web-1', { containers: [state], spec: { resources: { limits: { memory: '1Gi' } } } })]),
  );
  expect(shared.title).toContain('more memory than its limit (1Gi)');
});

describe('a service that the log names', () => {
  const refused = log('c2', 'web-1', 'FATAL: dial tcp: connect orders-db:5432: connection refused');

  test('is said to be likely down when it has no ready pod', async () => {
    const db = pod('db-0', { labels: { app: 'db' }, containers: [crashLoop()] });
    const finding = (await diagnosed([crashing(), service('orders-db', { app: 'db' }), db], [refused])).findings.find(
      (f) => f.object.name === 'web-1',
    );
    expect(finding?.cause).toEqual({
      text: 'The quoted line names service orders-db, which has no ready pod: look there first.',
      certainty: 'likely',
    });
  });

  test('is not blamed when it has one', async () => {
    const db = pod('db-0', { labels: { app: 'db' } });
    expect(
      first(await diagnosed([crashing(), service('orders-db', { app: 'db' }), db], [refused])).cause?.text,
    ).toContain('nothing listens at that address');
  });

  test('is said to be missing only when the name cannot be resolved and services were listed', async () => {
    const unresolved = log('c2', 'web-1', 'FATAL: lookup orders-db on 10.96.0.10:53: no such host');
    expect(first(await diagnosed([crashing()], [unresolved])).cause?.text).toBe(
      'The quoted line names orders-db, and there is no such service in namespace production.',
    );
    const outside = log('c2', 'web-1', 'FATAL: lookup db.example.com on 10.96.0.10:53: no such host');
    expect(first(await diagnosed([crashing()], [outside])).cause?.text).not.toContain('there is no such service');
  });
});

describe('init containers', () => {
  test('hold up a pod while they crash, and the main container is not a second finding', async () => {
    const blocked = pod('web-1', {
      phase: 'Pending',
      init: [crashLoop(ended(1), { name: 'migrate' })],
      containers: [{ state: { waiting: { reason: 'PodInitializing' } }, ready: false }],
    });
    expect(await titles([blocked])).toEqual(['Pod production/web-1: container migrate keeps crashing']);
  });

  test('are stuck after five minutes, not before', async () => {
    const slow = (minutes: number) =>
      pod('web-1', {
        phase: 'Pending',
        metadata: { creationTimestamp: minutesAgo(minutes) },
        init: [{ name: 'wait', state: running(minutes), ready: false }],
        containers: [],
      });
    expect(await titles([slow(20)])).toEqual([
      'Pod production/web-1: init container wait has been running for 20m and holds up the pod',
    ]);
    expect(await titles([slow(3)])).toEqual([]);
  });
});
