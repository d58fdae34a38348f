import type { KubectlCall, Takes } from './kubectl-call.js';
import { CLUSTER_KINDS, LOSSES } from './kubectl-kinds.js';
import { FILES, PICK, PRINT, type Verb } from './kubectl-reads.js';
import { critical, high, type Maybe, medium } from './verdict.js';

export const SAVE = '--dry-run --field-manager= --save-config --validate';
const SET = `${FILES} ${PICK} ${PRINT} ${SAVE} --all --local --overwrite --resource-version=`;
export const REPLACE = '--cascade --force --grace-period= --timeout= --wait';
const CREATE = `${PRINT} ${SAVE} --append-hash`;

/** More replicas than this can use up the nodes; the limit of kubectl_scale. */
const MANY_REPLICAS = 50;

type Extra = (call: KubectlCall) => readonly Maybe[];

interface More {
  readonly takes?: Takes;
  readonly reversible?: boolean;
  readonly marks?: Extra;
}

/** A verb that changes something, which cannot be taken back unless it says so. */
export const changes = (
  reason: string,
  flags: string,
  { takes = 'objects', reversible = false, marks }: More = {},
): Verb => ({
  flags,
  takes,
  changes: true,
  reversible,
  marks: (call) => [
    high(reason),
    takes !== 'nothing' && call.scope === 'all' && critical('it changes objects that nobody named'),
    ...(marks?.(call) ?? []),
  ],
});

const undoable = (reason: string, flags: string, marks?: Extra, takes: Takes = 'objects'): Verb =>
  changes(reason, flags, { takes, reversible: true, ...(marks && { marks }) });

const ofClusterKinds = (call: KubectlCall): Maybe =>
  call.kinds.some((kind) => CLUSTER_KINDS.includes(kind)) &&
  critical('it changes something that the whole cluster depends on, or who may do what');

const labelMarks = (call: KubectlCall): Maybe[] => [
  call.kinds.some((kind) => kind === 'node' || kind === 'namespace') &&
    critical('labels of nodes and namespaces decide where pods run and which policies hold for them'),
];

const replacing = (call: KubectlCall): Maybe[] => [
  call.on('--force') && critical('it deletes the object and makes it again'),
  call.on('--prune') && critical('it deletes objects that the manifests do not have'),
  call.values('--grace-period').some((value) => Number(value) === 0) &&
    critical('it does not wait for processes to end'),
];

function deleteMarks(call: KubectlCall): Maybe[] {
  const loss = call.kinds.map((kind) => (Object.hasOwn(LOSSES, kind) ? LOSSES[kind] : undefined)).find(Boolean);
  const skipsGrace = call.on('--force', '--now') || call.values('--grace-period').some((value) => Number(value) === 0);
  return [
    loss !== undefined && critical(loss),
    call.values('--raw').length > 0 && critical('it deletes whatever a path of the API names'),
    call.scope === 'selector' && critical('it deletes every object that a selector meets'),
    call.scope === 'unknown' && critical('it deletes whatever the manifest names'),
    skipsGrace && critical('it does not wait for the process to end, which can damage its data'),
    call.kinds.some((kind) => kind !== 'pod') &&
      critical('the definition of the object is lost, unless it is kept elsewhere'),
  ];
}

function scaleMarks(call: KubectlCall): Maybe[] {
  const counts = call.values('--replicas').map(Number);
  return [
    counts.some((count) => count === 0) && critical('zero replicas stop the workload completely'),
    counts.some((count) => count > MANY_REPLICAS) &&
      critical('so many replicas can use up the nodes and push other pods out'),
    !(counts.length > 0 && counts.every((count) => count >= 0)) && critical('it does not say how many replicas'),
  ];
}

const patchMarks = (call: KubectlCall): Maybe[] => [
  call.values('--patch').some((text) => /finalizers/i.test(text)) &&
    critical('without its finalizers an object is gone before it was cleaned up'),
  ofClusterKinds(call),
];

const onRights = (what: string): Verb =>
  changes(
    `it creates ${what}`,
    `${CREATE} --verb= --resource= --resource-name= --non-resource-url= --aggregation-rule= --clusterrole= --role= --serviceaccount= --group= --user=`,
    {
      takes: 'nothing',
      marks: () => [critical('it changes who may do what in the cluster')],
    },
  );

/** The verbs that change objects. */
export const CHANGES: Readonly<Record<string, Verb>> = {
  delete: changes(
    'it deletes; a controller, if there is one, makes a pod again',
    `${FILES} ${PICK} --all --cascade --dry-run --force --grace-period= --ignore-not-found -i,--interactive --now -o,--output= --raw= --timeout= --wait`,
    {
      marks: deleteMarks,
    },
  ),
  create: changes('it creates objects', `${FILES} ${CREATE} -l,--selector= --edit --raw= --windows-line-endings`, {
    takes: 'nothing',
  }),
  'create clusterrole': onRights('a role'),
  'create clusterrolebinding': onRights('a binding'),
  'create role': onRights('a role'),
  'create rolebinding': onRights('a binding'),
  'create serviceaccount': changes('it creates an account', CREATE, { takes: 'nothing' }),
  'create token': changes(
    'it makes a credential',
    `${PRINT} --audience= --bound-object-kind= --bound-object-name= --bound-object-uid= --duration=`,
    { takes: 'nothing' },
  ),
  'create namespace': changes('it creates a namespace', CREATE, { takes: 'nothing' }),
  'create configmap': changes('it creates a ConfigMap', `${CREATE} --from-env-file= --from-file= --from-literal=`, {
    takes: 'nothing',
  }),
  'create secret': changes(
    'it sets a Secret',
    `${CREATE} --from-env-file= --from-file= --from-literal= --type= --cert= --key= --docker-email= --docker-password= --docker-server= --docker-username=`,
    { takes: 'nothing' },
  ),
  'create deployment': changes('it starts pods', `${CREATE} --image= --port= -r,--replicas=`, { takes: 'nothing' }),
  'create job': changes('it starts a job', `${CREATE} --image= --from=`, { takes: 'nothing' }),
  'create cronjob': changes('it starts jobs again and again', `${CREATE} --image= --restart= --schedule=`, {
    takes: 'nothing',
  }),
  apply: changes(
    'it creates or changes objects',
    `${FILES} ${PRINT} ${SAVE} ${REPLACE} -l,--selector= --all --force-conflicts --openapi-patch --overwrite --prune --prune-allowlist= --server-side --subresource=`,
    {
      takes: 'nothing',
      marks: replacing,
    },
  ),
  replace: changes('it replaces objects', `${FILES} ${PRINT} ${SAVE} ${REPLACE} --raw= --subresource=`, {
    takes: 'nothing',
    marks: replacing,
  }),
  patch: changes(
    'it changes objects',
    `${FILES} ${PRINT} ${SAVE} --local -p,--patch= --patch-file= --subresource= --type=`,
    { marks: patchMarks },
  ),
  edit: changes(
    'it changes objects in an editor',
    `${FILES} ${PRINT} ${SAVE} --output-patch --subresource= --windows-line-endings`,
    { marks: (call) => [ofClusterKinds(call)] },
  ),
  label: undoable('it changes labels', `${SET} --list`, labelMarks, 'settings'),
  annotate: undoable('it changes annotations', `${SET} --list`, labelMarks, 'settings'),
  taint: undoable(
    'it changes where pods may run',
    `${PRINT} ${SAVE} -l,--selector= --all --overwrite`,
    (call) => [
      call.words.some((word) => /:NoExecute$/.test(word)) &&
        critical('NoExecute ends the pods that do not tolerate it'),
    ],
    'settings',
  ),
  scale: undoable(
    'it changes how many pods run',
    `${FILES} ${PRINT} ${PICK} --all --current-replicas= --dry-run --replicas= --resource-version= --timeout=`,
    scaleMarks,
  ),
  autoscale: changes(
    'it lets the number of pods change by itself',
    `${FILES} ${PRINT} ${SAVE} --cpu= --cpu-percent= --memory= --max= --min= --name=`,
  ),
  expose: changes(
    'it opens a way to pods',
    `${FILES} ${PRINT} ${SAVE} --cluster-ip= --external-ip= -l,--labels= --load-balancer-ip= --name= --override-type= --overrides= --port= --protocol= --selector= --session-affinity= --target-port= --type=`,
  ),
  drain: undoable(
    'it evicts pods',
    `-l,--selector= --chunk-size= --delete-emptydir-data --delete-local-data --disable-eviction --dry-run --force --grace-period= --ignore-daemonsets --pod-selector= --skip-wait-for-delete-timeout= --timeout=`,
    () => [critical('it ends every pod of a node')],
    'nodes',
  ),
  cordon: undoable(
    'it keeps new pods away',
    '--dry-run -l,--selector=',
    (call) => [call.scope === 'selector' && critical('it closes every node that a selector meets')],
    'nodes',
  ),
  uncordon: undoable('it lets new pods onto a node', '--dry-run -l,--selector=', undefined, 'nodes'),
  'certificate approve': changes('it answers a request', `${FILES} ${PRINT} --force`, {
    takes: 'nothing',
    marks: () => [critical('it gives somebody an identity in the cluster')],
  }),
  'certificate deny': changes('it refuses a request', `${FILES} ${PRINT} --force`, { takes: 'nothing' }),
  'auth reconcile': changes(
    'it changes roles',
    `${FILES} ${PRINT} --dry-run --remove-extra-permissions --remove-extra-subjects`,
    {
      takes: 'nothing',
      marks: () => [critical('it changes who may do what in the cluster')],
    },
  ),
  'rollout restart': changes('it replaces pods one after the other', `${FILES} ${PRINT} ${PICK} --field-manager=`),
  'rollout pause': undoable('it stops a rollout', `${FILES} ${PRINT} ${PICK} --field-manager=`),
  'rollout resume': undoable('it lets a rollout go on', `${FILES} ${PRINT} ${PICK} --field-manager=`),
  'rollout undo': undoable('it returns to an earlier revision', `${FILES} ${PRINT} ${PICK} --dry-run --to-revision=`),
  'set image': undoable('it changes what pods run', SET, undefined, 'settings'),
  'set env': changes(
    'it changes what pods run',
    `${SET} -c,--containers= -e,--env= --from= --keys= --list --prefix= --resolve`,
    {
      takes: 'settings',
      marks: (call) => [call.on('--list') && medium('it prints values of environment variables')],
    },
  ),
  'set resources': undoable(
    'it changes limits',
    `${SET} -c,--containers= --limits= --requests=`,
    undefined,
    'settings',
  ),
  'set selector': undoable('it changes which pods are meant', SET, undefined, 'settings'),
  'set serviceaccount': undoable('it changes the rights of pods', SET, undefined, 'settings'),
  'set subject': changes('it changes a binding', `${SET} --group= --serviceaccount= --user=`, {
    marks: () => [critical('it changes who may do what in the cluster')],
  }),
};
