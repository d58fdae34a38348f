import { isProblem } from '../diagnose.js';
import { compare } from '../group.js';
import { quoteOf } from '../plain-text.js';
import type { Diagnosis, Finding, Language, Looked, Severity, Unseen } from '../types.js';
import { SEVERITIES } from '../types.js';
import { firingAlerts, pendingAlerts } from './alerts.js';
import { type Found, type MetricsContext, say } from './parts.js';
import { alertingFaults } from './setup.js';
import type { MetricsSnapshot } from './snapshot.js';
import { targetsDown } from './targets.js';

/**
 * What fires and why: targets that are down with the alerts that they explain under them, other alerts, and faults of alerting
 * itself. Pure: the same snapshot and time give the same diagnosis.
 */
export function diagnoseMetrics(snapshot: MetricsSnapshot, language: Language, nowMs: number): Diagnosis {
  const context: MetricsContext = { snapshot, language, nowMs };
  const alerts = [...firingAlerts(context), ...pendingAlerts(context)];
  const findings = [...underCauses(targetsDown(context), alerts), ...alertingFaults(context).map((f) => f.finding)];
  findings.sort(compare);
  const unseen = unseenOf(context);
  const isBlind = snapshot.alerts === undefined || snapshot.targets === undefined;
  return {
    target: say(context, 'target', { address: snapshot.address || 'Alertmanager' }),
    language,
    summary: summaryOf(context, findings, isBlind),
    healthy: !isBlind && !findings.some(isProblem),
    findings,
    unseen,
    looked: lookedAt(snapshot),
  };
}

/** An alert all of whose targets one cause holds is a consequence of that cause. */
function underCauses(causes: readonly Found[], alerts: readonly Found[]): Finding[] {
  const parentOf = (alert: Found): Found | undefined =>
    alert.targets.length === 0
      ? undefined
      : causes.find((cause) => alert.targets.every((target) => cause.targets.includes(target)));
  const explained = (cause: Found) => alerts.filter((alert) => parentOf(alert) === cause).map((alert) => alert.finding);
  const grown = causes.map((cause) => {
    const symptoms = explained(cause).sort(compare);
    const severity = [cause.finding, ...symptoms].map((finding) => finding.severity).reduce(worse);
    return { ...cause.finding, severity, symptoms };
  });
  return [...grown, ...alerts.filter((alert) => parentOf(alert) === undefined).map((alert) => alert.finding)];
}

const worse = (a: Severity, b: Severity): Severity => (SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b);

function summaryOf(context: MetricsContext, findings: readonly Finding[], isBlind: boolean): string {
  const { alerts = [], targets = [], rules = [] } = context.snapshot;
  const firing = alerts.filter(({ state }) => state === 'firing').length;
  const down = targets.filter(({ health }) => health === 'down').length;
  const [first] = findings.filter(isProblem);
  if (first !== undefined || firing + down > 0) {
    const counts =
      context.snapshot.targets === undefined
        ? say(context, 'summary.no-targets', { alerts: firing })
        : say(context, 'summary.firing', { alerts: firing, targets: down, total: targets.length });
    return first === undefined ? counts : say(context, 'summary.first', { first: counts, title: first.title });
  }
  if (isBlind) return say(context, 'summary.unsure');
  const alerting = rules.filter(({ type }) => type === 'alerting').length;
  return say(context, 'summary.calm', { rules: alerting, total: targets.length });
}

function unseenOf(context: MetricsContext): Unseen[] {
  const { gaps, askedManager } = context.snapshot;
  const failed = gaps.map(({ tool, callId, message, hint }) => ({
    what: tool,
    why: `${say(context, message === '' ? 'gap.odd' : 'gap.failed')}${message === '' ? '' : `: ${quoteOf(message)}`} [${callId}]`,
    hint: quoteOf(hint, 300) || say(context, message === '' ? 'gap.odd.hint' : 'gap.hint'),
  }));
  if (askedManager) return failed;
  return [
    ...failed,
    { what: 'Alertmanager', why: say(context, 'gap.no-manager-url'), hint: say(context, 'gap.no-manager-url.hint') },
  ];
}

function lookedAt(snapshot: MetricsSnapshot): Looked[] {
  const counts: readonly (readonly [string, readonly string[], readonly unknown[] | undefined])[] = [
    ['Alert', ['prometheus_alerts', 'alertmanager_alerts'], snapshot.alerts],
    ['Rule', ['prometheus_rules'], snapshot.rules],
    ['Target', ['prometheus_targets'], snapshot.targets],
    ['Alertmanager', ['prometheus_alertmanagers'], snapshot.managers],
    ['Silence', ['alertmanager_silences'], snapshot.silences],
  ];
  return counts.flatMap(([kind, tools, list]) =>
    list === undefined
      ? []
      : [{ kind, count: list.length, callIds: tools.flatMap((tool) => snapshot.callIds[tool] ?? []) }],
  );
}
