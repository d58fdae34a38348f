import { numberText } from '../../lib/chart.js';
import { ageText } from '../draft.js';
import { quoteOf } from '../plain-text.js';
import type { Finding, NextStep, ObjectRef } from '../types.js';
import { type Found, findingOf, gradeOf, type MetricsContext, say } from './parts.js';
import type { Alert, RuleState, Silence, Target } from './snapshot.js';
import { labelText } from './statistics.js';
import type { WordKey } from './words.js';

/** Alerts that fire as long as alerting works. */
const WATCHDOG = /^(?:watchdog|dead-?mans?-?(?:switch|snitch)|always-?firing)$/i;
const MAX_NAMES = 6;

/** Firing alerts: one finding for each name and severity; those that nobody is told of apart from the others. */
export function firingAlerts(context: MetricsContext): Found[] {
  const groups = new Map<string, Alert[]>();
  for (const alert of (context.snapshot.alerts ?? []).filter(({ state }) => state === 'firing')) {
    const key = JSON.stringify([alert.name, alert.labels.severity ?? '', quietness(alert)]);
    groups.set(key, [...(groups.get(key) ?? []), alert]);
  }
  return [...groups.values()].flatMap((alerts) => {
    const [first] = alerts.toSorted((a, b) => a.sinceMs - b.sinceMs);
    if (first === undefined) return [];
    return [
      { finding: alertFinding(context, first, alerts), targets: alerts.flatMap((alert) => targetsOf(context, alert)) },
    ];
  });
}

type Quietness = 'silenced' | 'inhibited' | '';

const quietness = (alert: Alert): Quietness =>
  alert.silencedBy.length > 0 ? 'silenced' : alert.inhibitedBy.length > 0 ? 'inhibited' : '';

function alertFinding(context: MetricsContext, first: Alert, alerts: readonly Alert[]): Finding {
  const quiet = quietness(first);
  const isWatchdog = WATCHDOG.test(first.name);
  const rule = context.snapshot.rules?.find((r) => r.type === 'alerting' && r.name === first.name);
  return findingOf({
    rule: isWatchdog ? 'alert.watchdog' : quiet === '' ? 'alert.firing' : 'alert.quiet',
    object: refTo(first),
    severity: isWatchdog ? 'info' : quiet === '' ? gradeOf(first.labels) : 'low',
    title: titleOf(context, first, alerts, quiet, isWatchdog),
    detail: [aboutAlert(context, first), ...aboutSilence(context, first), ...description(context, first)].join(
      context.language === 'zh' ? '' : ' ',
    ),
    evidence: alerts.slice(0, 4).map((alert) => ({
      callId: alert.callId,
      quote: quoteOf(`${labelText(alert.labels)}${alert.value === '' ? '' : ` = ${alert.value}`}`),
      where: say(context, 'where.since', { state: alert.state, time: timeText(alert.sinceMs) }),
    })),
    checks: isWatchdog ? [] : checksFor(context, first, rule),
    also: alerts.filter((alert) => alert !== first && alert.labels.instance !== undefined).map(refTo),
  });
}

function titleOf(
  context: MetricsContext,
  first: Alert,
  alerts: readonly Alert[],
  quiet: Quietness,
  isWatchdog: boolean,
): string {
  const name = quoteOf(first.name, 100);
  if (isWatchdog) return say(context, 'alert.watchdog', { name });
  if (quiet !== '') return say(context, 'alert.quiet', { name, how: say(context, quiet) });
  const summary = quoteOf(first.annotations.summary ?? first.annotations.message ?? first.annotations.title ?? '', 160);
  const key: WordKey = alerts.length > 1 ? 'alert.firing.many' : 'alert.firing';
  return say(context, summary === '' ? `${key}.bare` : key, { name, count: alerts.length, summary });
}

function aboutAlert(context: MetricsContext, alert: Alert): string {
  const { alertname: _, ...labels } = alert.labels;
  const about = say(context, 'detail.alert', {
    age: ageText(alert.sinceMs === 0 ? undefined : Math.max(0, context.nowMs - alert.sinceMs)),
    since: timeText(alert.sinceMs),
    value: valueText(alert.value),
    labels: quoteOf(labelText(labels), 200),
  });
  return alert.onlyInManager ? `${about} ${say(context, 'detail.only-manager')}` : about;
}

function aboutSilence(context: MetricsContext, alert: Alert): string[] {
  const silences = context.snapshot.silences ?? [];
  const of = alert.silencedBy.flatMap((id): Silence[] => silences.filter((silence) => silence.id === id)).slice(0, 2);
  return of.map(({ id, by, until, comment }) =>
    say(context, 'detail.silence', {
      id: quoteOf(id, 60),
      by: quoteOf(by, 60),
      until: quoteOf(until, 40),
      comment: quoteOf(comment, 120),
    }),
  );
}

function description(context: MetricsContext, alert: Alert): string[] {
  const text = alert.annotations.description;
  return text === undefined || text === '' ? [] : [say(context, 'detail.description', { text: quoteOf(text) })];
}

function checksFor(context: MetricsContext, alert: Alert, rule: RuleState | undefined): NextStep[] {
  const url = alert.annotations.runbook_url ?? alert.annotations.runbook;
  const runbook: NextStep[] = url
    ? [{ text: say(context, 'step.runbook', { url: quoteOf(url, 300) }), risk: 'low' }]
    : [];
  if (rule === undefined || rule.query === '' || rule.query.length > 600) return runbook;
  const command = [
    'opsagent',
    'tools',
    'run',
    'prometheus_query_range',
    '--args',
    JSON.stringify({ query: rule.query }),
  ];
  return [...runbook, { text: say(context, 'step.expression'), command, risk: 'low' }];
}

/** Pending alerts, all in one finding. */
export function pendingAlerts(context: MetricsContext): Found[] {
  const pending = (context.snapshot.alerts ?? []).filter(({ state }) => state === 'pending');
  const [first] = pending;
  if (first === undefined) return [];
  const names = [...new Set(pending.map(({ name }) => quoteOf(name, 80)))];
  const shown = names.slice(0, MAX_NAMES).join(context.language === 'zh' ? '、' : ', ');
  const finding = findingOf({
    rule: 'alert.pending',
    object: refTo(first),
    severity: 'low',
    title: say(context, pending.length === 1 ? 'alert.pending.one' : 'alert.pending', {
      count: pending.length,
      names: names.length > MAX_NAMES ? `${shown} …` : shown,
    }),
    evidence: pending.slice(0, 4).map((alert) => ({
      callId: alert.callId,
      quote: quoteOf(labelText(alert.labels)),
      where: say(context, 'where.since', { state: 'pending', time: timeText(alert.sinceMs) }),
    })),
  });
  return [{ finding, targets: pending.flatMap((alert) => targetsOf(context, alert)) }];
}

/**
 * The targets that are down and that an alert speaks of: those with its job and instance; when it has no instance, those of its
 * job; when its rule asks for `up` or `absent` of a job, those of that job.
 */
function targetsOf(context: MetricsContext, alert: Alert): Target[] {
  const down = (context.snapshot.targets ?? []).filter(({ health }) => health === 'down');
  const { job, instance } = alert.labels;
  if (instance !== undefined)
    return down.filter((t) => t.instance === instance && (job === undefined || t.job === job));
  const query = context.snapshot.rules?.find((r) => r.type === 'alerting' && r.name === alert.name)?.query ?? '';
  if (!/\b(?:up|absent(?:_over_time)?)\b/.test(query)) return [];
  const named = job ?? /\bjob\s*=\s*"([^"]+)"/.exec(query)?.[1];
  return down.filter((t) => t.job === named);
}

const refTo = (alert: Alert): ObjectRef => ({
  kind: 'Alert',
  namespace: '',
  name: alert.labels.instance ?? alert.name,
});

const timeText = (ms: number): string => (ms === 0 ? '?' : new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z'));

/** Prometheus writes 42 as 4.2e+01. */
const valueText = (value: string): string =>
  value === '' ? '?' : Number.isFinite(Number(value)) ? numberText(Number(value)) : quoteOf(value, 40);
