import { describe, expect, test } from 'vitest';
import { diagnosed, first, titles } from './fixtures/ask.js';
import { deployment, minutesAgo, pod, running, service } from './fixtures/cluster.js';

describe('services', () => {
  const web = pod('web-1', {
    labels: { app: 'web', tier: 'front' },
    spec: { containers: [{ name: 'app', ports: [{ name: 'http', containerPort: 8080 }] }] },
  });

  test('without a selector, headless or external are left alone', async () => {
    expect(
      await titles([
        service('a', {}),
        service('b', { app: 'x' }, { clusterIP: 'None' }),
        service('c', { app: 'x' }, { type: 'ExternalName' }),
      ]),
    ).toEqual([]);
  });

  test('that match no pod name the nearest pods and the labels that differ', async () => {
    const finding = first(await diagnosed([service('web', { app: 'web', tier: 'backend', zone: 'a' }), web]));
    expect([finding.title, finding.detail]).toEqual([
      'Service production/web has no endpoints: its selector matches no pod',
      'Selector app=web,tier=backend,zone=a. Nearest: pod web-1 differs in tier (front instead of backend), zone (not set, wanted a).',
    ]);
  });

  test('whose pods have all ended or are going say so, and not that none matches', async () => {
    const labels = { app: 'web' };
    const going = pod('web-3', { labels });
    const ended = [
      pod('web-1', { labels, phase: 'Failed', reason: 'Evicted' }),
      pod('web-2', { labels, phase: 'Succeeded' }),
      { ...going, metadata: { ...(going.metadata as object), deletionTimestamp: minutesAgo(0) } },
    ];
    const { findings } = await diagnosed([service('web', { app: 'web' }), ...ended]);
    const all = findings.flatMap((f) => [f, ...f.symptoms]).filter((f) => f.object.kind === 'Service');
    expect(all.map((f) => [f.rule, f.title, f.detail])).toEqual([
      [
        'service.pods-ended',
        'Service production/web has no endpoints: its selector matches 3 pods, all of them ended or being deleted',
        'They are: web-1 (Evicted), web-2 (Succeeded), web-3 (Terminating).',
      ],
    ]);
    const one = await diagnosed([service('web', { app: 'web' }), pod('web-2', { labels, phase: 'Succeeded' })]);
    expect(first(one).title).toBe(
      'Service production/web has no endpoints: its selector matches 1 pod, which has ended or is being deleted',
    );
  });

  test('match no pod because the workload is scaled to 0', async () => {
    const { findings } = await diagnosed([service('web', { app: 'web' }), deployment('web', 0, {})]);
    expect(findings.map((f) => [f.rule, f.severity, f.symptoms.map((s) => s.rule)])).toEqual([
      ['workload.scaled-to-zero', 'high', ['service.no-match']],
    ]);
  });

  test('whose pods are not ready are a consequence of the pods', async () => {
    const unready = pod('web-1', { labels: { app: 'web' }, containers: [{ state: running(30), ready: false }] });
    const { findings } = await diagnosed([service('web', { app: 'web' }), unready]);
    expect(findings.map((f) => [f.rule, f.symptoms.map((s) => s.rule)])).toEqual([
      ['pod.not-ready', ['service.not-ready']],
    ]);
  });

  test('point at a named port that does not exist', async () => {
    const to = (targetPort: string | number) => service('web', { app: 'web' }, { ports: [{ port: 80, targetPort }] });
    expect(await titles([web, to('http')])).toEqual([]);
    expect(await titles([web, to(8080)])).toEqual([]);
    expect(await titles([web, to('grpc')])).toEqual([
      'Service production/web sends port 80 to the named port "grpc", which no container of its pods has',
    ]);
    const number = first(await diagnosed([web, to(9090)]));
    expect([number.rule, number.certainty, number.detail]).toEqual([
      'service.port-number',
      'likely',
      'Declared: http (8080). A container may listen on a port that it does not declare.',
    ]);
  });

  test('are not said to point at a wrong number when the pods declare no ports', async () => {
    expect(
      await titles([
        pod('web-1', { labels: { app: 'web' } }),
        service('web', { app: 'web' }, { ports: [{ port: 80, targetPort: 9090 }] }),
      ]),
    ).toEqual([]);
  });
});
