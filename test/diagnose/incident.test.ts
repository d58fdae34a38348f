import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/diagnose/diagnose.js';
import { MESSAGES } from '../../src/diagnose/messages.js';
import { renderDiagnosis } from '../../src/diagnose/render.js';
import { buildSnapshot } from '../../src/diagnose/snapshot.js';
import { diagnosed, first } from './fixtures/ask.js';
import { crashLoop, ended, incident, log, pod } from './fixtures/cluster.js';

const about = { name: 'order-service', namespaces: ['production'] };

describe('the order-service incident', () => {
  test('is one finding: the cause with its consequences under it', async () => {
    const { findings, healthy } = diagnose(await buildSnapshot(incident()), { ...about, language: 'en' });
    expect(healthy).toBe(false);
    expect(findings.map((f) => [f.rule, f.severity, f.certainty, f.title])).toEqual([
      [
        'pod.crash-loop',
        'critical',
        'confirmed',
        'Pod production/order-service-7d8f9b-abc12: container app keeps crashing because the database connection pool is exhausted',
      ],
    ]);
    const [finding] = findings;
    expect(finding?.symptoms.map((s) => s.rule)).toEqual([
      'deployment.not-ready',
      'service.not-ready',
      'event.warning',
    ]);
    expect(finding?.also.map((o) => o.name)).toEqual(['order-service-7d8f9b-def34']);
    expect(finding?.cause?.certainty).toBe('likely');
    expect(finding?.evidence[0]).toEqual({
      callId: 'c2',
      quote: '2024-05-06T09:58:31Z FATAL: database connection pool exhausted',
      where: 'Pod production/order-service-7d8f9b-abc12 log of app (previous run)',
    });
  });

  test('names the setting to check, and no other value of the ConfigMap', async () => {
    const finding = first(diagnose(await buildSnapshot(incident()), { ...about, language: 'en' }));
    expect(finding.checks[0]).toEqual({
      text: 'ConfigMap order-service-config sets DB_POOL_MAX=5 [c1]: check it.',
      command: ['kubectl', 'get', 'configmap', 'order-service-config', '-n', 'production', '-o', 'yaml'],
      risk: 'low',
    });
    expect(JSON.stringify(finding)).not.toContain('hunter2');
  });

  test('has a restart as its stop-gap, with its risk', async () => {
    const finding = first(diagnose(await buildSnapshot(incident()), { ...about, language: 'en' }));
    expect(finding.stopgap.map((s) => [s.command?.join(' '), s.risk])).toEqual([
      ['kubectl delete pod order-service-7d8f9b-abc12 -n production', 'high'],
      ['kubectl rollout restart deployment/order-service -n production', 'high'],
    ]);
  });

  test('reads the same in Chinese', async () => {
    const text = renderDiagnosis(diagnose(await buildSnapshot(incident()), { ...about, language: 'zh' }));
    expect(text.split('\n').slice(0, 3)).toEqual([
      '# 诊断结果：production/order-service',
      '',
      '## 1. Pod production/order-service-7d8f9b-abc12：容器 app 反复崩溃，原因是数据库连接池耗尽（严重，已确认）',
    ]);
    for (const part of ['根因推测', '检查连接是否泄漏', '临时方案', 'kubectl delete pod', '（风险：高）', '[c2] `2024'])
      expect(text).toContain(part);
  });

  test('makes no claim without the log', async () => {
    const [cluster] = incident();
    const { findings } = diagnose(await buildSnapshot(cluster === undefined ? [] : [cluster]), {
      ...about,
      language: 'en',
    });
    expect(findings.map((f) => [f.certainty, f.cause, f.also.length])).toEqual([['unknown', undefined, 1]]);
    expect(JSON.stringify(findings)).not.toMatch(/pool is exhausted/);
  });
});

describe('pods of one ReplicaSet', () => {
  const owner = { kind: 'ReplicaSet', name: 'web-1' };
  const one = (name: string, code = 1) => pod(name, { owner, containers: [crashLoop(ended(code))] });
  const exhausted = 'FATAL: database connection pool exhausted';

  test('with the same cause are one finding that counts them', async () => {
    const { findings } = await diagnosed([one('a'), one('b')], [log('c2', 'a', exhausted), log('c3', 'b', exhausted)]);
    expect(findings.map((f) => f.title)).toEqual([
      '2 pods of ReplicaSet production/web-1: container app keeps crashing because the database connection pool is exhausted',
    ]);
  });

  test('with different causes are two', async () => {
    const { findings } = await diagnosed(
      [one('a'), one('b')],
      [log('c2', 'a', exhausted), log('c3', 'b', 'FATAL: no space left on device')],
    );
    expect(findings.length).toBe(2);
  });

  test('that ended in another way, or whose own log says nothing, do not join', async () => {
    expect((await diagnosed([one('a'), one('b', 139)], [log('c2', 'a', exhausted)])).findings.length).toBe(2);
    expect(
      (await diagnosed([one('a'), one('b')], [log('c2', 'a', exhausted), log('c3', 'b', 'INFO bye')])).findings.length,
    ).toBe(2);
  });
});

test('every sentence has the same places to fill in both languages', () => {
  const places = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '').sort();
  for (const [key, text] of Object.entries(MESSAGES)) expect([key, places(text.zh)]).toEqual([key, places(text.en)]);
});
