import {
  conditionOf,
  controllerOf,
  type Fields,
  fieldsAt,
  type KubeObject,
  numberAt,
  textAt,
  timestamp,
} from './objects.js';
import type { ResourceType } from './resources.js';
import type { Change, Store } from './store.js';
import { controls, newPod, newReplicaSet, type PodOutcome, REVISION, revisionOf, sameTemplate } from './workloads.js';

/** What the controller does to pods it starts, and how long it waits before it acts, in milliseconds. */
export interface ControllerOptions {
  readonly delayMs: number;
  readonly outcome: (pod: { namespace: string; owner: string }) => PodOutcome;
}

const podReady = (pod: KubeObject): boolean => textAt(conditionOf(pod, 'Ready'), 'status') === 'True';

function withStatus(object: KubeObject, status: Fields): KubeObject {
  const observed = { observedGeneration: numberAt(object, 'metadata', 'generation') };
  return { ...object, status: { ...fieldsAt(object, 'status'), ...observed, ...status } };
}

function deploymentConditions(name: string, ready: boolean): Fields[] {
  const now = timestamp(new Date());
  const times = { lastUpdateTime: now, lastTransitionTime: now };
  return [
    {
      type: 'Available',
      status: ready ? 'True' : 'False',
      reason: ready ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      ...times,
    },
    {
      type: 'Progressing',
      status: 'True',
      reason: ready ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated',
      message: `ReplicaSet "${name}" ${ready ? 'has successfully progressed.' : 'is progressing.'}`,
      ...times,
    },
  ];
}

interface Context {
  readonly store: Store;
  readonly options: ControllerOptions;
  readonly types: Record<'pod' | 'node' | 'deployment' | 'replicaSet' | 'statefulSet' | 'daemonSet', ResourceType>;
}

const namespaceOf = (object: KubeObject): string => object.metadata.namespace ?? '';

/** A node that takes pods; the empty string when there are nodes and none of them does. */
function freeNode({ store, types }: Context): string {
  const nodes = store.list(types.node);
  const open = nodes.find((node) => fieldsAt(node, 'spec').unschedulable !== true);
  return nodes.length === 0 ? 'node-1' : (open?.metadata.name ?? '');
}

const podsOf = ({ store, types }: Context, owner: KubeObject): KubeObject[] =>
  store
    .list(types.pod, namespaceOf(owner))
    .filter((pod) => controls(owner, pod) && pod.metadata.deletionTimestamp === undefined);

function startPod(context: Context, owner: KubeObject, place: { name?: string; nodeName?: string } = {}): void {
  const nodeName = place.nodeName ?? freeNode(context);
  const wanted = context.options.outcome({ namespace: namespaceOf(owner), owner: owner.metadata.name });
  const outcome = nodeName === '' ? 'pending' : wanted;
  context.store.put(context.types.pod, newPod(owner, { ...place, nodeName, outcome }));
}

function scaleReplicaSet(context: Context, replicaSet: KubeObject, replicas: number): KubeObject {
  const { store, types } = context;
  const pods = podsOf(context, replicaSet);
  for (const pod of pods.slice(replicas)) store.remove(types.pod, namespaceOf(pod), pod.metadata.name);
  for (let missing = replicas - pods.length; missing > 0; missing -= 1) startPod(context, replicaSet);
  const readyReplicas = podsOf(context, replicaSet).filter(podReady).length;
  const spec = { ...fieldsAt(replicaSet, 'spec'), replicas };
  const status = { replicas, readyReplicas, availableReplicas: readyReplicas, fullyLabeledReplicas: replicas };
  return store.put(types.replicaSet, withStatus({ ...replicaSet, spec }, status));
}

/** Gives an object the annotation of its revision. */
const numbered = (object: KubeObject, revision: number): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [REVISION]: String(revision) } },
});

function reconcileDeployment(context: Context, deployment: KubeObject): void {
  const { store, types } = context;
  const owned = store.list(types.replicaSet, namespaceOf(deployment)).filter((item) => controls(deployment, item));
  const newest = Math.max(0, revisionOf(deployment), ...owned.map(revisionOf));
  const found = owned.find((replicaSet) => sameTemplate(deployment, replicaSet));
  const revision = found !== undefined && revisionOf(found) === newest ? Math.max(1, newest) : newest + 1;
  const current = store.put(types.replicaSet, numbered(found ?? newReplicaSet(deployment, revision), revision));
  for (const old of owned.filter((item) => item.metadata.uid !== current.metadata.uid)) {
    scaleReplicaSet(context, old, 0);
  }
  const replicas = numberAt(deployment, 'spec', 'replicas');
  const readyReplicas = numberAt(scaleReplicaSet(context, current, replicas), 'status', 'readyReplicas');
  const status = {
    replicas,
    updatedReplicas: replicas,
    readyReplicas,
    availableReplicas: readyReplicas,
    unavailableReplicas: replicas - readyReplicas,
    conditions: deploymentConditions(current.metadata.name, readyReplicas >= replicas),
  };
  store.put(types.deployment, withStatus(numbered(deployment, revision), status));
}

function finishRollout({ store, types }: Context, type: ResourceType, changed: KubeObject): void {
  const object = store.get(type, namespaceOf(changed), changed.metadata.name);
  if (object === undefined) return;
  if (type === types.daemonSet) {
    const desired = numberAt(object, 'status', 'desiredNumberScheduled');
    const done = { updatedNumberScheduled: desired, numberReady: desired, numberAvailable: desired };
    store.put(type, withStatus(object, done));
    return;
  }
  const replicas = numberAt(object, 'spec', 'replicas');
  const hash = `${object.metadata.name}-${numberAt(object, 'metadata', 'generation')}`;
  const done = { replicas, readyReplicas: replicas, updatedReplicas: replicas, availableReplicas: replicas };
  store.put(type, withStatus(object, { ...done, currentRevision: hash, updateRevision: hash }));
}

function restorePod(context: Context, pod: KubeObject): void {
  const { store, types } = context;
  const owner = controllerOf(pod);
  const namespace = namespaceOf(pod);
  if (owner?.kind === 'ReplicaSet') {
    const replicaSet = store.get(types.replicaSet, namespace, owner.name);
    if (replicaSet === undefined) return;
    scaleReplicaSet(context, replicaSet, numberAt(replicaSet, 'spec', 'replicas'));
    const parent = controllerOf(replicaSet);
    const deployment = parent === undefined ? undefined : store.get(types.deployment, namespace, parent.name);
    if (deployment !== undefined) reconcileDeployment(context, deployment);
  } else if (owner?.kind === 'StatefulSet') {
    const set = store.get(types.statefulSet, namespace, owner.name);
    const exists = store.get(types.pod, namespace, pod.metadata.name) !== undefined;
    if (set !== undefined && !exists) startPod(context, set, { name: pod.metadata.name });
  } else if (owner?.kind === 'DaemonSet') {
    const set = store.get(types.daemonSet, namespace, owner.name);
    if (set !== undefined) startPod(context, set, { nodeName: textAt(pod, 'spec', 'nodeName') });
  }
}

function specChanged({ object, previous }: Change): boolean {
  const generation = numberAt(object, 'metadata', 'generation');
  const observed = numberAt(object, 'status', 'observedGeneration');
  return generation !== numberAt(previous, 'metadata', 'generation') || generation !== observed;
}

function react(context: Context, change: Change): void {
  const { store, types } = context;
  const { object, bucket } = change;
  if (bucket === '/pods' && change.type === 'DELETED') restorePod(context, object);
  else if (change.type === 'DELETED' || !specChanged(change)) return;
  else if (bucket === 'apps/statefulsets') finishRollout(context, types.statefulSet, object);
  else if (bucket === 'apps/daemonsets') finishRollout(context, types.daemonSet, object);
  else if (bucket === 'apps/deployments') {
    const deployment = store.get(types.deployment, namespaceOf(object), object.metadata.name);
    if (deployment !== undefined) reconcileDeployment(context, deployment);
  }
}

/**
 * The smallest useful controllers: ReplicaSets and pods follow a changed Deployment, deleted pods of a workload come
 * back. They act only on changes made after the start, so a loaded dump stays as it is until somebody writes.
 * Returns a function that stops them.
 */
export function startControllers(store: Store, options: ControllerOptions): () => void {
  const types = {
    pod: store.type('', 'pods'),
    node: store.type('', 'nodes'),
    deployment: store.type('apps', 'deployments'),
    replicaSet: store.type('apps', 'replicasets'),
    statefulSet: store.type('apps', 'statefulsets'),
    daemonSet: store.type('apps', 'daemonsets'),
  };
  const timers = new Set<NodeJS.Timeout>();
  const unsubscribe = store.subscribe(store.revision(), (change) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      react({ store, options, types }, change);
    }, options.delayMs);
    timers.add(timer);
  });
  return () => {
    unsubscribe();
    for (const timer of timers) clearTimeout(timer);
  };
}
