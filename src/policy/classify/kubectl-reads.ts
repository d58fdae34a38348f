import { isKnownText } from './known-texts.js';
import type { KubectlCall, Takes } from './kubectl-call.js';
import { printsValues, readsSecrets } from './kubectl-call.js';
import { high, low, type Mark, type Maybe, medium } from './verdict.js';

/** How one verb is read. */
export interface Verb {
  /** Options of the verb, beside the global ones. */
  readonly flags: string;
  readonly takes: Takes;
  readonly changes: boolean;
  /** Its change can be taken back with kubectl. */
  readonly reversible?: boolean;
  /** The first mark is the risk that the verb has at least. */
  readonly marks: (call: KubectlCall) => readonly [Mark, ...Maybe[]];
}

export const PRINT = '-o,--output= --template= --show-managed-fields --allow-missing-template-keys';
export const FILES = '-f,--filename= -k,--kustomize= -R,--recursive';
export const PICK = '-l,--selector= -A,--all-namespaces --field-selector=';

const reads = (takes: Takes, flags: string, marks: Verb['marks'] = () => [low()]): Verb => ({
  flags,
  takes,
  changes: false,
  marks,
});

/** Sub-resources of a path that pass a request on, or run something. */
const PASSES_ON = /[/\\](proxy|exec|attach|portforward)([/\\?#;]|$)/i;

/** The API server decodes a path before it reads it; one that cannot be decoded, or holds a code twice, is not known. */
function passesOn(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path.split('?', 1)[0] ?? '');
    return PASSES_ON.test(decoded) || decoded.includes('%');
  } catch {
    return true;
  }
}

function getMarks(call: KubectlCall): [Mark, ...Maybe[]] {
  const raw = call.values('--raw');
  const isKnown = call.values('--output', '--template').every(isKnownText);
  return [
    low(),
    readsSecrets(call) && printsValues(call) && !isKnown && medium('it may print the values of Secrets'),
    raw.length > 0 && medium('it reads any path of the API, values of Secrets too'),
    raw.some(passesOn) && high('it sends a request through the API server to a program behind it'),
  ];
}

const TOP = '--containers --no-headers --sort-by= --sum --use-protocol-buffers --show-capacity --show-swap';

/** The verbs that read. */
export const READS: Readonly<Record<string, Verb>> = {
  get: reads(
    'objects',
    `${PRINT} ${FILES} ${PICK} --chunk-size= --ignore-not-found -L,--label-columns= --no-headers --output-watch-events --raw=
    --server-print --show-kind --show-labels --sort-by= --subresource= -w,--watch --watch-only`,
    getMarks,
  ),
  describe: reads('objects', `${FILES} ${PICK} --chunk-size= --show-events`),
  explain: reads('nothing', '--api-version= -o,--output= --recursive'),
  'top pod': reads('nothing', `${PICK} ${TOP}`),
  'top pods': reads('nothing', `${PICK} ${TOP}`),
  'top node': reads('nothing', `${PICK} ${TOP}`),
  'top nodes': reads('nothing', `${PICK} ${TOP}`),
  logs: reads(
    'pod',
    `${PICK} --all-containers --all-pods -c,--container= -f,--follow --ignore-errors !--insecure-skip-tls-verify-backend
    --limit-bytes= --max-log-requests= --pod-running-timeout= --prefix -p,--previous --since= --since-time= --tail= --timestamps`,
  ),
  events: reads('nothing', `${PRINT} ${PICK} --chunk-size= --for= --no-headers --types= -w,--watch`),
  'api-resources': reads(
    'nothing',
    '--api-group= --cached --categories= --namespaced --no-headers -o,--output= --sort-by= --verbs=',
  ),
  'api-versions': reads('nothing', ''),
  version: reads('nothing', '--client --short -o,--output='),
  'cluster-info': reads('nothing', ''),
  'cluster-info dump': reads(
    'nothing',
    `${PRINT} -A,--all-namespaces --namespaces= --output-directory= --pod-running-timeout=`,
    (call) => [
      medium('it prints much of the cluster, logs included'),
      call.values('--output-directory').some((folder) => folder !== '-') && high('it writes files on this machine'),
    ],
  ),
  wait: reads('objects', `${PRINT} ${PICK} -f,--filename= -R,--recursive --all --for= --local --timeout=`),
  diff: reads(
    'objects',
    `${FILES} ${PICK} --concurrency= --field-manager= --force-conflicts --prune --prune-allowlist= --server-side --show-managed-fields`,
    () => [medium('it shows what is in the cluster beside the manifest')],
  ),
  kustomize: reads(
    'nothing',
    `!--as-current-user !--enable-alpha-plugins !--enable-exec !--enable-star !--enable-helm -e,--env= --helm-api-versions=
    !--helm-command= --helm-debug --helm-kube-version= --load-restrictor= !--mount= !--network !--network-name= -o,--output=`,
    (call) => [
      low(),
      call.words.some((word) => /:\/\/|\?ref=|github\.com|^[^/]*@/.test(word)) &&
        medium('it fetches a kustomization from another host'),
      call.values('--output').length > 0 && high('it writes files on this machine'),
    ],
  ),
  'auth can-i': reads('nothing', '-A,--all-namespaces --list --no-headers -q,--quiet --subresource='),
  'auth whoami': reads('nothing', PRINT),
  'config view': reads('nothing', `${PRINT} --flatten --merge --minify --raw`, (call) => [
    low(),
    call.on('--raw', '--flatten') && medium('it prints the credentials of the kubeconfig'),
  ]),
  'config get-contexts': reads('nothing', '--no-headers -o,--output='),
  'config current-context': reads('nothing', ''),
  'config get-clusters': reads('nothing', ''),
  'config get-users': reads('nothing', ''),
  'rollout status': reads('objects', `${FILES} ${PICK} --revision= --timeout= -w,--watch`),
  'rollout history': reads('objects', `${FILES} ${PRINT} ${PICK} --revision=`),
  'apply view-last-applied': reads('objects', `${FILES} ${PICK} --all -o,--output=`, (call) => [
    low(),
    readsSecrets(call) && medium('it may print the values of Secrets'),
  ]),
  plugin: reads('nothing', '--name-only'),
  'plugin list': reads('nothing', '--name-only'),
  options: reads('nothing', ''),
  help: reads('nothing', ''),
  completion: reads('nothing', ''),
};
