import { isReady } from '../cluster.js';
import { type Container, containersOf } from '../containers.js';
import { ageMs, ageText, type Draft, draftOf, type Rule, type RuleContext, refOf, say, shown } from '../draft.js';
import { condition, str } from '../json.js';
import { idOf, type KubeObject } from '../snapshot.js';
import { describeStep, logsStep } from '../steps.js';
import { isoMs } from '../times.js';
import { isCrashing } from './crash-parts.js';
import { crashDraft } from './pod-crash.js';
import { probeDrafts, restartDraft } from './pod-health.js';
import { lifecycleDraft } from './pod-lifecycle.js';
import { schedulingDraft } from './pod-scheduling.js';
import { creatingDraft, waitingDraft } from './pod-waiting.js';

/** An init container may run this long before it counts as stuck. */
const INIT_STUCK_MS = 5 * 60_000;

/** Everything that can be wrong with one pod, from its state, its events and its logs. */
export const podRule: Rule = (context) => context.cluster.ofKind('Pod').flatMap((pod) => judgePod(context, pod));

function judgePod(context: RuleContext, pod: KubeObject): readonly Draft[] {
  if (str(pod.raw, 'status', 'phase') === 'Succeeded' || belongsToDoneJob(context, pod)) return [];
  const lifecycle = lifecycleDraft(context, pod);
  if (lifecycle !== 'look-further') return lifecycle === undefined ? [] : [lifecycle];
  const scheduling = schedulingDraft(context, pod);
  if (scheduling !== undefined) return [scheduling];
  const containers = containersOf(pod);
  const blocking = containers.filter((c) => c.role === 'init').flatMap((c) => judgeInit(context, pod, c));
  if (blocking.length > 0) return blocking;
  const drafts = containers.filter((c) => c.role !== 'init').flatMap((c) => judgeContainer(context, pod, c));
  if (drafts.length > 0) return drafts;
  const creating = creatingDraft(context, pod, containers);
  return creating === undefined ? readinessGate(context, pod) : [creating];
}

/** A failed attempt of a job that succeeded in the end is no problem. */
function belongsToDoneJob(context: RuleContext, pod: KubeObject): boolean {
  return context.cluster
    .owners(pod)
    .map((owner) => (owner.kind === 'Job' ? context.cluster.get(owner) : undefined))
    .some((job) => job !== undefined && str(condition(job.raw, 'Complete'), 'status') === 'True');
}

function judgeInit(context: RuleContext, pod: KubeObject, container: Container): readonly Draft[] {
  if (container.ended?.exitCode === 0) return [];
  const since = ageMs(context, container.running?.sinceMs);
  if (
    container.running !== undefined &&
    since !== undefined &&
    since > INIT_STUCK_MS &&
    !isCrashing(context, container)
  ) {
    return [initRunning(context, pod, container, since)];
  }
  return judgeContainer(context, pod, container);
}

function judgeContainer(context: RuleContext, pod: KubeObject, container: Container): readonly Draft[] {
  const waiting = waitingDraft(context, pod, container);
  if (waiting !== undefined) return [waiting];
  const crash = crashDraft(context, pod, container);
  if (crash !== undefined) return [crash];
  if (container.role === 'init') return [];
  const restarts = restartDraft(context, pod, container);
  return [...(restarts === undefined ? [] : [restarts]), ...probeDrafts(context, pod, container)];
}

const initRunning = (context: RuleContext, pod: KubeObject, container: Container, since: number): Draft =>
  draftOf(context, {
    rule: 'pod.init-running',
    object: pod,
    container: container.name,
    severity: 'high',
    certainty: 'confirmed',
    title: 'pod.init-running',
    values: { container: container.name, age: ageText(since) },
    evidence: [shown(pod, container.where, `state: running, ready: ${container.ready}`)],
    checks: [logsStep(context.language, refOf(pod), container.name, false), describeStep(context.language, refOf(pod))],
    role: 'cause',
  });

/** Containers are ready, the pod is not: something outside the pod has to say so first (a load balancer, a mesh). */
function readinessGate(context: RuleContext, pod: KubeObject): readonly Draft[] {
  const ready = condition(pod.raw, 'Ready');
  if (isReady(pod) || str(ready, 'reason') !== 'ReadinessGatesNotReady') return [];
  const since = ageMs(context, isoMs(str(ready, 'lastTransitionTime')));
  if (since !== undefined && since < 60_000) return [];
  return [
    draftOf(context, {
      rule: 'pod.readiness-gate',
      object: pod,
      severity: 'high',
      certainty: 'confirmed',
      title: 'pod.gate-condition',
      detail: say(context, 'detail.quoted'),
      evidence: [shown(pod, 'status.conditions[Ready]', str(ready, 'message') || str(ready, 'reason'))],
      checks: [describeStep(context.language, refOf(pod))],
      role: 'cause',
      causeKey: idOf(pod),
    }),
  ];
}
