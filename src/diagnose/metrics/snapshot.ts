import type { StoredResult } from '../../domain/ports.js';
import type { Json } from '../../domain/types.js';
import { isObject, list, num, str, strings } from '../json.js';
import { isoMs } from '../times.js';

export interface Alert {
  readonly callId: string;
  readonly name: string;
  readonly state: 'firing' | 'pending';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** '' when only Alertmanager knows the alert. */
  readonly value: string;
  /** 0 when unknown. */
  readonly sinceMs: number;
  readonly silencedBy: readonly string[];
  readonly inhibitedBy: readonly string[];
  readonly onlyInManager: boolean;
}

export interface Target {
  readonly callId: string;
  readonly job: string;
  readonly instance: string;
  readonly health: string;
  readonly lastError: string;
  readonly url: string;
  readonly lastScrapeMs: number;
  readonly labels: Readonly<Record<string, string>>;
}

export interface RuleState {
  readonly callId: string;
  readonly name: string;
  readonly type: string;
  readonly group: string;
  readonly file: string;
  readonly query: string;
  readonly health: string;
  readonly lastError: string;
}

export interface Silence {
  readonly callId: string;
  readonly id: string;
  readonly until: string;
  readonly by: string;
  readonly comment: string;
}

/** A call that brought nothing. */
export interface MetricsGap {
  readonly callId: string;
  readonly tool: string;
  readonly message: string;
  readonly hint: string;
}

/** What the calls of a session say about alerts; a part is undefined when it was not read. */
export interface MetricsSnapshot {
  /** Of Prometheus without the path of the API, '' when it was not asked. */
  readonly address: string;
  readonly alerts: readonly Alert[] | undefined;
  readonly targets: readonly Target[] | undefined;
  readonly rules: readonly RuleState[] | undefined;
  /** Addresses of the Alertmanagers that Prometheus sends to. */
  readonly managers: readonly string[] | undefined;
  readonly silences: readonly Silence[] | undefined;
  readonly askedManager: boolean;
  readonly gaps: readonly MetricsGap[];
  /** Calls that brought something, by tool. */
  readonly callIds: Readonly<Record<string, readonly string[]>>;
}

interface Answer {
  readonly result: StoredResult;
  readonly data: Json;
}

/** Reads what the calls brought back. A call that failed or answered something else becomes a gap. Never throws for odd content. */
export async function readMetrics(results: readonly StoredResult[]): Promise<MetricsSnapshot> {
  const answers = await Promise.all(results.map(async (result) => ({ result, data: await result.readData() })));
  const of = <T>(tool: string, where: (data: Json) => Json | undefined, read: (raw: Json, callId: string) => T[]) => {
    const good = answers.filter(
      (a): a is Answer => a.result.tool === tool && a.result.status === 'ok' && Array.isArray(where(a.data ?? null)),
    );
    if (good.length === 0) return undefined;
    return good.flatMap(({ result, data }) => listOf(where(data)).flatMap((raw) => read(raw, result.callId)));
  };
  const inData = (field: string) => (data: Json) =>
    isObject(data) && isObject(data.data) ? data.data[field] : undefined;
  const parts = {
    prometheus_alerts: of('prometheus_alerts', inData('alerts'), alertOf),
    prometheus_targets: of('prometheus_targets', inData('activeTargets'), targetOf),
    prometheus_rules: of('prometheus_rules', inData('groups'), rulesOf),
    prometheus_alertmanagers: of('prometheus_alertmanagers', inData('activeAlertmanagers'), (raw) => [str(raw, 'url')]),
    alertmanager_alerts: of('alertmanager_alerts', (data) => data, heldAlertOf),
    alertmanager_silences: of('alertmanager_silences', (data) => data, silenceOf),
  };
  const isRead = (tool: string) => Object.entries(parts).some(([name, part]) => name === tool && part !== undefined);
  return {
    address: addressOf(results),
    alerts: mergeAlerts(parts.prometheus_alerts, parts.alertmanager_alerts),
    targets: parts.prometheus_targets,
    rules: parts.prometheus_rules,
    managers: parts.prometheus_alertmanagers,
    silences: parts.alertmanager_silences,
    askedManager: results.some((r) => r.tool.startsWith('alertmanager_')),
    gaps: results.filter((r) => Object.hasOwn(parts, r.tool) && !isRead(r.tool)).map(gapOf),
    callIds: Object.fromEntries(
      Object.keys(parts).map((tool) => [
        tool,
        results.filter((r) => r.tool === tool && r.status === 'ok' && isRead(tool)).map((r) => r.callId),
      ]),
    ),
  };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** `ok` with an answer that cannot be read has no message. */
const gapOf = (result: StoredResult): MetricsGap => ({
  callId: result.callId,
  tool: result.tool,
  message: result.status === 'ok' ? '' : (result.error?.message ?? result.status),
  hint: result.error?.hint ?? '',
});

function addressOf(results: readonly StoredResult[]): string {
  const url = results.find((r) => r.tool.startsWith('prometheus_') && r.tokens.length === 2)?.tokens[1] ?? '';
  return url.replace(/\/api\/v1\/.*$/, '');
}

function alertOf(raw: Json, callId: string): Alert[] {
  const labels = strings(raw, 'labels');
  const state = str(raw, 'state');
  if (state !== 'firing' && state !== 'pending') return [];
  return [
    {
      ...{ callId, state, labels, name: labels.alertname ?? '?', annotations: strings(raw, 'annotations') },
      ...{ value: str(raw, 'value'), sinceMs: timeOf(raw, 'activeAt') },
      ...{ silencedBy: [], inhibitedBy: [], onlyInManager: false },
    },
  ];
}

function heldAlertOf(raw: Json, callId: string): Alert[] {
  const labels = strings(raw, 'labels');
  return [
    {
      ...{ callId, state: 'firing', labels, name: labels.alertname ?? '?', annotations: strings(raw, 'annotations') },
      ...{ value: '', sinceMs: timeOf(raw, 'startsAt'), onlyInManager: true },
      silencedBy: texts(raw, 'status', 'silencedBy'),
      inhibitedBy: texts(raw, 'status', 'inhibitedBy'),
    },
  ];
}

const texts = (raw: Json, ...path: readonly string[]): string[] =>
  list(raw, ...path).filter((value): value is string => typeof value === 'string');

/** Prometheus's alerts with what Alertmanager says of them, and those that only Alertmanager holds. */
function mergeAlerts(own: readonly Alert[] | undefined, held: readonly Alert[] | undefined): Alert[] | undefined {
  if (own === undefined && held === undefined) return undefined;
  const key = (alert: Alert, names: readonly string[]) =>
    JSON.stringify(names.map((name) => [name, alert.labels[name] ?? '']));
  // Prometheus adds its external labels when it sends: an alert is the same when all its own labels are.
  const taken = new Set<Alert>();
  const merged = (own ?? []).map((alert) => {
    const names = Object.keys(alert.labels);
    const same = (held ?? []).filter((h) => h.name === alert.name && key(h, names) === key(alert, names));
    const [match] = same;
    for (const one of same) taken.add(one);
    return match ? { ...alert, silencedBy: match.silencedBy, inhibitedBy: match.inhibitedBy } : alert;
  });
  return [...merged, ...(held ?? []).filter((alert) => !taken.has(alert))];
}

function targetOf(raw: Json, callId: string): Target[] {
  if (!isObject(raw)) return [];
  const labels = strings(raw, 'labels');
  return [
    {
      ...{
        callId,
        labels,
        job: labels.job ?? (str(raw, 'scrapePool') || '?'),
        instance: labels.instance ?? str(raw, 'scrapeUrl'),
      },
      ...{ health: str(raw, 'health'), lastError: str(raw, 'lastError'), url: str(raw, 'scrapeUrl') },
      lastScrapeMs: timeOf(raw, 'lastScrape'),
    },
  ];
}

function rulesOf(group: Json, callId: string): RuleState[] {
  const of = { callId, group: str(group, 'name'), file: str(group, 'file') };
  return list(group, 'rules').map((raw) => ({
    ...of,
    ...{ name: str(raw, 'name'), type: str(raw, 'type'), query: str(raw, 'query') },
    ...{ health: str(raw, 'health'), lastError: str(raw, 'lastError') },
  }));
}

function silenceOf(raw: Json, callId: string): Silence[] {
  const id = str(raw, 'id');
  return id === ''
    ? []
    : [{ callId, id, until: str(raw, 'endsAt'), by: str(raw, 'createdBy'), comment: str(raw, 'comment') }];
}

/** Milliseconds of a time, which Prometheus writes with nine digits; 0 when there is none. */
const timeOf = (raw: Json, field: string): number => (num(raw, field) ?? 0) * 1000 || (isoMs(str(raw, field)) ?? 0);
