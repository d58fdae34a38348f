import { containersOf } from '../containers.js';
import { ageMs, type Draft, draftOf, type Rule, type RuleContext, refOf, say, shown } from '../draft.js';
import { at, condition, num, str } from '../json.js';
import type { MessageKey } from '../messages.js';
import { plainLine, quoteOf } from '../plain-text.js';
import { idOf, type KubeObject } from '../snapshot.js';
import { describeStep, getStep, step } from '../steps.js';
import { isoMs } from '../times.js';
import { createDraft } from './cannot-create.js';

const ROLLING = new Set(['ReplicaSetUpdated', 'NewReplicaSetCreated', 'FoundNewReplicaSet', 'ReplicaSetCreated']);
const DEFAULT_DEADLINE_SECONDS = 600;

/** Deployments, StatefulSets, DaemonSets and Jobs: wanted against ready, and what their controllers say. */
export const workloadRule: Rule = (context) => [
  ...context.cluster.ofKind('Deployment').flatMap((o) => judgeDeployment(context, o)),
  ...context.cluster.ofKind('StatefulSet').flatMap((o) => judgeStatefulSet(context, o)),
  ...context.cluster.ofKind('DaemonSet').flatMap((o) => judgeDaemonSet(context, o)),
  ...context.cluster.ofKind('ReplicaSet').flatMap((o) => createDraft(context, o) ?? []),
  ...context.cluster.ofKind('Job').flatMap((o) => judgeJob(context, o)),
  ...context.cluster
    .ofKind('CronJob')
    .flatMap((o) => (at(o.raw, 'spec', 'suspend') === true ? [suspended(context, o)] : [])),
];

function judgeDeployment(context: RuleContext, object: KubeObject): readonly Draft[] {
  const drafts: Draft[] = [];
  const wanted = num(object.raw, 'spec', 'replicas') ?? 1;
  const ready = num(object.raw, 'status', 'readyReplicas') ?? 0;
  const create = createDraft(context, object);
  if (create !== undefined) drafts.push(create);
  if (at(object.raw, 'spec', 'paused') === true) drafts.push(paused(context, object));
  if (wanted === 0) return [...drafts, scaledToZero(context, object)];
  const stuck = str(condition(object.raw, 'Progressing'), 'status') === 'False';
  if (!isSeen(object) || (ready >= wanted && !stuck)) return drafts;
  const progressing = condition(object.raw, 'Progressing');
  const available = condition(object.raw, 'Available');
  const status = object.raw.status;
  drafts.push(
    draftOf(context, {
      rule: stuck ? 'deployment.stuck' : 'deployment.not-ready',
      object,
      severity: ready === 0 ? 'critical' : 'high',
      certainty: 'confirmed',
      title: stuck ? 'deployment.stuck' : 'deployment.not-ready',
      values: { ready, wanted },
      detail: say(context, 'detail.available', {
        available: num(status, 'availableReplicas') ?? 0,
        updated: num(status, 'updatedReplicas') ?? 0,
      }),
      evidence: [
        shown(object, 'status', `replicas: ${wanted}, readyReplicas: ${ready}`),
        ...(stuck ? [shown(object, 'status.conditions[Progressing]', said(progressing))] : []),
        ...(!stuck && str(available, 'status') === 'False'
          ? [shown(object, 'status.conditions[Available]', said(available))]
          : []),
      ],
      checks: rolloutSteps(context, object),
      role: 'symptom',
      // Pods that are still starting within the deadline are a rollout, not a fault.
      alone: !isRollingOut(context, object),
    }),
  );
  return drafts;
}

/** The controller has looked at the newest spec; before that its counts are about another one. */
const isSeen = (object: KubeObject): boolean =>
  (num(object.raw, 'status', 'observedGeneration') ?? Number.POSITIVE_INFINITY) >=
  (num(object.raw, 'metadata', 'generation') ?? 0);

function isRollingOut(context: RuleContext, object: KubeObject): boolean {
  const progressing = condition(object.raw, 'Progressing');
  if (str(progressing, 'status') !== 'True' || !ROLLING.has(str(progressing, 'reason'))) return false;
  const deadline = num(object.raw, 'spec', 'progressDeadlineSeconds') ?? DEFAULT_DEADLINE_SECONDS;
  const age = ageMs(context, isoMs(str(progressing, 'lastUpdateTime')));
  return age === undefined || age < deadline * 1000;
}

const said = (value: Parameters<typeof str>[0]): string => `${str(value, 'reason')}: ${str(value, 'message')}`;

const rolloutSteps = (context: RuleContext, object: KubeObject): Draft['finding']['checks'] => {
  const target = `${object.kind.toLowerCase()}/${object.name}`;
  const names = [object.name, object.namespace];
  return [
    step(
      context.language,
      'step.rollout-status',
      {},
      {
        command: ['kubectl', 'rollout', 'status', target, '-n', object.namespace, '--watch=false'],
        names,
      },
    ),
    step(
      context.language,
      'step.history',
      {},
      { command: ['kubectl', 'rollout', 'history', target, '-n', object.namespace], names },
    ),
    describeStep(context.language, refOf(object)),
  ];
};

const paused = (context: RuleContext, object: KubeObject): Draft =>
  draftOf(context, {
    rule: 'deployment.paused',
    object,
    severity: 'low',
    certainty: 'confirmed',
    title: 'deployment.paused',
    evidence: [shown(object, 'spec', 'paused: true')],
    checks: [
      step(
        context.language,
        'step.resume',
        {},
        {
          command: ['kubectl', 'rollout', 'resume', `deployment/${object.name}`, '-n', object.namespace],
          names: [object.name, object.namespace],
          risk: 'high',
        },
      ),
    ],
    role: 'cause',
    causeKey: 'paused',
    reach: [],
  });

const scaledToZero = (context: RuleContext, object: KubeObject): Draft =>
  draftOf(context, {
    rule: 'workload.scaled-to-zero',
    object,
    severity: 'info',
    certainty: 'confirmed',
    title: 'workload.zero',
    detail: say(context, 'detail.zero'),
    evidence: [shown(object, 'spec', 'replicas: 0')],
    checks: [step(context.language, 'step.scale', {})],
    role: 'cause',
    causeKey: 'zero',
  });

function judgeStatefulSet(context: RuleContext, object: KubeObject): readonly Draft[] {
  const wanted = num(object.raw, 'spec', 'replicas') ?? 1;
  if (wanted === 0) return [scaledToZero(context, object)];
  const create = createDraft(context, object);
  const ready = num(object.raw, 'status', 'readyReplicas') ?? 0;
  const behind =
    isSeen(object) && ready < wanted ? [countDraft(context, object, 'statefulset.not-ready', ready, wanted)] : [];
  return [...(create === undefined ? [] : [create]), ...behind];
}

function judgeDaemonSet(context: RuleContext, object: KubeObject): readonly Draft[] {
  const create = createDraft(context, object);
  const wanted = num(object.raw, 'status', 'desiredNumberScheduled') ?? 0;
  const ready = num(object.raw, 'status', 'numberReady') ?? 0;
  const behind =
    isSeen(object) && ready < wanted ? [countDraft(context, object, 'daemonset.not-ready', ready, wanted)] : [];
  return [...(create === undefined ? [] : [create]), ...behind];
}

function countDraft(context: RuleContext, object: KubeObject, rule: MessageKey, ready: number, wanted: number): Draft {
  return draftOf(context, {
    rule,
    object,
    severity: ready === 0 ? 'critical' : 'high',
    certainty: 'confirmed',
    title: rule,
    values: { ready, wanted },
    evidence: [shown(object, 'status', say(context, 'quote.counts', { wanted, ready }))],
    checks: rolloutSteps(context, object),
    role: 'symptom',
    alone: !podsAreStarting(context, object),
  });
}

/** Every pod that is not ready started less than a minute ago. */
function podsAreStarting(context: RuleContext, owner: KubeObject): boolean {
  const starts = context.cluster.podsOf(refOf(owner)).flatMap((pod) =>
    containersOf(pod)
      .filter((c) => !c.ready)
      .map((c) => c.running?.sinceMs),
  );
  return starts.length > 0 && starts.every((ms) => (ageMs(context, ms) ?? Number.POSITIVE_INFINITY) < 60_000);
}

function judgeJob(context: RuleContext, object: KubeObject): readonly Draft[] {
  if (at(object.raw, 'spec', 'suspend') === true) return [suspended(context, object)];
  const failed = condition(object.raw, 'Failed');
  if (str(failed, 'status') !== 'True') return [];
  return [
    draftOf(context, {
      rule: 'job.failed',
      object,
      severity: 'high',
      certainty: 'confirmed',
      title: 'job.failed',
      values: { reason: quoteOf(str(failed, 'reason'), 60) || '?' },
      evidence: [shown(object, 'status.conditions[Failed]', said(failed))],
      checks: [
        describeStep(context.language, refOf(object)),
        getStep(context.language, 'step.events', {}, { kind: 'events', namespace: object.namespace, name: '' }),
      ],
      role: 'symptom',
    }),
  ];
}

const suspended = (context: RuleContext, object: KubeObject): Draft =>
  draftOf(context, {
    rule: 'job.suspended',
    object,
    severity: 'info',
    certainty: 'confirmed',
    title: 'job.suspended',
    evidence: [shown(object, 'spec', 'suspend: true')],
    checks: [],
    role: 'cause',
    causeKey: plainLine(idOf(object)),
  });
