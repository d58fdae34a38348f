import type { Classification } from '../../domain/types.js';
import { flagTable, isOn, type Parsed, valuesOf } from './flags.js';
import { changes, draftOf, entryOf, reads, splitVerb, UNDO, type Verb } from './verbs.js';
import { conclude, critical, low, type Maybe, medium } from './verdict.js';

/** Options that every verb takes, before or after it. */
const GLOBAL = `!--kube-context= !--kubeconfig= !--kube-apiserver= !--kube-token= !--kube-as-user= !--kube-as-group= !--kube-ca-file=
  !--kube-tls-server-name= !--kube-insecure-skip-tls-verify !--registry-config= !--repository-config= !--repository-cache= --debug
  -n,--namespace= --burst-limit= --qps= -h,--help --color= --colour=`;
const GLOBALS = flagTable(GLOBAL);
const GROUPS = [
  'get',
  'show',
  'inspect',
  'search',
  'repo',
  'dependency',
  'dep',
  'plugin',
  'registry',
  'completion',
  'diff',
];
const PINS = ['--kube-context'];

const CHART = `!--ca-file= !--cert-file= !--key-file= !--insecure-skip-tls-verify !--plain-http !--pass-credentials !--username= !--password=
  !--repo= !--keyring= --verify --version= --devel`;
const VALUES = '-f,--values= --set= --set-file= --set-json= --set-literal= --set-string=';
const RELEASE = `${CHART} ${VALUES} !--post-renderer= !--post-renderer-args= -a,--api-versions= --atomic --rollback-on-failure --cleanup-on-fail
  --create-namespace --dependency-update --description= --disable-openapi-validation --dry-run --enable-dns --force --force-replace
  --force-conflicts --server-side --history-max= -i,--install -l,--labels= --no-hooks -o,--output= --render-subchart-notes --replace
  --reset-values --reset-then-reuse-values --reuse-values --skip-crds --skip-schema-validation --timeout= --wait --wait-for-jobs
  --hide-notes --hide-secret --take-ownership -g,--generate-name --name-template=`;

const exposes = (): Maybe[] => [medium('values and manifests may hold passwords')];
const forces = (call: Parsed): Maybe[] => [
  isOn(call, '--force', '--force-replace', '--replace') && critical('it deletes objects and makes them again'),
  isOn(call, '--take-ownership', '--force-conflicts') &&
    critical('it takes objects over that belong to something else'),
];
const uninstall = changes(
  'all',
  'it removes a release',
  '--cascade= --description= --dry-run --ignore-not-found --keep-history --no-hooks --timeout= --wait',
  () => [critical('it deletes every object of the release')],
);
const show = reads('first', CHART);
const LIST = `-a,--all -A,--all-namespaces -d,--date --deployed --failed -f,--filter= -m,--max= --no-headers --offset= -o,--output= --pending
  -r,--reverse -l,--selector= -q,--short --superseded --time-format= --uninstalled --uninstalling`;
const STATUS = '-o,--output= --revision= --show-desc --show-resources --template= -a,--all';
const diff = reads(
  'first',
  `${RELEASE} --no-color -C,--context= --detailed-exitcode --suppress= --suppress-secrets --show-secrets`,
  exposes,
);
const template: Verb = {
  ...reads(
    'all',
    `${RELEASE} --include-crds --is-upgrade --kube-version= --output-dir= --release-name -s,--show-only= --skip-tests --validate`,
  ),
  marks: (call) => [
    low('it renders a chart, and changes nothing'),
    valuesOf(call, '--output-dir').length > 0 && critical('it writes files over what is there'),
  ],
};

const VERBS: Readonly<Record<string, Verb>> = {
  list: reads('none', LIST),
  ls: reads('none', LIST),
  status: reads('first', STATUS),
  history: reads('first', '--max= -o,--output='),
  hist: reads('first', '--max= -o,--output='),
  'get all': reads('first', STATUS, exposes),
  'get values': reads('first', STATUS, exposes),
  'get manifest': reads('first', STATUS, exposes),
  'get hooks': reads('first', STATUS, exposes),
  'get notes': reads('first', STATUS),
  'get metadata': reads('first', STATUS),
  'show all': show,
  'show chart': show,
  'show crds': show,
  'show readme': show,
  'show values': { ...show, flags: `${CHART} --jsonpath=` },
  'search repo': reads(
    'none',
    '--devel --fail-on-no-result --max-col-width= -o,--output= -r,--regexp --version= -l,--versions',
  ),
  'search hub': reads('none', '!--endpoint= --fail-on-no-result --list-repo-url --max-col-width= -o,--output='),
  'repo list': reads('none', '-o,--output= --no-headers'),
  'dependency list': reads('first', '--max-col-width='),
  'plugin list': reads('none', '--type='),
  lint: reads('all', `${VALUES} --kube-version= -q,--quiet --skip-schema-validation --strict --with-subcharts`),
  template,
  // The plug-in helm-diff, which leaves the contents of Secrets out unless it is told otherwise.
  'diff revision': diff,
  'diff rollback': diff,
  'diff upgrade': diff,
  'diff version': reads('none', ''),
  version: reads('none', '--short --template= -c,--client'),
  env: reads('none', ''),
  help: reads('none', ''),
  verify: reads('all', '!--keyring='),
  install: changes('first', 'it installs a release', RELEASE, forces),
  upgrade: changes('first', 'it changes a release', RELEASE, forces, UNDO),
  rollback: changes('first', 'it returns a release to an earlier revision', RELEASE, forces, UNDO),
  uninstall,
  delete: uninstall,
  del: uninstall,
  un: uninstall,
  test: changes('first', 'it runs the test pods of a release', '--filter= --hide-notes --logs --timeout='),
  pull: changes('all', 'it writes a chart to this machine', `${CHART} -d,--destination= --prov --untar --untardir=`),
  push: changes('all', 'it publishes a chart', CHART),
  package: changes('all', 'it writes a chart to this machine', ''),
  create: changes('all', 'it writes a chart to this machine', '-p,--starter='),
  'repo add': changes(
    'first',
    'it changes where charts come from',
    `${CHART} --allow-deprecated-repos --force-update --no-update --password-stdin --timeout=`,
  ),
  'repo update': changes('all', 'it fetches the lists of charts', '--fail-on-repo-update-fail --timeout='),
  'repo remove': changes('all', 'it changes where charts come from', ''),
  'dependency update': changes('first', 'it writes charts to this machine', `${CHART} --skip-refresh`),
  'dependency build': changes('first', 'it writes charts to this machine', `${CHART} --skip-refresh`),
};

/** Reads an argv of helm, without the program. */
export function classifyHelm(items: readonly string[]): Classification {
  const { before, word: first, after } = splitVerb(items, GLOBALS);
  const isGroup = GROUPS.includes(first);
  const [second = '', ...rest] = isGroup ? after : ['', ...after];
  const verb = `${first.replace(/^inspect$/, 'show').replace(/^dep$/, 'dependency')} ${second}`.trim();
  const spec = entryOf(VERBS, verb);
  const draft = draftOf(spec, isGroup && second === '' ? '' : verb, rest, GLOBAL);
  const [parsed] = draft.parsed as [Parsed];
  const namespace = [...valuesOf(before, '--namespace'), ...valuesOf(parsed, '--namespace')].at(-1);
  const marks = isDry(verb, parsed) ? low('a dry run: nothing changes') : draft.mark;
  return conclude(items, {
    ...draft,
    program: 'helm',
    verb,
    mark: marks,
    namespace,
    scope: isOn(parsed, '--all-namespaces') ? 'all' : (draft.scope ?? 'none'),
    parsed: [before, parsed],
    pins: PINS,
  });
}

/** --dry-run alone means client; `=none` and `=false` are real. */
const isDry = (verb: string, call: Parsed): boolean => {
  const values = valuesOf(call, '--dry-run');
  const knows = ['install', 'upgrade', 'rollback', 'uninstall', 'delete', 'del', 'un'].includes(verb);
  return knows && values.length > 0 && values.every((value) => /^(true|client|server)$/.test(value));
};
