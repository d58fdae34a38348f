import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/diagnose/diagnose.js';
import { buildSnapshot } from '../../src/diagnose/snapshot.js';
import { deployment, event, listed, log, minutesAgo, NOW, node, pod, result, service } from './fixtures/cluster.js';

const forbidden =
  'Error from server (Forbidden): events is forbidden: User "eve" cannot list resource "events" in API group "" in the namespace "production"';

describe('what could not be read', () => {
  test('is unseen, never missing: forbidden pods leave a service without a verdict', async () => {
    const services = result('c1', {
      args: { kind: 'services', namespace: 'production' },
      data: { kind: 'List', items: [service('web', { app: 'web' })] },
    });
    const pods = result('c2', {
      args: { kind: 'pods', namespace: 'production' },
      status: 'failed',
      errorText: forbidden.replaceAll('events', 'pods'),
    });
    const diagnosis = diagnose(await buildSnapshot([services, pods]), { language: 'en' });
    expect(diagnosis.findings).toEqual([]);
    expect(diagnosis.healthy).toBe(false);
    expect(diagnosis.unseen.map((u) => [u.what, u.why.split(':')[0]])).toEqual([
      ['pods', 'no permission'],
      ['pods', 'no list of pods was read'],
    ]);
  });

  test('a filtered list of pods does not prove that a selector matches none', async () => {
    const filtered = result('c2', {
      args: { kind: 'pods', namespace: 'production', label_selector: 'app=other' },
      data: { kind: 'List', items: [] },
    });
    const services = result('c1', {
      args: { kind: 'services', namespace: 'production' },
      data: { kind: 'List', items: [service('web', { app: 'web' })] },
    });
    expect(diagnose(await buildSnapshot([services, filtered]), { language: 'en' }).findings).toEqual([]);
    const empty = result('c3', {
      args: { kind: 'endpoints', namespace: 'production' },
      data: { kind: 'List', items: [{ kind: 'Endpoints', metadata: { name: 'web', namespace: 'production' } }] },
    });
    const [finding] = diagnose(await buildSnapshot([services, filtered, empty]), { language: 'en' }).findings;
    expect([finding?.rule, finding?.detail.includes('is unknown')]).toEqual(['service.no-endpoints', true]);
  });

  test.each([
    ['failed', forbidden, 'events', 'no permission'],
    [
      'failed',
      'error: the server doesn\'t have a resource type "widgets"',
      'widgets',
      'the cluster does not know this kind',
    ],
    ['failed', 'services are not recorded: the dump holds no services', 'services', 'the dump does not hold it'],
    [
      'failed',
      'Unable to connect to the server: dial tcp 10.0.0.1:6443: i/o timeout',
      'kubectl get x',
      'the cluster could not be reached',
    ],
    ['failed', 'something odd', 'kubectl get x', 'the call failed'],
    ['timed-out', '', 'kubectl get x', 'no answer in time'],
    ['denied', '', 'kubectl get x', 'the call was not allowed'],
    ['ok', '', 'kubectl get x', 'its output is not JSON, so the rules cannot read it'],
  ] as const)('%s %s', async (status, errorText, what, why) => {
    const snapshot = await buildSnapshot([result('c1', { tokens: ['kubectl', 'get', 'x'], status, errorText })]);
    const [unseen] = diagnose(snapshot, { language: 'en' }).unseen;
    expect([unseen?.what, unseen?.why.startsWith(why)]).toEqual([what, true]);
  });

  test('what a failing `get a,b` did print still counts, and the kind it failed for does not count as read', async () => {
    const part = result('c1', {
      args: { kind: 'pods,events', namespace: 'production' },
      status: 'failed',
      errorText: forbidden,
      data: { kind: 'List', items: [pod('web-1')] },
    });
    const snapshot = await buildSnapshot([part]);
    expect(snapshot.objects.map((o) => o.id)).toEqual(['Pod/production/web-1']);
    expect(snapshot.listings.map((l) => [l.kind, l.complete])).toEqual([['Pod', true]]);
  });

  test('odd content is no reason to fail', async () => {
    const odd = [
      null,
      7,
      'x',
      [],
      {},
      {
        kind: 'List',
        items: [null, 1, {}, { kind: 'Pod' }, { kind: 'Pod', metadata: { name: 'p' }, status: 'x', spec: [] }],
      },
    ];
    for (const data of odd) {
      const snapshot = await buildSnapshot([result('c1', { data, args: { kind: 'pods', namespace: 'production' } })]);
      expect(() => diagnose(snapshot, { language: 'zh' })).not.toThrow();
    }
  });
});

describe('a snapshot', () => {
  test('fills the kind of items that lack it', async () => {
    const bare = { metadata: { name: 'web-1', namespace: 'production' } };
    const ids = async (data: Parameters<typeof result>[1]['data'], kind: string) =>
      (
        await buildSnapshot([result('c1', { data: data ?? null, args: { kind, namespace: 'production' } })])
      ).objects.map((o) => o.id);
    expect(await ids({ kind: 'PodList', items: [bare] }, '')).toEqual(['Pod/production/web-1']);
    expect(await ids({ kind: 'List', items: [bare] }, 'po')).toEqual(['Pod/production/web-1']);
    expect(await ids({ kind: 'Deployment', ...bare }, '')).toEqual(['Deployment/production/web-1']);
  });

  test('takes the later of two views of an object, and remembers the call', async () => {
    const again = result('c9', {
      args: { kind: 'pods', namespace: 'production' },
      data: { kind: 'List', items: [pod('web-1', { phase: 'Failed' })] },
    });
    const snapshot = await buildSnapshot([listed([pod('web-1')]), again]);
    expect(snapshot.objects.filter((o) => o.kind === 'Pod').map((o) => o.callId)).toEqual(['c9']);
  });

  test('has its newest time as now, and no time that lies ahead', async () => {
    const items = [
      pod('web-1', {
        metadata: { deletionTimestamp: '2031-01-01T00:00:00Z', annotations: { at: '2032-01-01T00:00:00Z' } },
      }),
      node('n', [{ type: 'Ready', status: 'True', lastHeartbeatTime: minutesAgo(9) }]),
    ];
    expect((await buildSnapshot([listed(items)])).nowMs).toBe(Date.parse(NOW));
  });

  test('ignores events of an earlier pod of the same name', async () => {
    const about = { kind: 'Pod', name: 'web-1', uid: 'earlier' };
    expect(
      diagnose(await buildSnapshot([listed([pod('web-1'), event(about, 'Odd', 'x')])]), { language: 'en' }).findings,
    ).toEqual([]);
  });

  test('reads a log over 4 MiB by its bounded text', async () => {
    const snapshot = await buildSnapshot([log('c2', 'web-1', 'y'.repeat(5 * 1024 * 1024))]);
    expect(snapshot.logs.map((l) => l.text.length)).toEqual([100]);
  });
});

describe('a scope', () => {
  test('leaves out what has nothing to do with the name', async () => {
    const snapshot = await buildSnapshot([listed([deployment('web', 1, {}), deployment('other', 1, {})])]);
    const scoped = diagnose(snapshot, { language: 'en', name: 'web', namespaces: ['production'] });
    expect(scoped.findings.map((f) => f.object.name)).toEqual(['web']);
    expect(diagnose(snapshot, { language: 'en' }).findings.length).toBe(2);
    expect(diagnose(snapshot, { language: 'en', namespaces: ['elsewhere'] }).findings).toEqual([]);
  });

  test('of an unknown name is not healthy', async () => {
    const diagnosis = diagnose(await buildSnapshot([listed([pod('web-1')])]), { language: 'en', name: 'nobody' });
    expect([diagnosis.healthy, diagnosis.unseen.map((u) => u.what)]).toEqual([false, ['nobody']]);
  });
});
