import { describe, expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { RunContext, RunOutcome, StoredResult } from '../../src/domain/ports.js';
import type { Json, JsonObject } from '../../src/domain/types.js';
import { crashLoop, deployment, ended, incident, pod, result, running, service } from './fixtures/cluster.js';

async function run(
  name: string,
  args: JsonObject,
  results: readonly StoredResult[],
  stores = true,
): Promise<{ outcome: RunOutcome; output: Json }> {
  const builtin = diagnoseBuiltins.find((b) => b.name === name);
  if (builtin === undefined) throw new Error(`there is no builtin ${name}`);
  let text = '';
  const context: RunContext = {
    signal: new AbortController().signal,
    timeoutMs: 1000,
    write: (chunk) => {
      text += chunk;
      return stores;
    },
    writeError: () => undefined,
    call: () => Promise.reject(new Error('a builtin of this room calls no tools')),
    result: (id) => results.find((r) => r.callId === id),
    secret: () => {
      throw new Error('a builtin of this room needs no secrets');
    },
    reveal: (text) => text,
  };
  const outcome = await builtin.run({ results: results.map((r) => r.callId), ...args }, context);
  return { outcome, output: text === '' ? null : JSON.parse(text) };
}

const find = (items: readonly Json[]): StoredResult =>
  result('c1', {
    tool: 'kubectl_find',
    tokens: ['kubectl', 'get', 'deployments,services,pods', '--all-namespaces', '--field-selector=metadata.name=web'],
    data: { kind: 'List', items },
  });
const inNamespace = (item: JsonObject, namespace: string): JsonObject => ({
  ...item,
  metadata: { ...(item.metadata as JsonObject), namespace },
});
const names = (items: readonly Json[]): StoredResult =>
  result('c2', {
    args: { kind: 'deployments,services', all_namespaces: true, output: 'json' },
    data: { kind: 'List', items },
  });

describe('kubernetes_target', () => {
  test('passes on that the cluster cannot be reached', async () => {
    const error = { category: 'network', message: 'no cluster', exit: 'unavailable' } as const;
    const { outcome, output } = await run('kubernetes_target', { name: 'web' }, [
      result('c1', { status: 'failed', error }),
    ]);
    expect([outcome, output]).toEqual([{ status: 'failed', error }, null]);
    const unclassified = result('c1', {
      status: 'failed',
      errorText: 'Unable to connect to the server: dial tcp: i/o timeout',
    });
    expect((await run('kubernetes_target', { name: 'web' }, [unclassified])).outcome.error?.exit).toBe('unavailable');
  });

  test('does not choose between namespaces', async () => {
    const items = [
      inNamespace(deployment('web', 1, {}), 'staging'),
      inNamespace(service('web', { app: 'web' }), 'production'),
    ];
    const { outcome } = await run('kubernetes_target', { name: 'web' }, [find(items)]);
    expect(outcome).toEqual({
      status: 'failed',
      error: {
        category: 'validation',
        message: '"web" exists in 2 namespaces: production, staging',
        hint: 'say which one: --namespace production',
        exit: 'usage',
      },
    });
    expect((await run('kubernetes_target', { name: 'web', namespace: 'staging' }, [find(items)])).output).toMatchObject(
      { namespace: 'staging' },
    );
  });

  test('that finds nothing by exact name says so, and after a list of names offers the nearest', async () => {
    expect((await run('kubernetes_target', { name: 'web' }, [find([])])).output).toEqual({
      found: false,
      name: 'web',
      namespace: '',
      kind: '',
      kinds: [],
    });
    const { outcome } = await run('kubernetes_target', { name: 'order-servise' }, [
      find([]),
      names([deployment('order-service', 1, {}), deployment('billing', 1, {})]),
    ]);
    expect(outcome.error).toEqual({
      category: 'validation',
      message: 'there is no "order-servise"; 2 names of Deployment, Service were searched in all namespaces',
      hint: 'did you mean production/order-service?',
      exit: 'usage',
    });
  });

  test('offers names of the kinds that a call listed although it could not list others', async () => {
    const partly = result('c2', {
      args: { kind: 'deployments,jobs', all_namespaces: true, output: 'json' },
      status: 'failed',
      errorText: 'jobs are not recorded: the dump holds no jobs\n',
      data: { kind: 'List', items: [deployment('order-service', 1, {})] },
    });
    const { outcome } = await run('kubernetes_diagnose', { name: 'order-servise', language: 'zh' }, [find([]), partly]);
    expect(outcome.error).toEqual({
      category: 'validation',
      message: '没有“order-servise”；已在所有命名空间中查找 Deployment 的 1 个名称',
      hint: '是否想查 production/order-service？',
      exit: 'usage',
    });
  });

  test('reads names printed with --output=name', async () => {
    const printed = result('c2', {
      args: { kind: 'deployments', namespace: 'production', output: 'name' },
      text: 'deployment.apps/order-service\nservice/billing\n',
    });
    expect((await run('kubernetes_target', { name: 'order-servce' }, [find([]), printed])).outcome.error?.hint).toBe(
      'did you mean production/order-service?',
    );
  });

  test('finds the workload first, with its selector', async () => {
    const { output } = await run('kubernetes_target', { name: 'web' }, [
      find([service('web', { app: 'web' }), deployment('web', 1, {})]),
    ]);
    expect(output).toEqual({
      found: true,
      name: 'web',
      namespace: 'production',
      kind: 'Deployment',
      kinds: ['Deployment', 'Service'],
      selector: 'app=web',
    });
  });
});

describe('kubernetes_log_targets', () => {
  const target = (pod_name: string, previous: boolean, container = 'app') => ({
    pod_name,
    namespace: 'production',
    container,
    previous,
  });

  test('picks no healthy, waiting or foreign pod', async () => {
    const items = [
      service('web', { app: 'web' }),
      pod('web-1', { labels: { app: 'web' } }),
      pod('web-2', {
        labels: { app: 'web' },
        containers: [{ state: { waiting: { reason: 'ImagePullBackOff' } }, ready: false }],
      }),
      pod('other', { containers: [crashLoop()] }),
    ];
    const { output } = await run('kubernetes_log_targets', { name: 'web', namespace: 'production' }, [names(items)]);
    expect(output).toMatchObject({ targets: [] });
  });

  test('picks crashed containers before those that are not ready, and one of each kind before a second', async () => {
    const labels = { app: 'web' };
    const owner = { kind: 'ReplicaSet', name: 'web-1' };
    const items = [
      service('web', labels),
      pod('web-a', { labels, containers: [{ state: running(), ready: false }] }),
      pod('web-b', { labels, owner, containers: [crashLoop(ended(1))] }),
      pod('web-c', { labels, owner, containers: [crashLoop(ended(1))] }),
    ];
    const { output } = await run('kubernetes_log_targets', { name: 'web', namespace: 'production' }, [names(items)]);
    expect(output).toMatchObject({ targets: [target('web-b', true), target('web-a', false), target('web-c', true)] });
  });

  test('picks at most eight, of the whole namespace when there is no name', async () => {
    const items = Array.from({ length: 20 }, (_, i) => pod(`p-${i}`, { containers: [crashLoop()] }));
    const { output } = await run('kubernetes_log_targets', { namespace: 'production' }, [names(items)]);
    expect(JSON.stringify(output).match(/"pod_name"/g)?.length).toBe(8);
    expect((await run('kubernetes_log_targets', { namespace: 'elsewhere' }, [names(items)])).output).toMatchObject({
      targets: [],
    });
  });
});

describe('kubernetes_diagnose', () => {
  test('fails with what a full store means, and with the target error', async () => {
    expect((await run('kubernetes_diagnose', { language: 'en' }, incident(), false)).outcome.status).toBe('failed');
    const { outcome } = await run('kubernetes_diagnose', { name: 'web', language: 'en' }, [
      find([]),
      names([deployment('webb', 1, {})]),
    ]);
    expect(outcome.error?.hint).toBe('did you mean production/webb?');
  });

  test('passes on that the cluster cannot be reached, and that nothing of it may be read', async () => {
    const cut = result('c1', { status: 'failed', errorText: 'Unable to connect to the server: dial tcp: i/o timeout' });
    expect((await run('kubernetes_diagnose', { language: 'en' }, [cut])).outcome.error?.exit).toBe('unavailable');
    const error = { category: 'execution', message: 'kubectl failed' } as const;
    const forbidden = result('c1', {
      status: 'failed',
      error,
      errorText: 'pods is forbidden: User "eve" cannot list resource "pods"',
    });
    const { outcome, output } = await run('kubernetes_diagnose', { language: 'en' }, [forbidden]);
    expect([outcome.status, outcome.error, output]).toMatchObject(['failed', error, null]);
  });

  test('gives text, findings, what was looked at and what was not', async () => {
    const { outcome, output } = await run(
      'kubernetes_diagnose',
      { name: 'order-service', namespace: 'production', language: 'zh', results: [['c1'], 'c2', '', 'c7'] },
      incident(),
    );
    expect(outcome).toEqual({ status: 'ok' });
    expect(output).toMatchObject({
      healthy: false,
      text: expect.stringContaining('数据库连接池耗尽'),
      findings: [{ rule: 'pod.crash-loop' }],
      unseen: [{ what: 'c7' }],
      looked: expect.arrayContaining([{ kind: 'Pod', count: 2, callIds: ['c1'] }]),
    });
  });
});
