/** Names that kubectl accepts for a kind → the kind. Kinds that no rule reads need not be here. */
const KIND_BY_NAME: Readonly<Record<string, string>> = {
  pod: 'Pod',
  pods: 'Pod',
  po: 'Pod',
  deployment: 'Deployment',
  deployments: 'Deployment',
  deploy: 'Deployment',
  replicaset: 'ReplicaSet',
  replicasets: 'ReplicaSet',
  rs: 'ReplicaSet',
  statefulset: 'StatefulSet',
  statefulsets: 'StatefulSet',
  sts: 'StatefulSet',
  daemonset: 'DaemonSet',
  daemonsets: 'DaemonSet',
  ds: 'DaemonSet',
  job: 'Job',
  jobs: 'Job',
  cronjob: 'CronJob',
  cronjobs: 'CronJob',
  cj: 'CronJob',
  service: 'Service',
  services: 'Service',
  svc: 'Service',
  endpoints: 'Endpoints',
  ep: 'Endpoints',
  endpointslice: 'EndpointSlice',
  endpointslices: 'EndpointSlice',
  configmap: 'ConfigMap',
  configmaps: 'ConfigMap',
  cm: 'ConfigMap',
  secret: 'Secret',
  secrets: 'Secret',
  node: 'Node',
  nodes: 'Node',
  no: 'Node',
  persistentvolumeclaim: 'PersistentVolumeClaim',
  persistentvolumeclaims: 'PersistentVolumeClaim',
  pvc: 'PersistentVolumeClaim',
  persistentvolume: 'PersistentVolume',
  persistentvolumes: 'PersistentVolume',
  pv: 'PersistentVolume',
  ingress: 'Ingress',
  ingresses: 'Ingress',
  ing: 'Ingress',
  networkpolicy: 'NetworkPolicy',
  networkpolicies: 'NetworkPolicy',
  horizontalpodautoscaler: 'HorizontalPodAutoscaler',
  horizontalpodautoscalers: 'HorizontalPodAutoscaler',
  hpa: 'HorizontalPodAutoscaler',
  poddisruptionbudget: 'PodDisruptionBudget',
  poddisruptionbudgets: 'PodDisruptionBudget',
  pdb: 'PodDisruptionBudget',
  resourcequota: 'ResourceQuota',
  resourcequotas: 'ResourceQuota',
  quota: 'ResourceQuota',
  limitrange: 'LimitRange',
  limitranges: 'LimitRange',
  serviceaccount: 'ServiceAccount',
  serviceaccounts: 'ServiceAccount',
  sa: 'ServiceAccount',
  namespace: 'Namespace',
  namespaces: 'Namespace',
  ns: 'Namespace',
  storageclass: 'StorageClass',
  storageclasses: 'StorageClass',
  controllerrevision: 'ControllerRevision',
  controllerrevisions: 'ControllerRevision',
  replicationcontroller: 'ReplicationController',
  replicationcontrollers: 'ReplicationController',
  event: 'Event',
  events: 'Event',
  ev: 'Event',
};

const CLUSTER_SCOPED = new Set(['Node', 'PersistentVolume', 'Namespace', 'StorageClass']);

/** `po`, `pods`, `deployments.apps`, `PodList` → the kind; a name that is not known comes back as it is. */
export function kindOf(name: string): string {
  const first = name.split('.')[0] ?? name;
  const singular = first.endsWith('List') ? first.slice(0, -'List'.length) : first;
  const lower = singular.toLowerCase();
  return Object.hasOwn(KIND_BY_NAME, lower) ? (KIND_BY_NAME[lower] ?? singular) : singular;
}

export const isClusterScoped = (kind: string): boolean => CLUSTER_SCOPED.has(kind);

/** The name to use for a kind in a kubectl command. */
export const resourceName = (kind: string): string => kind.toLowerCase();
