import type { Cluster } from './cluster.js';
import { list, str } from './json.js';
import { idOf, type KubeObject } from './snapshot.js';
import type { ObjectRef } from './types.js';

/** Kinds a person may mean by the name of a service. The first that exists is "the" kind. */
export const TARGET_KINDS = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Service',
  'Job',
  'CronJob',
  'ReplicaSet',
  'Pod',
] as const;

const NAME_LABELS = ['app.kubernetes.io/name', 'app.kubernetes.io/instance', 'app', 'k8s-app'];

/** Objects of that name; failing that, pods that carry it as their app label, or whose name begins with it. */
export function rootsOf(cluster: Cluster, name: string, namespaces: readonly string[]): readonly KubeObject[] {
  const inScope = (o: KubeObject): boolean => namespaces.length === 0 || namespaces.includes(o.namespace);
  const candidates = TARGET_KINDS.flatMap((kind) => cluster.ofKind(kind)).filter(inScope);
  const exact = candidates.filter((o) => o.name === name);
  if (exact.length > 0) return exact;
  const pods = candidates.filter((o) => o.kind === 'Pod');
  const labelled = pods.filter((p) => NAME_LABELS.some((label) => p.labels[label] === name));
  return labelled.length > 0 ? labelled : pods.filter((p) => p.name.startsWith(`${name}-`));
}

/** The pods behind objects: owned, selected, or the objects themselves. */
export function podsBehind(cluster: Cluster, roots: readonly KubeObject[]): readonly KubeObject[] {
  const pods = roots.flatMap((root) =>
    root.kind === 'Pod' ? [root] : root.kind === 'Service' ? cluster.selectedBy(root) : cluster.podsOf(root),
  );
  return [...new Map(pods.map((p) => [p.id, p])).values()];
}

/** Ids of everything that has to do with the roots: pods, their owners, services, claims and nodes. */
export function idsAround(cluster: Cluster, roots: readonly KubeObject[]): ReadonlySet<string> {
  const pods = podsBehind(cluster, roots);
  const around: ObjectRef[] = [
    ...roots,
    ...roots.flatMap((root) => [
      ...cluster.owners(root),
      ...cluster.servicesForTemplate(root),
      ...(root.kind === 'Service' ? cluster.workloadsFor(root) : []),
    ]),
    ...cluster.ofKind('ReplicaSet').filter((rs) => cluster.owners(rs).some((o) => roots.some((r) => r.id === idOf(o)))),
    ...cluster.ofKind('Job').filter((job) => cluster.owners(job).some((o) => roots.some((r) => r.id === idOf(o)))),
    ...pods.flatMap((pod) => [pod, ...cluster.owners(pod), ...cluster.servicesOf(pod), ...claimsAndNode(pod)]),
  ];
  return new Set(around.map(idOf));
}

function claimsAndNode(pod: KubeObject): readonly ObjectRef[] {
  const claims = list(pod.raw, 'spec', 'volumes')
    .map((v) => str(v, 'persistentVolumeClaim', 'claimName'))
    .filter((name) => name !== '')
    .map((name) => ({ kind: 'PersistentVolumeClaim', namespace: pod.namespace, name }));
  const node = str(pod.raw, 'spec', 'nodeName');
  return node === '' ? claims : [...claims, { kind: 'Node', namespace: '', name: node }];
}
