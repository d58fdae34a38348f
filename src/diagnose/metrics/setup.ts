import { quoteOf } from '../plain-text.js';
import { type Found, findingOf, type MetricsContext, say } from './parts.js';
import type { RuleState } from './snapshot.js';

/** What is wrong with alerting itself: rules that fail, no rules, no Alertmanager. */
export const alertingFaults = (context: MetricsContext): Found[] =>
  [...brokenRules(context), ...noManager(context), ...noRules(context)].map((finding) => ({ finding, targets: [] }));

function brokenRules(context: MetricsContext) {
  const groups = new Map<string, RuleState[]>();
  for (const rule of (context.snapshot.rules ?? []).filter((r) => r.health === 'err')) {
    const key = JSON.stringify([rule.type, rule.lastError]);
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  return [...groups.values()].flatMap((rules) => {
    const [first] = rules;
    return first === undefined ? [] : [brokenRule(context, first, rules)];
  });
}

function brokenRule(context: MetricsContext, first: RuleState, rules: readonly RuleState[]) {
  const alerting = first.type === 'alerting';
  const name = quoteOf(first.name, 100);
  const file = quoteOf(first.file, 160);
  return findingOf({
    rule: 'rule.error',
    object: { kind: 'Rule', namespace: first.group, name: first.name },
    severity: alerting ? 'high' : 'medium',
    title: say(context, rules.length === 1 ? 'rule.error' : 'rule.errors', { name, count: rules.length }),
    cause: { text: quoteOf(first.lastError), certainty: 'confirmed' },
    detail: say(context, alerting ? 'detail.rule' : 'detail.record'),
    evidence: rules.slice(0, 4).map((rule) => ({
      callId: rule.callId,
      quote: quoteOf(rule.lastError),
      where: say(context, 'where.rule-error', { name: rule.name, group: rule.group }),
    })),
    checks: [
      {
        text: say(context, 'step.rule-file', { file }),
        ...(first.file.startsWith('/') && { command: ['promtool', 'check', 'rules', first.file] }),
        risk: 'low',
      },
    ],
    also: rules.slice(1).map((rule) => ({ kind: 'Rule', namespace: rule.group, name: rule.name })),
  });
}

function noManager(context: MetricsContext) {
  const { managers, alerts, callIds } = context.snapshot;
  if (managers === undefined || managers.length > 0) return [];
  const fires = (alerts ?? []).some(({ state }) => state === 'firing');
  return [
    findingOf({
      rule: 'manager.none',
      object: { kind: 'Alertmanager', namespace: '', name: 'none' },
      severity: fires ? 'high' : 'medium',
      title: say(context, 'manager.none'),
      evidence: [
        {
          callId: callIds.prometheus_alertmanagers?.[0] ?? '',
          quote: '"activeAlertmanagers":[]',
          where: 'api/v1/alertmanagers',
        },
      ],
      checks: [{ text: say(context, 'step.manager'), risk: 'low' }],
    }),
  ];
}

function noRules(context: MetricsContext) {
  const { rules, callIds } = context.snapshot;
  if (rules === undefined || rules.some(({ type }) => type === 'alerting')) return [];
  return [
    findingOf({
      rule: 'rule.none',
      object: { kind: 'Rule', namespace: '', name: 'none' },
      severity: 'medium',
      title: say(context, 'rule.none'),
      evidence: [
        { callId: callIds.prometheus_rules?.[0] ?? '', quote: say(context, 'quote.no-rule'), where: 'api/v1/rules' },
      ],
    }),
  ];
}
