import { type Draft, draftOf, type Rule, type RuleContext, refOf, say, shown } from '../draft.js';
import { at, list, str } from '../json.js';
import { plainLine, quoteOf } from '../plain-text.js';
import { idOf, type KubeObject } from '../snapshot.js';
import { describeStep } from '../steps.js';

const PRESSURE = new Set(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable']);

/** Nodes that are not ready, under pressure, or closed to new pods. */
export const nodeRule: Rule = (context) => context.cluster.ofKind('Node').flatMap((node) => judgeNode(context, node));

function judgeNode(context: RuleContext, node: KubeObject): readonly Draft[] {
  const pods = context.cluster.ofKind('Pod').filter((p) => str(p.raw, 'spec', 'nodeName') === node.name);
  const conditions = list(node.raw, 'status', 'conditions').flatMap((c) => {
    const type = str(c, 'type');
    const status = str(c, 'status');
    const said = `${type}=${status} ${str(c, 'reason')}: ${str(c, 'message')}`;
    if (type === 'Ready') return status === 'True' ? [] : [conditionDraft(context, node, pods, type, said)];
    // Other types exist (node-problem-detector); True means a problem there too, Unknown says only that the kubelet is silent.
    return status === 'True' ? [conditionDraft(context, node, pods, type, said)] : [];
  });
  return at(node.raw, 'spec', 'unschedulable') === true ? [...conditions, cordoned(context, node)] : conditions;
}

function conditionDraft(
  context: RuleContext,
  node: KubeObject,
  pods: readonly KubeObject[],
  type: string,
  said: string,
): Draft {
  const ready = type === 'Ready';
  // Pods that run there are not ill because of pressure alone; a node that is gone takes its pods with it.
  const reach = ready
    ? pods.flatMap((p) => [
        p.id,
        ...context.cluster.owners(p).map(idOf),
        ...context.cluster.servicesOf(p).map((s) => s.id),
      ])
    : [];
  return draftOf(context, {
    rule: ready ? 'node.not-ready' : 'node.pressure',
    object: node,
    severity: ready ? 'critical' : PRESSURE.has(type) ? 'high' : 'low',
    certainty: 'confirmed',
    title: ready ? 'node.not-ready' : 'node.pressure',
    values: { type: quoteOf(type, 60) },
    detail: say(context, 'detail.node-pods', { count: pods.length }),
    evidence: [shown(node, `status.conditions[${plainLine(type)}]`, said)],
    checks: [describeStep(context.language, refOf(node))],
    role: 'cause',
    reach,
    causeKey: type,
  });
}

const cordoned = (context: RuleContext, node: KubeObject): Draft =>
  draftOf(context, {
    rule: 'node.cordoned',
    object: node,
    severity: 'info',
    certainty: 'confirmed',
    title: 'node.cordoned',
    evidence: [shown(node, 'spec', 'unschedulable: true')],
    checks: [],
    role: 'cause',
    causeKey: 'cordoned',
  });
