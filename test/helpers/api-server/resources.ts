import type { KubeObject } from './objects.js';

/** One kind of resource that the server serves in one version. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly subresources: readonly string[];
  readonly categories: readonly string[];
}

/** group/version plural kind scope short-names subresources (`-` for none); a leading `*` of the kind puts it into the category `all`. */
const TABLE = `
v1 bindings Binding namespaced - -
v1 configmaps ConfigMap namespaced cm -
v1 endpoints Endpoints namespaced ep -
v1 events Event namespaced ev -
v1 limitranges LimitRange namespaced limits -
v1 namespaces Namespace cluster ns status,finalize
v1 nodes Node cluster no status
v1 persistentvolumeclaims PersistentVolumeClaim namespaced pvc status
v1 persistentvolumes PersistentVolume cluster pv status
v1 pods *Pod namespaced po status,log,eviction,exec,attach,portforward,ephemeralcontainers
v1 replicationcontrollers *ReplicationController namespaced rc status,scale
v1 resourcequotas ResourceQuota namespaced quota status
v1 secrets Secret namespaced - -
v1 serviceaccounts ServiceAccount namespaced sa -
v1 services *Service namespaced svc status
apps/v1 controllerrevisions ControllerRevision namespaced - -
apps/v1 daemonsets *DaemonSet namespaced ds status
apps/v1 deployments *Deployment namespaced deploy status,scale
apps/v1 replicasets *ReplicaSet namespaced rs status,scale
apps/v1 statefulsets *StatefulSet namespaced sts status,scale
authorization.k8s.io/v1 selfsubjectaccessreviews SelfSubjectAccessReview cluster - -
autoscaling/v2 horizontalpodautoscalers *HorizontalPodAutoscaler namespaced hpa status
autoscaling/v1 horizontalpodautoscalers *HorizontalPodAutoscaler namespaced hpa status
batch/v1 cronjobs *CronJob namespaced cj status
batch/v1 jobs *Job namespaced - status
discovery.k8s.io/v1 endpointslices EndpointSlice namespaced - -
events.k8s.io/v1 events Event namespaced ev -
metrics.k8s.io/v1beta1 nodes NodeMetrics cluster - -
metrics.k8s.io/v1beta1 pods PodMetrics namespaced - -
networking.k8s.io/v1 ingressclasses IngressClass cluster - -
networking.k8s.io/v1 ingresses Ingress namespaced ing status
networking.k8s.io/v1 networkpolicies NetworkPolicy namespaced netpol -
policy/v1 poddisruptionbudgets PodDisruptionBudget namespaced pdb status
rbac.authorization.k8s.io/v1 clusterrolebindings ClusterRoleBinding cluster - -
rbac.authorization.k8s.io/v1 clusterroles ClusterRole cluster - -
rbac.authorization.k8s.io/v1 rolebindings RoleBinding namespaced - -
rbac.authorization.k8s.io/v1 roles Role namespaced - -
storage.k8s.io/v1 csidrivers CSIDriver cluster - -
storage.k8s.io/v1 storageclasses StorageClass cluster sc -
storage.k8s.io/v1 volumeattachments VolumeAttachment cluster - -
`;

const items = (text: string | undefined): string[] =>
  text === undefined || text === '-' || text === '' ? [] : text.split(',');

const splitApiVersion = (apiVersion: string): { group: string; version: string } => {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
};

function parseRow(row: string): ResourceType {
  const [apiVersion = '', plural = '', markedKind = '', scope, shortNames, subresources] = row.split(' ');
  const kind = markedKind.replace('*', '');
  return {
    ...splitApiVersion(apiVersion),
    plural,
    kind,
    singular: kind.toLowerCase(),
    namespaced: scope === 'namespaced',
    shortNames: items(shortNames),
    subresources: items(subresources),
    categories: markedKind.startsWith('*') ? ['all'] : [],
  };
}

/** The types every server knows; the preferred version of a group comes first. */
export const BUILT_IN_TYPES: readonly ResourceType[] = TABLE.trim().split('\n').map(parseRow);

/** `v1` or `apps/v1`. */
export const apiVersionOf = (type: ResourceType): string =>
  type.group === '' ? type.version : `${type.group}/${type.version}`;

/** `pods` or `deployments.apps`, as error messages name a resource. */
export const qualifiedName = (type: ResourceType): string =>
  type.group === '' ? type.plural : `${type.plural}.${type.group}`;

/** Where objects of this type are stored: the same place for all versions, and for both APIs of events. */
export const bucketOf = (type: ResourceType): string =>
  type.plural === 'events' && type.group === 'events.k8s.io' ? '/events' : `${type.group}/${type.plural}`;

/** The type of an object by kind and, when several groups have that kind, by its apiVersion's group. */
export function typeOfObject(
  types: readonly ResourceType[],
  object: { apiVersion: string; kind: string },
): ResourceType | undefined {
  const sameKind = types.filter((type) => type.kind.toLowerCase() === object.kind.toLowerCase());
  const { group } = splitApiVersion(object.apiVersion);
  return sameKind.find((type) => type.group === group) ?? (object.apiVersion === '' ? sameKind[0] : undefined);
}

/** A type for a custom resource, made up from its first object. */
export function customType(object: KubeObject): ResourceType {
  const singular = object.kind.toLowerCase();
  return {
    ...splitApiVersion(object.apiVersion),
    plural: singular.endsWith('s') ? singular : singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`,
    kind: object.kind,
    singular,
    namespaced: object.metadata.namespace !== undefined,
    shortNames: [],
    subresources: [],
    categories: [],
  };
}
