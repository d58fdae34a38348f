/** A kind of object as kubectl knows it. */
export interface Kind {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  /** '' when it is not known, as for a custom resource whose file does not say. */
  readonly apiVersion: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
}

const row = (plural: string, kind: string, apiVersion: string, shortNames = '', namespaced = true): Kind => ({
  plural,
  singular: kind.toLowerCase(),
  kind,
  apiVersion,
  namespaced,
  shortNames: shortNames === '' ? [] : shortNames.split(' '),
});

/** The kinds that opsagent knows without asking a server. */
export const KINDS: readonly Kind[] = [
  row('pods', 'Pod', 'v1', 'po'),
  row('services', 'Service', 'v1', 'svc'),
  row('endpoints', 'Endpoints', 'v1', 'ep'),
  row('configmaps', 'ConfigMap', 'v1', 'cm'),
  row('secrets', 'Secret', 'v1'),
  row('events', 'Event', 'v1', 'ev'),
  row('replicationcontrollers', 'ReplicationController', 'v1', 'rc'),
  row('persistentvolumeclaims', 'PersistentVolumeClaim', 'v1', 'pvc'),
  row('resourcequotas', 'ResourceQuota', 'v1', 'quota'),
  row('limitranges', 'LimitRange', 'v1', 'limits'),
  row('serviceaccounts', 'ServiceAccount', 'v1', 'sa'),
  row('podtemplates', 'PodTemplate', 'v1'),
  row('nodes', 'Node', 'v1', 'no', false),
  row('namespaces', 'Namespace', 'v1', 'ns', false),
  row('persistentvolumes', 'PersistentVolume', 'v1', 'pv', false),
  row('componentstatuses', 'ComponentStatus', 'v1', 'cs', false),
  row('deployments', 'Deployment', 'apps/v1', 'deploy'),
  row('replicasets', 'ReplicaSet', 'apps/v1', 'rs'),
  row('statefulsets', 'StatefulSet', 'apps/v1', 'sts'),
  row('daemonsets', 'DaemonSet', 'apps/v1', 'ds'),
  row('controllerrevisions', 'ControllerRevision', 'apps/v1'),
  row('jobs', 'Job', 'batch/v1'),
  row('cronjobs', 'CronJob', 'batch/v1', 'cj'),
  row('horizontalpodautoscalers', 'HorizontalPodAutoscaler', 'autoscaling/v2', 'hpa'),
  row('poddisruptionbudgets', 'PodDisruptionBudget', 'policy/v1', 'pdb'),
  row('ingresses', 'Ingress', 'networking.k8s.io/v1', 'ing'),
  row('networkpolicies', 'NetworkPolicy', 'networking.k8s.io/v1', 'netpol'),
  row('ingressclasses', 'IngressClass', 'networking.k8s.io/v1', '', false),
  row('endpointslices', 'EndpointSlice', 'discovery.k8s.io/v1'),
  row('storageclasses', 'StorageClass', 'storage.k8s.io/v1', 'sc', false),
  row('volumeattachments', 'VolumeAttachment', 'storage.k8s.io/v1', '', false),
  row('csidrivers', 'CSIDriver', 'storage.k8s.io/v1', '', false),
  row('csinodes', 'CSINode', 'storage.k8s.io/v1', '', false),
  row('leases', 'Lease', 'coordination.k8s.io/v1'),
  row('roles', 'Role', 'rbac.authorization.k8s.io/v1'),
  row('rolebindings', 'RoleBinding', 'rbac.authorization.k8s.io/v1'),
  row('clusterroles', 'ClusterRole', 'rbac.authorization.k8s.io/v1', '', false),
  row('clusterrolebindings', 'ClusterRoleBinding', 'rbac.authorization.k8s.io/v1', '', false),
  row('priorityclasses', 'PriorityClass', 'scheduling.k8s.io/v1', 'pc', false),
  row('customresourcedefinitions', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1', 'crd crds', false),
  row('apiservices', 'APIService', 'apiregistration.k8s.io/v1', '', false),
  row('certificatesigningrequests', 'CertificateSigningRequest', 'certificates.k8s.io/v1', 'csr', false),
  row('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', 'admissionregistration.k8s.io/v1', '', false),
  row(
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    'admissionregistration.k8s.io/v1',
    '',
    false,
  ),
];

/** What `kubectl get all` means. */
export const ALL_CATEGORY = [
  'pods',
  'replicationcontrollers',
  'services',
  'daemonsets',
  'deployments',
  'replicasets',
  'statefulsets',
  'horizontalpodautoscalers',
  'cronjobs',
  'jobs',
];

/** The API group of a kind; '' for the core group. */
export const groupOf = (kind: Kind): string =>
  kind.apiVersion.includes('/') ? (kind.apiVersion.split('/')[0] ?? '') : '';

const WORDS = new Map(
  KINDS.flatMap((kind) => [kind.plural, kind.singular, ...kind.shortNames].map((word) => [word, kind] as const)),
);

/** The known kind that this plural stands for. */
export const knownKind = (plural: string): Kind | undefined =>
  KINDS.find((kind) => kind.plural === plural.replaceAll('-', ''));

/** A kind that opsagent does not know, such as a custom resource, made from the name of its file or from argv. */
export function customKind(plural: string): Kind {
  const bare = plural.split('.')[0] ?? plural;
  const singular = bare
    .replace(/ies$/, 'y')
    .replace(/(?<=(s|x|z|ch|sh))es$/, '')
    .replace(/(?<!s)s$/, '');
  const kind = singular.slice(0, 1).toUpperCase() + singular.slice(1);
  return { plural, singular, kind, apiVersion: '', namespaced: true, shortNames: [] };
}

/**
 * Finds the kind that a word of argv means: plural, singular or short name in any case, with or without `.group` or
 * `.version.group`. `recorded` are the kinds of a dump, which may hold more than the known ones. A word that nobody
 * knows becomes a custom kind of that name.
 */
export function resolveKind(word: string, recorded: readonly Kind[]): Kind {
  const lower = word.toLowerCase();
  const [bare = lower, ...rest] = lower.split('.');
  const group = rest.filter((part, index) => index > 0 || !/^v\d/.test(part)).join('.');
  const known = WORDS.get(bare);
  if (known !== undefined && (group === '' || isGroup(known, group))) return known;
  const custom = recorded.find((kind) => {
    const [plural = '', ...groupOfFile] = kind.plural.split('.');
    const sameName = plural === bare || kind.singular === bare || plural.replaceAll('-', '') === bare;
    return sameName && (group === '' || groupOfFile.length === 0 || groupOfFile.join('.') === group);
  });
  return custom ?? customKind(lower);
}

const isGroup = (kind: Kind, group: string): boolean =>
  groupOf(kind) === group || (kind.plural === 'events' && group === 'events.k8s.io');
