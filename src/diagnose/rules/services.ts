import { isReady, selectorOf } from '../cluster.js';
import { type Draft, draftOf, type Rule, type RuleContext, refOf, say, shown } from '../draft.js';
import { at, list, num, str } from '../json.js';
import { plainLine } from '../plain-text.js';
import { joinSentences, joinWords } from '../say.js';
import type { KubeObject } from '../snapshot.js';
import { getStep, step } from '../steps.js';
import { isoMs } from '../times.js';
import { nearestPods } from './nearest-pods.js';

/** Services that reach no pod, or a port that is not there. Without a selector, ExternalName and headless ones are left alone. */
export const serviceRule: Rule = (context) =>
  context.cluster.ofKind('Service').flatMap((service) => judgeService(context, service));

function judgeService(context: RuleContext, service: KubeObject): readonly Draft[] {
  const spec = service.raw.spec;
  const selector = selectorOf(service);
  if (str(spec, 'type') === 'ExternalName' || str(spec, 'clusterIP') === 'None' || Object.keys(selector).length === 0)
    return [];
  const pods = context.cluster.selectedBy(service).filter(isServing);
  if (pods.length === 0) return noPods(context, service);
  const ready = pods.filter(isReady);
  const ports = portDrafts(context, service, pods);
  if (ready.length === pods.length || at(spec, 'publishNotReadyAddresses') === true) return ports;
  const none = ready.length === 0;
  return [
    ...ports,
    draftOf(context, {
      rule: none ? 'service.not-ready' : 'service.partly-ready',
      object: service,
      severity: none ? 'critical' : 'medium',
      certainty: 'confirmed',
      title: none ? 'service.not-ready' : 'service.partly-ready',
      values: { count: pods.length, ready: ready.length },
      evidence: [
        shown(service, 'spec.selector', selectorText(selector)),
        ...pods.slice(0, 1).map((p) => shown(p, 'status.conditions[Ready]', readyText(p))),
      ],
      checks: [podsStep(context, service)],
      role: 'symptom',
      // The pods have findings of their own, or are just starting.
      alone: none && !pods.every((p) => isYoung(context, p)),
    }),
  ];
}

/** Pods that endpoints are made of: not done, not on their way out. */
const isServing = (pod: KubeObject): boolean =>
  !['Succeeded', 'Failed'].includes(str(pod.raw, 'status', 'phase')) && !isGoing(pod);

const isYoung = (context: RuleContext, pod: KubeObject): boolean =>
  context.nowMs - (isoMs(str(pod.raw, 'metadata', 'creationTimestamp')) ?? 0) < 60_000;

const readyText = (pod: KubeObject): string => {
  const ready = list(pod.raw, 'status', 'conditions').find((c) => str(c, 'type') === 'Ready');
  return `Ready=${str(ready, 'status') || '?'} ${str(ready, 'reason')} ${str(ready, 'message')}`;
};

const selectorText = (selector: Readonly<Record<string, string>>): string =>
  Object.entries(selector)
    .map(([key, value]) => `${plainLine(key)}=${plainLine(value)}`)
    .join(',');

const podsStep = (context: RuleContext, service: KubeObject): Draft['finding']['checks'][number] =>
  getStep(context.language, 'step.labels', {}, { kind: 'pods', namespace: service.namespace, name: '' }, [
    '--show-labels',
  ]);

function noPods(context: RuleContext, service: KubeObject): readonly Draft[] {
  const selector = selectorOf(service);
  if (context.cluster.listedAll('Pod', service.namespace)) {
    const ended = context.cluster.selectedBy(service);
    if (ended.length > 0) return [endedPods(context, service, ended)];
    // A workload that would have these pods, but has none now, is the place to look.
    const owners = context.cluster.workloadsFor(service);
    return [
      draftOf(context, {
        rule: 'service.no-match',
        object: service,
        severity: 'high',
        certainty: 'confirmed',
        title: 'service.no-match',
        detail: nearestPods(context, service, selectorText(selector)),
        evidence: [shown(service, 'spec.selector', selectorText(selector))],
        checks: [podsStep(context, service)],
        role: 'cause',
        causedBy: owners.map((o) => o.id),
      }),
    ];
  }
  const endpoints = emptyEndpoints(context, service);
  if (endpoints === undefined) return [];
  return [
    draftOf(context, {
      rule: 'service.no-endpoints',
      object: service,
      severity: 'high',
      certainty: 'confirmed',
      title: 'service.no-endpoints',
      detail: say(context, 'detail.pods-unseen'),
      evidence: [
        shown(endpoints, '', say(context, 'quote.no-addresses')),
        shown(service, 'spec.selector', selectorText(selector)),
      ],
      checks: [podsStep(context, service)],
      role: 'symptom',
    }),
  ];
}

/** The selector is right; what it selects is over. */
function endedPods(context: RuleContext, service: KubeObject, pods: readonly KubeObject[]): Draft {
  const states = pods.slice(0, MAX_ENDED).map((pod) => `${plainLine(pod.name)} (${endOf(pod)})`);
  const more = pods.length > MAX_ENDED ? ` ${say(context, 'report.more', { count: pods.length - MAX_ENDED })}` : '';
  return draftOf(context, {
    rule: 'service.pods-ended',
    object: service,
    severity: 'high',
    certainty: 'confirmed',
    title: pods.length === 1 ? 'service.pod-ended' : 'service.pods-ended',
    values: { count: pods.length },
    detail: say(context, 'detail.ended-pods', { pods: joinWords(states, context.language) + more }),
    evidence: [
      shown(service, 'spec.selector', selectorText(selectorOf(service))),
      ...pods.slice(0, MAX_ENDED).map((pod) => shown(pod, endField(pod), endQuote(pod))),
    ],
    checks: [getStep(context.language, 'step.events', {}, { kind: 'events', namespace: service.namespace, name: '' })],
    role: 'symptom',
    causedBy: context.cluster.workloadsFor(service).map((o) => o.id),
  });
}

const MAX_ENDED = 3;

const isGoing = (pod: KubeObject): boolean => str(pod.raw, 'metadata', 'deletionTimestamp') !== '';
const endOf = (pod: KubeObject): string =>
  isGoing(pod) ? 'Terminating' : plainLine(str(pod.raw, 'status', 'reason') || str(pod.raw, 'status', 'phase'));
const endField = (pod: KubeObject): string => (isGoing(pod) ? 'metadata' : 'status');
const endQuote = (pod: KubeObject): string => {
  if (isGoing(pod)) return `deletionTimestamp: ${str(pod.raw, 'metadata', 'deletionTimestamp')}`;
  const reason = str(pod.raw, 'status', 'reason');
  return `phase: ${str(pod.raw, 'status', 'phase')}${reason === '' ? '' : `, reason: ${reason}`}`;
};

/** The object that shows a service to have no ready address, if one was read. */
function emptyEndpoints(context: RuleContext, service: KubeObject): KubeObject | undefined {
  const slices = context.cluster
    .inNamespace('EndpointSlice', service.namespace)
    .filter((s) => s.labels['kubernetes.io/service-name'] === service.name);
  if (slices.length > 0) {
    const ready = slices.some((s) =>
      list(s.raw, 'endpoints').some((e) => at(e, 'conditions', 'ready') !== false && list(e, 'addresses').length > 0),
    );
    return ready ? undefined : slices[0];
  }
  const endpoints = context.cluster.get({ kind: 'Endpoints', namespace: service.namespace, name: service.name });
  if (endpoints === undefined) return undefined;
  return list(endpoints.raw, 'subsets').some((s) => list(s, 'addresses').length > 0) ? undefined : endpoints;
}

interface Port {
  readonly name: string;
  readonly number: number | undefined;
}

function declaredPorts(pod: KubeObject): readonly Port[] {
  const containers = [
    ...list(pod.raw, 'spec', 'containers'),
    ...list(pod.raw, 'spec', 'initContainers').filter((c) => str(c, 'restartPolicy') === 'Always'),
  ];
  return containers.flatMap((c) =>
    list(c, 'ports').map((p) => ({ name: str(p, 'name'), number: num(p, 'containerPort') })),
  );
}

function portDrafts(context: RuleContext, service: KubeObject, pods: readonly KubeObject[]): readonly Draft[] {
  const declared = pods.map(declaredPorts);
  return list(service.raw, 'spec', 'ports').flatMap((port) => {
    const target = at(port, 'targetPort') ?? at(port, 'port');
    const byName = typeof target === 'string' && !/^\d+$/.test(target);
    const matches = (p: Port): boolean => (byName ? p.name === target : p.number === Number(target));
    // A number need not be declared; it is only suspicious when every pod declares ports and none is this one.
    if (declared.some((ports) => ports.some(matches)) || (!byName && declared.some((ports) => ports.length === 0)))
      return [];
    return [portDraft(context, service, port, `${target}`, byName, declared.flat())];
  });
}

function portDraft(
  context: RuleContext,
  service: KubeObject,
  port: Parameters<typeof at>[0],
  target: string,
  byName: boolean,
  declared: readonly Port[],
): Draft {
  const ports = [
    ...new Set(declared.map((p) => (p.name === '' ? `${p.number}` : `${plainLine(p.name)} (${p.number})`))),
  ];
  const known =
    ports.length === 0
      ? ''
      : say(context, 'detail.declared-ports', { ports: joinWords(ports.slice(0, 8), context.language) });
  return draftOf(context, {
    rule: byName ? 'service.port-name' : 'service.port-number',
    object: service,
    severity: byName ? 'high' : 'medium',
    certainty: byName ? 'confirmed' : 'likely',
    title: byName ? 'service.port-name' : 'service.port-number',
    values: { port: num(port, 'port') ?? '?', target: plainLine(target) },
    detail: joinSentences([known, byName ? '' : say(context, 'detail.port-informational')], context.language),
    evidence: [shown(service, 'spec.ports', `port: ${num(port, 'port')}, targetPort: ${target}`)],
    checks: [
      step(context.language, 'step.ports', {}),
      getStep(context.language, 'step.describe', { kind: 'Service', name: service.name }, refOf(service), [
        '-o',
        'yaml',
      ]),
    ],
    role: 'cause',
    causeKey: target,
  });
}
