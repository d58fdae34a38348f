/** Short and plural names of the kinds that the rules below speak of; kubectl takes them in any case, with a group or without. */
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    pod: 'po pods',
    node: 'no nodes',
    namespace: 'ns namespaces',
    secret: 'secrets',
    configmap: 'cm configmaps',
    service: 'svc services',
    endpoints: 'ep endpoint',
    event: 'ev events',
    deployment: 'deploy deployments',
    replicaset: 'rs replicasets',
    replicationcontroller: 'rc replicationcontrollers',
    statefulset: 'sts statefulsets',
    daemonset: 'ds daemonsets',
    job: 'jobs',
    cronjob: 'cj cronjobs',
    ingress: 'ing ingresses',
    serviceaccount: 'sa serviceaccounts',
    persistentvolume: 'pv persistentvolumes',
    persistentvolumeclaim: 'pvc persistentvolumeclaims',
    storageclass: 'sc storageclasses',
    customresourcedefinition: 'crd crds customresourcedefinitions',
    clusterrole: 'clusterroles',
    clusterrolebinding: 'clusterrolebindings',
    role: 'roles',
    rolebinding: 'rolebindings',
    certificatesigningrequest: 'csr certificatesigningrequests',
    horizontalpodautoscaler: 'hpa horizontalpodautoscalers',
    networkpolicy: 'netpol networkpolicies',
    poddisruptionbudget: 'pdb poddisruptionbudgets',
    priorityclass: 'pc priorityclasses',
    apiservice: 'apiservices',
    validatingwebhookconfiguration: 'validatingwebhookconfigurations',
    mutatingwebhookconfiguration: 'mutatingwebhookconfigurations',
  }).flatMap(([name, others]) => [name, ...others.split(' ')].map((other) => [other, name] as const)),
);

/** `deployment` for `deploy`, `Deployments.apps`; an unknown kind as it is, in small letters, with its group. */
export function kindOf(text: string): string {
  const lower = text.toLowerCase();
  const plain = lower.split('.', 1)[0] as string;
  return Object.hasOwn(NAMES, plain) ? (NAMES[plain] as string) : lower;
}

/** Deleting one of these takes more along than itself. */
export const LOSSES: Readonly<Record<string, string>> = {
  namespace: 'a namespace takes every object in it along',
  persistentvolumeclaim: 'the data on the volume may be lost for good',
  persistentvolume: 'the data on the volume may be lost for good',
  customresourcedefinition: 'a definition takes all objects of its kind along, in every namespace',
  node: 'the pods of a node are lost with it, and it does not come back by itself',
};

/** Whoever changes one of these changes something for the whole cluster, or who may do what. */
export const CLUSTER_KINDS: readonly string[] = [
  ...[
    'namespace',
    'node',
    'persistentvolume',
    'storageclass',
    'customresourcedefinition',
    'apiservice',
    'priorityclass',
  ],
  ...['clusterrole', 'clusterrolebinding', 'role', 'rolebinding', 'serviceaccount', 'certificatesigningrequest'],
  ...['networkpolicy', 'validatingwebhookconfiguration', 'mutatingwebhookconfiguration'],
];

/** What the words after a verb name: `pod/x`, `pods a b`, `deploy,svc`, `deploy/web svc/web`. */
export interface Objects {
  readonly kinds: readonly string[];
  /** `pod/a`; a kind alone where no object is named. */
  readonly targets: readonly string[];
  /** How many objects are named. */
  readonly named: number;
}

/** Reads the words after a verb that takes KIND NAME… or KIND/NAME…. */
export function objectsOf(words: readonly string[]): Objects {
  const [first = '', ...names] = words;
  if (words.some((word) => word.includes('/'))) {
    const pairs = words.map((word) => {
      const slash = word.indexOf('/');
      return slash < 0 ? [kindOf(word), ''] : [kindOf(word.slice(0, slash)), word.slice(slash + 1)];
    });
    const targets = pairs.map(([kind, name]) => (name === '' ? `${kind}` : `${kind}/${name}`));
    return { kinds: pairs.map(([kind]) => `${kind}`), targets, named: targets.filter((t) => t.includes('/')).length };
  }
  const kinds = first === '' ? [] : first.split(',').map(kindOf);
  const targets = kinds.flatMap((kind) => (names.length === 0 ? [kind] : names.map((name) => `${kind}/${name}`)));
  return { kinds, targets, named: kinds.length * names.length };
}
