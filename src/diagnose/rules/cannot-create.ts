import { ageMs, type Draft, draftOf, nameOf, type RuleContext, refOf, say, seenIn, shown } from '../draft.js';
import { condition, num, str } from '../json.js';
import type { MessageKey } from '../messages.js';
import { quoteOf } from '../plain-text.js';
import { idOf, type KubeObject } from '../snapshot.js';
import { describeStep, getStep, step } from '../steps.js';
import type { NextStep } from '../types.js';

/** An old event says little: the controller may have got its pods since. */
const RECENT_MS = 30 * 60_000;

const REASONS: readonly (readonly [RegExp, MessageKey])[] = [
  [/exceeded quota/i, 'create.quota'],
  [/violates PodSecurity/i, 'create.security'],
  [/admission webhook|failed calling webhook/i, 'create.webhook'],
  [/serviceaccount .{0,260}not found/i, 'create.service-account'],
  [/(?:maximum|minimum) .{0,60}usage per|LimitRange|must specify (?:limits|requests)/i, 'create.limit-range'],
];

/** A controller that the API server does not let create pods; undefined when nothing says so. */
export function createDraft(context: RuleContext, object: KubeObject): Draft | undefined {
  const failure = condition(object.raw, 'ReplicaFailure');
  const failing = str(failure, 'status') === 'True';
  const wanted = num(object.raw, 'spec', 'replicas');
  const have = num(object.raw, 'status', 'replicas') ?? 0;
  const event = context.cluster.eventsOf(object).find((e) => e.reason === 'FailedCreate');
  const age = ageMs(context, event?.timeMs);
  const fresh =
    event !== undefined && (age === undefined || age < RECENT_MS) && (wanted === undefined || have < wanted);
  if (!failing && !(fresh && object.kind !== 'Deployment')) return undefined;
  // The ReplicaSet has the same message as its Deployment, and is where it happens; one of the two is enough.
  if (object.kind === 'ReplicaSet' && deploymentSaysSo(context, object)) return undefined;
  const message = str(failure, 'message') || (event?.message ?? '');
  const key = REASONS.find(([pattern]) => pattern.test(message.slice(0, 4000)))?.[1] ?? 'create.other';
  const quota = /exceeded quota: ([\w.-]{1,253})/.exec(message.slice(0, 4000))?.[1];
  return draftOf(context, {
    rule: 'workload.cannot-create',
    object,
    severity: have === 0 ? 'critical' : 'high',
    certainty: key === 'create.other' ? 'unknown' : 'confirmed',
    title: 'workload.cannot-create',
    values: { reason: reasonText(context, key, quota) },
    detail: say(context, 'detail.quoted'),
    evidence:
      failing || event === undefined
        ? [shown(object, 'status.conditions[ReplicaFailure]', message)]
        : [seenIn(context, event)],
    checks: [...checksFor(context, object, key), describeStep(context.language, refOf(object))],
    role: 'cause',
    reach: [...context.cluster.owners(object).map(idOf), ...servicesFor(context, object)],
    causeKey: nameOf(object),
  });
}

const reasonText = (context: RuleContext, key: MessageKey, quota: string | undefined): string =>
  key === 'create.quota' && quota === undefined
    ? say(context, 'create.quota-unnamed')
    : say(context, key, { quota: quoteOf(quota ?? '', 80) });

function deploymentSaysSo(context: RuleContext, replicaSet: KubeObject): boolean {
  const owner = context.cluster.owners(replicaSet).find((o) => o.kind === 'Deployment');
  const deployment = owner === undefined ? undefined : context.cluster.get(owner);
  return str(condition(deployment?.raw, 'ReplicaFailure'), 'status') === 'True';
}

/** Services that would select the pods it cannot make. */
function servicesFor(context: RuleContext, object: KubeObject): readonly string[] {
  return context.cluster.servicesForTemplate(object).map((service) => service.id);
}

function checksFor(context: RuleContext, object: KubeObject, key: MessageKey): readonly NextStep[] {
  const { language } = context;
  if (key === 'create.quota') {
    return [
      getStep(language, 'step.quota', {}, { kind: 'resourcequota', namespace: object.namespace, name: '' }, [
        '-o',
        'yaml',
      ]),
    ];
  }
  if (key === 'create.webhook') return [step(language, 'step.webhook', {})];
  return [];
}
