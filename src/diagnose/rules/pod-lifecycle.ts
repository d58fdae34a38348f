import { ageText, type Draft, draftOf, type RuleContext, refOf, say, shown } from '../draft.js';
import { list, num, str } from '../json.js';
import { plainLine } from '../plain-text.js';
import type { KubeObject } from '../snapshot.js';
import { describeStep, getStep, step } from '../steps.js';
import { isoMs } from '../times.js';

/** deletionTimestamp already includes the grace period; this much more is normal. */
const TERMINATING_SLACK_MS = 60_000;

const nodeId = (name: string): readonly string[] => (name === '' ? [] : [`Node//${name}`]);

/**
 * Pods that are going, gone or lost. undefined: nothing to say and no reason to look at the containers;
 * `look-further`: the pod is a normal one.
 */
export function lifecycleDraft(context: RuleContext, pod: KubeObject): Draft | undefined | 'look-further' {
  const status = pod.raw.status;
  const reason = str(status, 'reason');
  const node = str(pod.raw, 'spec', 'nodeName');
  if (reason === 'NodeLost' || str(status, 'phase') === 'Unknown') return nodeLost(context, pod, node);
  const deletionMs = isoMs(str(pod.raw, 'metadata', 'deletionTimestamp'));
  if (deletionMs !== undefined) {
    const late = context.nowMs - deletionMs;
    return late > TERMINATING_SLACK_MS ? terminating(context, pod, node, late) : undefined;
  }
  if (reason === 'Evicted') return evicted(context, pod, node);
  if (str(status, 'phase') === 'Failed' && reason !== '') return failed(context, pod, reason);
  return 'look-further';
}

const nodeLost = (context: RuleContext, pod: KubeObject, node: string): Draft =>
  draftOf(context, {
    rule: 'pod.node-lost',
    object: pod,
    severity: 'high',
    certainty: 'confirmed',
    title: 'pod.node-lost',
    values: { node: plainLine(node) || '?' },
    evidence: [
      shown(
        pod,
        'status',
        `phase: ${str(pod.raw, 'status', 'phase')}, reason: ${str(pod.raw, 'status', 'reason') || '-'}`,
      ),
    ],
    checks: node === '' ? [] : [describeStep(context.language, { kind: 'Node', namespace: '', name: node })],
    role: 'cause',
    causedBy: nodeId(node),
    causeKey: node,
  });

function terminating(context: RuleContext, pod: KubeObject, node: string, lateMs: number): Draft {
  const finalizers = list(pod.raw, 'metadata', 'finalizers')
    .filter((f) => typeof f === 'string')
    .map(plainLine);
  return draftOf(context, {
    rule: 'pod.terminating',
    object: pod,
    severity: 'medium',
    certainty: 'confirmed',
    title: 'pod.terminating',
    values: { age: ageText(lateMs) },
    detail:
      finalizers.length > 0
        ? say(context, 'detail.finalizers', { names: finalizers.slice(0, 5).join(', ') })
        : say(context, 'detail.kubelet-silent'),
    evidence: [shown(pod, 'metadata', `deletionTimestamp: ${str(pod.raw, 'metadata', 'deletionTimestamp')}`)],
    checks:
      finalizers.length > 0
        ? [step(context.language, 'step.finalizers', {})]
        : [describeStep(context.language, { kind: 'Node', namespace: '', name: node })],
    role: 'cause',
    causedBy: nodeId(node),
  });
}

/** What is left of a pod that its workload has replaced long since. */
function isReplaced(context: RuleContext, pod: KubeObject): boolean {
  const owner = context.cluster.get(context.cluster.top(pod));
  const wanted = num(owner?.raw, 'spec', 'replicas') ?? num(owner?.raw, 'status', 'desiredNumberScheduled');
  const ready = num(owner?.raw, 'status', 'readyReplicas') ?? num(owner?.raw, 'status', 'numberReady');
  return wanted !== undefined && ready !== undefined && ready >= wanted;
}

const evicted = (context: RuleContext, pod: KubeObject, node: string): Draft =>
  draftOf(context, {
    rule: 'pod.evicted',
    object: pod,
    severity: isReplaced(context, pod) ? 'low' : 'medium',
    certainty: 'confirmed',
    title: 'pod.evicted',
    detail: say(context, 'detail.quoted'),
    evidence: [shown(pod, 'status.message', str(pod.raw, 'status', 'message') || 'reason: Evicted')],
    checks: node === '' ? [] : [describeStep(context.language, { kind: 'Node', namespace: '', name: node })],
    role: 'cause',
    causedBy: nodeId(node),
    causeKey: node,
  });

const failed = (context: RuleContext, pod: KubeObject, reason: string): Draft =>
  draftOf(context, {
    rule: 'pod.failed',
    object: pod,
    severity: isReplaced(context, pod) ? 'low' : 'medium',
    certainty: 'confirmed',
    title: 'pod.failed',
    values: { reason: plainLine(reason) },
    detail: say(context, 'detail.quoted'),
    evidence: [shown(pod, 'status', str(pod.raw, 'status', 'message') || `reason: ${reason}`)],
    checks: [
      describeStep(context.language, refOf(pod)),
      getStep(context.language, 'step.events', {}, { kind: 'events', namespace: pod.namespace, name: '' }),
    ],
    role: 'cause',
    causeKey: reason,
  });
