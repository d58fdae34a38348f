import { ageOf, type Column, pairs } from './cells.js';
import {
  accessModes,
  endpointAddresses,
  eventObject,
  externalAddress,
  hpaTargets,
  jobStatus,
  namesOf,
  nodeAddress,
  nodeRoles,
  nodeStatus,
  readyOf,
  servicePorts,
} from './column-values.js';
import { at, fieldsAt, type KubeObject, listAt, numberAt, textAt } from './objects.js';
import { podReady, podRestarts, podStatus } from './pod-summary.js';

type Value = Column['value'];

const column = (name: string, value: Value): Column => ({ name, value });
const wide = (name: string, value: Value): Column => ({ name, value, wide: true });
const path =
  (...keys: string[]): Value =>
  (object) =>
    textAt(object, ...keys) || '<none>';
const count =
  (...keys: string[]): Value =>
  (object) =>
    numberAt(object, ...keys);
const size =
  (field: string): Value =>
  (object) =>
    Object.keys(fieldsAt(object, field)).length;

const NAME = column('Name', path('metadata', 'name'));
const AGE = column('Age', (object) => ageOf(object.metadata.creationTimestamp));
const containersOf = (object: KubeObject): unknown[] => listAt(object, 'spec', 'template', 'spec', 'containers');
const SELECTOR = wide('Selector', (object) => pairs(at(object, 'spec', 'selector', 'matchLabels')));
const CONTAINERS = [
  wide('Containers', (object) => namesOf(containersOf(object), 'name')),
  wide('Images', (object) => namesOf(containersOf(object), 'image')),
];

/** The server-side columns by kind; a kind that is not here has Name and Age. */
export const COLUMNS: Record<string, readonly Column[]> = {
  Pod: [
    NAME,
    column('Ready', podReady),
    column('Status', podStatus),
    column('Restarts', podRestarts),
    AGE,
    wide('IP', path('status', 'podIP')),
    wide('Node', path('spec', 'nodeName')),
    wide('Nominated Node', path('status', 'nominatedNodeName')),
    wide('Readiness Gates', () => '<none>'),
  ],
  Deployment: [
    NAME,
    column('Ready', readyOf('spec', 'replicas')),
    column('Up-to-date', count('status', 'updatedReplicas')),
    column('Available', count('status', 'availableReplicas')),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  ReplicaSet: [
    NAME,
    column('Desired', count('spec', 'replicas')),
    column('Current', count('status', 'replicas')),
    column('Ready', count('status', 'readyReplicas')),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  StatefulSet: [NAME, column('Ready', readyOf('spec', 'replicas')), AGE, ...CONTAINERS],
  DaemonSet: [
    NAME,
    column('Desired', count('status', 'desiredNumberScheduled')),
    column('Current', count('status', 'currentNumberScheduled')),
    column('Ready', count('status', 'numberReady')),
    column('Up-to-date', count('status', 'updatedNumberScheduled')),
    column('Available', count('status', 'numberAvailable')),
    column('Node Selector', (object) => pairs(at(object, 'spec', 'template', 'spec', 'nodeSelector'))),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ],
  Job: [
    NAME,
    column('Status', jobStatus),
    column('Completions', (job) => `${numberAt(job, 'status', 'succeeded')}/${numberAt(job, 'spec', 'completions')}`),
    column('Duration', (job) =>
      ageOf(at(job, 'status', 'startTime'), Date.parse(textAt(job, 'status', 'completionTime')) || Date.now()),
    ),
    AGE,
    ...CONTAINERS,
  ],
  CronJob: [
    NAME,
    column('Schedule', path('spec', 'schedule')),
    column('Timezone', path('spec', 'timeZone')),
    column('Suspend', (job) => (at(job, 'spec', 'suspend') === true ? 'True' : 'False')),
    column('Active', (job) => listAt(job, 'status', 'active').length),
    column('Last Schedule', (job) => ageOf(at(job, 'status', 'lastScheduleTime')).replace('<unknown>', '<none>')),
    AGE,
  ],
  Service: [
    NAME,
    column('Type', path('spec', 'type')),
    column('Cluster-IP', path('spec', 'clusterIP')),
    column('External-IP', externalAddress),
    column('Port(s)', servicePorts),
    AGE,
    wide('Selector', (object) => pairs(at(object, 'spec', 'selector'))),
  ],
  Endpoints: [NAME, column('Endpoints', endpointAddresses), AGE],
  Node: [
    NAME,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    AGE,
    column('Version', path('status', 'nodeInfo', 'kubeletVersion')),
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    wide('OS-Image', path('status', 'nodeInfo', 'osImage')),
    wide('Kernel-Version', path('status', 'nodeInfo', 'kernelVersion')),
    wide('Container-Runtime', path('status', 'nodeInfo', 'containerRuntimeVersion')),
  ],
  Event: [
    column('Last Seen', (event) => ageOf(at(event, 'lastTimestamp') ?? at(event, 'eventTime'))),
    column('Type', path('type')),
    column('Reason', path('reason')),
    column('Object', eventObject),
    wide('Subobject', (event) => textAt(event, 'involvedObject', 'fieldPath')),
    wide('Source', (event) => textAt(event, 'source', 'component')),
    column('Message', (event) => textAt(event, 'message').trim()),
    wide('Count', (event) => numberAt(event, 'count') || 1),
    wide('Name', path('metadata', 'name')),
  ],
  Namespace: [NAME, column('Status', path('status', 'phase')), AGE],
  ConfigMap: [NAME, column('Data', size('data')), AGE],
  Secret: [NAME, column('Type', path('type')), column('Data', size('data')), AGE],
  Ingress: [
    NAME,
    column('Class', path('spec', 'ingressClassName')),
    column('Hosts', (object) => namesOf(listAt(object, 'spec', 'rules'), 'host') || '*'),
    column('Address', (object) => namesOf(listAt(object, 'status', 'loadBalancer', 'ingress'), 'ip')),
    column('Ports', (object) => (listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    AGE,
  ],
  HorizontalPodAutoscaler: [
    NAME,
    column(
      'Reference',
      (hpa) => `${textAt(hpa, 'spec', 'scaleTargetRef', 'kind')}/${textAt(hpa, 'spec', 'scaleTargetRef', 'name')}`,
    ),
    column('Targets', hpaTargets),
    column('MinPods', count('spec', 'minReplicas')),
    column('MaxPods', count('spec', 'maxReplicas')),
    column('Replicas', count('status', 'currentReplicas')),
    AGE,
  ],
  PersistentVolumeClaim: [
    NAME,
    column('Status', path('status', 'phase')),
    column('Volume', (claim) => textAt(claim, 'spec', 'volumeName')),
    column('Capacity', (claim) => textAt(claim, 'status', 'capacity', 'storage')),
    column('Access Modes', accessModes),
    column('StorageClass', (claim) => textAt(claim, 'spec', 'storageClassName')),
    AGE,
  ],
  PodDisruptionBudget: [
    NAME,
    column('Min Available', (budget) => textAt(budget, 'spec', 'minAvailable') || 'N/A'),
    column('Max Unavailable', (budget) => textAt(budget, 'spec', 'maxUnavailable') || 'N/A'),
    column('Allowed Disruptions', count('status', 'disruptionsAllowed')),
    AGE,
  ],
};
