import type { StoredResult } from '../../src/domain/ports.js';
import type { Json, JsonObject, ToolResult } from '../../src/domain/types.js';
import { aStoredResult } from '../helpers/run-context.js';

export const NOW = Date.parse('2026-01-31T08:00:00Z');

export interface Answers {
  readonly alerts?: readonly JsonObject[];
  readonly targets?: readonly JsonObject[];
  readonly rules?: readonly JsonObject[];
  readonly managers?: readonly string[];
  readonly held?: readonly JsonObject[];
  readonly silences?: readonly JsonObject[];
}

/** A call of a Prometheus or Alertmanager tool. */
export const called = (callId: string, tool: string, data: Json, more: Partial<ToolResult> = {}): StoredResult => ({
  ...aStoredResult({ callId, tool, ...more }, data),
  tokens: ['GET', `http://prom:9090/base/api/v1/${tool}`],
});

/** The calls of `diagnose_metrics`, with the answers of a healthy system where none is given. */
export function calls(answers: Answers = {}): StoredResult[] {
  const ok = (data: JsonObject): JsonObject => ({ status: 'success', data });
  const urls = (answers.managers ?? ['http://am:9093/api/v2/alerts']).map((url) => ({ url }));
  const rules = answers.rules ?? [aRule('TargetDown', 'up == 0')];
  return [
    called('c1', 'prometheus_alerts', ok({ alerts: answers.alerts ?? [] })),
    called('c2', 'prometheus_rules', ok({ groups: [{ name: 'g', file: '/etc/rules.yml', rules }] })),
    called('c3', 'prometheus_targets', ok({ activeTargets: answers.targets ?? [aTarget('api', 'a:1')] })),
    called('c4', 'prometheus_alertmanagers', ok({ activeAlertmanagers: urls })),
    called('c5', 'alertmanager_alerts', answers.held ?? []),
    called('c6', 'alertmanager_silences', answers.silences ?? []),
  ];
}

export const aTarget = (job: string, instance: string, lastError = ''): JsonObject => ({
  labels: { job, instance },
  scrapePool: job,
  scrapeUrl: `http://${instance}/metrics`,
  health: lastError === '' ? 'up' : 'down',
  lastError,
  lastScrape: '2026-01-31T07:59:50.123456789Z',
});

export const anAlert = (
  name: string,
  labels: Readonly<Record<string, string>> = {},
  more: JsonObject = {},
): JsonObject => ({
  labels: { alertname: name, ...labels },
  annotations: {},
  state: 'firing',
  activeAt: '2026-01-31T07:30:00.5Z',
  value: '1e+00',
  ...more,
});

export const aRule = (name: string, query: string, more: JsonObject = {}): JsonObject => ({
  name,
  query,
  type: 'alerting',
  health: 'ok',
  ...more,
});

export const REFUSED = 'Get "http://b:1/metrics": dial tcp 10.0.0.1:1: connect: connection refused';
