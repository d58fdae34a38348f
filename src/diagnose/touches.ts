import { type Cluster, isReady, relate } from './cluster.js';
import { at, list, num, str } from './json.js';
import { kindOf } from './kinds.js';
import type { KubeObject, Snapshot } from './snapshot.js';

/** Names that one line holds. */
const MAX_NAMES = 8;

/**
 * What a change of one object would touch, in lines for a person: its pods, the Services that have no other ready address, and
 * disruption budgets that allow fewer disruptions at present than it has of their pods. Without a namespace the object is looked for in all.
 */
export function touches(snapshot: Snapshot, kindName: string, name: string, namespace = ''): readonly string[] {
  const cluster = relate(snapshot);
  const kind = kindOf(kindName);
  const pods = podsOf(cluster, kind, name, namespace);
  if (pods === undefined) return [`pods: none that is known to belong to this ${kind}`];
  const unread = snapshot.gaps.map((gap) => `not read: ${gap.what || gap.quote}`.trimEnd());
  return [podsLine(pods), ...serviceLines(cluster, pods), ...budgetLines(cluster, pods), ...new Set(unread)];
}

/** Undefined for a kind that has no pods. */
function podsOf(cluster: Cluster, kind: string, name: string, namespace: string): readonly KubeObject[] | undefined {
  const isIt = (object: { readonly name: string; readonly namespace: string }) =>
    object.name === name && (namespace === '' || object.namespace === namespace);
  const pods = cluster.ofKind('Pod');
  switch (kind) {
    case 'Pod':
      return pods.filter(isIt);
    case 'Node':
      return pods.filter((pod) => str(pod.raw, 'spec', 'nodeName') === name && pod.owner?.kind !== 'DaemonSet');
    case 'Service':
      return cluster.ofKind('Service').filter(isIt).flatMap(cluster.selectedBy);
    case 'Deployment':
    case 'ReplicaSet':
    case 'StatefulSet':
    case 'DaemonSet':
    case 'ReplicationController':
    case 'Job':
      return pods.filter((pod) => cluster.owners(pod).some((owner) => owner.kind === kind && isIt(owner)));
    default:
      return undefined;
  }
}

function podsLine(pods: readonly KubeObject[]): string {
  const ready = pods.filter(isReady);
  const names = [...pods]
    .sort((a, b) => Number(isReady(b)) - Number(isReady(a)))
    .slice(0, MAX_NAMES)
    .map((pod) => `${pod.name}${isReady(pod) ? '' : ' (not ready)'}`);
  const more = pods.length > MAX_NAMES ? ` and ${pods.length - MAX_NAMES} more` : '';
  return pods.length === 0 ? 'pods: none' : `pods: ${pods.length}, ${ready.length} ready: ${names.join(', ')}${more}`;
}

/** Services all of whose ready addresses are among the pods. */
function serviceLines(cluster: Cluster, pods: readonly KubeObject[]): string[] {
  const touched = new Set(pods.map((pod) => pod.id));
  const services = new Map(pods.flatMap((pod) => cluster.servicesOf(pod)).map((service) => [service.id, service]));
  return [...services.values()].flatMap((service) => {
    const ready = cluster.selectedBy(service).filter(isReady);
    const left = ready.filter((pod) => !touched.has(pod.id));
    if (ready.length === 0) return [`Service ${service.name}: has no ready address now`];
    if (left.length > 0)
      return [`Service ${service.name}: ${left.length} of ${ready.length} ready addresses are elsewhere`];
    return [`Service ${service.name}: all its ready addresses (${ready.length}) are these pods`];
  });
}

function budgetLines(cluster: Cluster, pods: readonly KubeObject[]): string[] {
  return cluster.ofKind('PodDisruptionBudget').flatMap((budget) => {
    const covered = pods.filter((pod) => pod.namespace === budget.namespace && isSelected(budget, pod));
    const allowed = num(budget.raw, 'status', 'disruptionsAllowed');
    if (covered.length === 0 || (allowed ?? 0) >= covered.length) return [];
    const most =
      allowed === undefined
        ? 'does not say how many disruptions it allows'
        : `allows ${allowed} disruption${allowed === 1 ? '' : 's'} now`;
    return [`PodDisruptionBudget ${budget.name}: ${most} (${covered.length} of these pods)`];
  });
}

/** A label selector with `matchLabels` and `matchExpressions`, as the Kubernetes API defines it; an empty one selects all. */
function isSelected(budget: KubeObject, pod: KubeObject): boolean {
  const labels = at(budget.raw, 'spec', 'selector', 'matchLabels') ?? {};
  const byLabels = Object.entries(labels as object).every(([key, value]) => pod.labels[key] === value);
  return byLabels && list(budget.raw, 'spec', 'selector', 'matchExpressions').every((one) => meets(pod, one));
}

function meets({ labels }: KubeObject, expression: Parameters<typeof str>[0]): boolean {
  const key = str(expression, 'key');
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const isListed = value !== undefined && list(expression, 'values').includes(value);
  switch (str(expression, 'operator')) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
