import { createHash, randomBytes } from 'node:crypto';
import { podSpecWithDefaults } from './defaults.js';
import {
  canonical,
  controllerOf,
  type Fields,
  fieldsAt,
  type KubeObject,
  labelsAt,
  listAt,
  numberAt,
  textAt,
  timestamp,
} from './objects.js';

/** How a pod that the controller starts turns out; a pending one is on no node. */
export type PodOutcome = 'ready' | 'crash-loop' | 'pending';

const HASH_LABEL = 'pod-template-hash';
/** The annotation that numbers the revisions of a deployment. */
export const REVISION = 'deployment.kubernetes.io/revision';

const suffix = (bytes: number): string => randomBytes(bytes).toString('hex');

const ownerOf = (object: KubeObject): Fields => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  name: object.metadata.name,
  uid: object.metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** The template in a form in which equal ones are equal text: without the hash label, with defaults. */
function comparableTemplate(object: KubeObject): string {
  const { [HASH_LABEL]: _hash, ...labels } = labelsAt(object, 'spec', 'template', 'metadata', 'labels');
  const annotations = labelsAt(object, 'spec', 'template', 'metadata', 'annotations');
  return canonical({ labels, annotations, spec: podSpecWithDefaults(fieldsAt(object, 'spec', 'template', 'spec')) });
}

/** Whether a ReplicaSet was made from the present template of this deployment. */
export const sameTemplate = (deployment: KubeObject, replicaSet: KubeObject): boolean =>
  comparableTemplate(deployment) === comparableTemplate(replicaSet);

/** Whether this owner controls that object. */
export const controls = (owner: KubeObject, object: KubeObject): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

/** The revision number of a deployment or ReplicaSet, or 0. */
export const revisionOf = (object: KubeObject): number => Number(object.metadata.annotations?.[REVISION] ?? 0);

/** A new ReplicaSet for the present template of a deployment. */
export function newReplicaSet(deployment: KubeObject, revision: number): KubeObject {
  const hash = createHash('sha256').update(comparableTemplate(deployment)).digest('hex').slice(0, 10);
  const template: Fields = structuredClone(fieldsAt(deployment, 'spec', 'template'));
  const labels = { ...labelsAt(template, 'metadata', 'labels'), [HASH_LABEL]: hash };
  template.metadata = { ...fieldsAt(template, 'metadata'), labels };
  const annotations: Record<string, string> = { [REVISION]: String(revision) };
  const cause = deployment.metadata.annotations?.['kubernetes.io/change-cause'];
  if (cause !== undefined) annotations['kubernetes.io/change-cause'] = cause;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace ?? 'default',
      uid: '',
      resourceVersion: '',
      creationTimestamp: timestamp(new Date()),
      labels,
      annotations,
      ownerReferences: [ownerOf(deployment)],
    },
    spec: {
      replicas: numberAt(deployment, 'spec', 'replicas'),
      selector: { matchLabels: { ...labelsAt(deployment, 'spec', 'selector', 'matchLabels'), [HASH_LABEL]: hash } },
      template,
    },
    status: { replicas: 0 },
  };
}

function containerStatus(container: unknown, outcome: Exclude<PodOutcome, 'pending'>): Fields {
  const now = timestamp(new Date());
  const states: Record<typeof outcome, Fields> = {
    ready: { running: { startedAt: now } },
    'crash-loop': { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' } },
  };
  const failed = { terminated: { exitCode: 1, reason: 'Error', startedAt: now, finishedAt: now } };
  return {
    name: textAt(container, 'name'),
    image: textAt(container, 'image'),
    imageID: '',
    ready: outcome === 'ready',
    started: outcome === 'ready',
    restartCount: outcome === 'crash-loop' ? 1 : 0,
    state: states[outcome],
    lastState: outcome === 'crash-loop' ? failed : {},
  };
}

function podStatusOf(spec: Fields, outcome: PodOutcome): Fields {
  const now = timestamp(new Date());
  const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: now });
  if (outcome === 'pending') {
    const message = '0/1 nodes are available: 1 node(s) were unschedulable.';
    const unscheduled = { ...condition('PodScheduled', 'False'), reason: 'Unschedulable', message };
    return { phase: 'Pending', conditions: [unscheduled], qosClass: 'BestEffort' };
  }
  const ready = outcome === 'ready' ? 'True' : 'False';
  return {
    phase: 'Running',
    conditions: [
      condition('PodScheduled', 'True'),
      condition('Initialized', 'True'),
      condition('ContainersReady', ready),
      condition('Ready', ready),
    ],
    podIP: `10.244.0.${randomBytes(1)[0] ?? 1}`,
    startTime: now,
    qosClass: 'BestEffort',
    containerStatuses: listAt(spec, 'containers').map((container) => containerStatus(container, outcome)),
  };
}

/** A pod of this owner (ReplicaSet, StatefulSet, DaemonSet) on that node; without a name it gets a random one. */
export function newPod(
  owner: KubeObject,
  options: { name?: string; nodeName: string; outcome: PodOutcome },
): KubeObject {
  const template = fieldsAt(owner, 'spec', 'template');
  const place = options.outcome === 'pending' ? {} : { nodeName: options.nodeName };
  const spec: Fields = { ...fieldsAt(template, 'spec'), ...place };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: options.name ?? `${owner.metadata.name}-${suffix(3).slice(0, 5)}`,
      namespace: owner.metadata.namespace ?? 'default',
      uid: '',
      resourceVersion: '',
      creationTimestamp: timestamp(new Date()),
      labels: labelsAt(template, 'metadata', 'labels'),
      annotations: labelsAt(template, 'metadata', 'annotations'),
      ownerReferences: [ownerOf(owner)],
    },
    spec,
    status: podStatusOf(spec, options.outcome),
  };
}
