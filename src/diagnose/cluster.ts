import { isObject, str, strings } from './json.js';
import { idOf, type KubeEvent, type KubeObject, type Snapshot } from './snapshot.js';
import type { ObjectRef } from './types.js';

/** The snapshot with its relations: who owns whom, which pods a service selects, which events are about what. */
export interface Cluster {
  readonly objects: readonly KubeObject[];
  readonly events: readonly KubeEvent[];
  get(ref: ObjectRef): KubeObject | undefined;
  ofKind(kind: string): readonly KubeObject[];
  /** Objects of a kind in a namespace. */
  inNamespace(kind: string, namespace: string): readonly KubeObject[];
  /** Controllers above an object, nearest first. One that was not read is still named. */
  owners(object: KubeObject): readonly ObjectRef[];
  /** The last of `owners`, or the object itself. */
  top(object: KubeObject): ObjectRef;
  /** Pods that a workload owns, at any depth. */
  podsOf(owner: ObjectRef): readonly KubeObject[];
  selectedBy(service: KubeObject): readonly KubeObject[];
  /** Services whose selector a pod carries. */
  servicesOf(pod: KubeObject): readonly KubeObject[];
  /** Workloads whose pod template a service would select. */
  workloadsFor(service: KubeObject): readonly KubeObject[];
  /** Services that would select the pods of a workload's template. */
  servicesForTemplate(workload: KubeObject): readonly KubeObject[];
  /** Events about an object, newest first. Events of an earlier object of the same name are left out. */
  eventsOf(object: ObjectRef & { readonly uid?: string }): readonly KubeEvent[];
  /** Whether every object of the kind in the namespace was listed, without a filter. */
  listedAll(kind: string, namespace: string): boolean;
}

/** Builds the relations once; every look-up after that is a map look-up. */
export function relate(snapshot: Snapshot): Cluster {
  const byId = new Map(snapshot.objects.map((o) => [o.id, o]));
  const byPlace = groupBy(snapshot.objects, (o) => `${o.kind}/${o.namespace}`);
  const byKind = groupBy(snapshot.objects, (o) => o.kind);
  const eventsById = groupBy(snapshot.events, (e) => idOf(e.about));
  const owners = (object: KubeObject): readonly ObjectRef[] => ownerChain(object, byId);
  const podsByOwner = new Map<string, KubeObject[]>();
  for (const pod of byKind.get('Pod') ?? []) {
    for (const owner of owners(pod)) append(podsByOwner, idOf(owner), pod);
  }
  const services = (byKind.get('Service') ?? []).filter((s) => Object.keys(selectorOf(s)).length > 0);
  const servicesByNamespace = groupBy(services, (s) => s.namespace);
  const inNamespace = (kind: string, namespace: string) => byPlace.get(`${kind}/${namespace}`) ?? [];
  return {
    objects: snapshot.objects,
    events: snapshot.events,
    get: (ref) => byId.get(idOf(ref)),
    ofKind: (kind) => byKind.get(kind) ?? [],
    inNamespace,
    owners,
    top: (object) => owners(object).at(-1) ?? object,
    podsOf: (owner) => podsByOwner.get(idOf(owner)) ?? [],
    selectedBy: (service) => {
      const selector = selectorOf(service);
      if (Object.keys(selector).length === 0) return [];
      return inNamespace('Pod', service.namespace).filter((pod) => carries(pod.labels, selector));
    },
    servicesOf: (pod) =>
      (servicesByNamespace.get(pod.namespace) ?? []).filter((service) => carries(pod.labels, selectorOf(service))),
    workloadsFor: (service) =>
      WORKLOADS.flatMap((kind) => inNamespace(kind, service.namespace)).filter((w) =>
        carries(templateLabels(w), selectorOf(service)),
      ),
    servicesForTemplate: (workload) =>
      (servicesByNamespace.get(workload.namespace) ?? []).filter((s) =>
        carries(templateLabels(workload), selectorOf(s)),
      ),
    eventsOf: (object) =>
      (eventsById.get(idOf(object)) ?? [])
        .filter((e) => !object.uid || e.aboutUid === '' || e.aboutUid === object.uid)
        .sort((a, b) => b.timeMs - a.timeMs),
    listedAll: (kind, namespace) =>
      snapshot.listings.some((l) => l.kind === kind && l.complete && (l.namespace === '' || l.namespace === namespace)),
  };
}

const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet'];

const templateLabels = (workload: KubeObject): Readonly<Record<string, string>> =>
  strings(workload.raw, 'spec', 'template', 'metadata', 'labels');

/** `spec.selector` of a service. */
export const selectorOf = (service: KubeObject): Readonly<Record<string, string>> =>
  strings(service.raw, 'spec', 'selector');

/** Whether labels hold every pair of a selector. */
export const carries = (
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>>,
): boolean => Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);

function ownerChain(object: KubeObject, byId: ReadonlyMap<string, KubeObject>): readonly ObjectRef[] {
  const chain: ObjectRef[] = [];
  const seen = new Set([object.id]);
  let current: KubeObject | undefined = object;
  while (current?.owner !== undefined && chain.length < 8) {
    const { kind, name, uid }: NonNullable<KubeObject['owner']> = current.owner;
    const ref: ObjectRef = { kind, namespace: kind === 'Node' ? '' : current.namespace, name };
    const found = byId.get(idOf(ref));
    // Another object may have taken the name since.
    const same: KubeObject | undefined =
      found !== undefined && (uid === '' || found.uid === '' || found.uid === uid) ? found : undefined;
    if (seen.has(idOf(ref))) break;
    seen.add(idOf(ref));
    chain.push(ref);
    if (same === undefined && kind === 'ReplicaSet') chain.push(...deploymentBehind(current, name, byId));
    current = same;
  }
  return chain;
}

/** The deployment of a ReplicaSet that was not read: its name is the ReplicaSet's without the hash the pod also carries. */
function deploymentBehind(
  pod: KubeObject,
  replicaSet: string,
  byId: ReadonlyMap<string, KubeObject>,
): readonly ObjectRef[] {
  const hash = pod.labels['pod-template-hash'];
  if (hash === undefined || !replicaSet.endsWith(`-${hash}`)) return [];
  const ref = { kind: 'Deployment', namespace: pod.namespace, name: replicaSet.slice(0, -hash.length - 1) };
  return byId.has(idOf(ref)) ? [ref] : [];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) append(groups, keyOf(item), item);
  return groups;
}

function append<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** Whether a pod has the condition Ready=True. */
export function isReady(pod: KubeObject): boolean {
  const status = pod.raw.status;
  const conditions = isObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  return conditions.some((c) => str(c, 'type') === 'Ready' && str(c, 'status') === 'True');
}
