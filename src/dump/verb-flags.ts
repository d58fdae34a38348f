import type { FlagSpec } from './flags.js';

const value = (name: string, short?: string): FlagSpec => ({
  name,
  kind: 'value',
  ...(short === undefined ? {} : { short }),
});
const flag = (name: string, short?: string): FlagSpec => ({ ...value(name, short), kind: 'switch' });
const cannot = (spec: FlagSpec, why: string): FlagSpec => ({ ...spec, cannot: why });

const IDENTITY = 'act as somebody: nobody is asked, the answers are recorded';
const CONNECTION = 'connect to a server: the answers are recorded';

/** Flags of every verb. Those about the connection are taken and mean nothing, save those that would change who asks. */
const GLOBAL: readonly FlagSpec[] = [
  value('namespace', 'n'),
  value('context'),
  value('cluster'),
  value('kubeconfig'),
  value('request-timeout'),
  value('cache-dir'),
  value('profile'),
  value('profile-output'),
  { ...value('v', 'v') },
  value('vmodule'),
  flag('match-server-version'),
  flag('warnings-as-errors'),
  flag('disable-compression'),
  ...['as', 'as-uid', 'token', 'username', 'password', 'user', 'client-certificate', 'client-key'].map((name) =>
    cannot(value(name), IDENTITY),
  ),
  cannot({ name: 'as-group', kind: 'list' }, IDENTITY),
  cannot(value('server', 's'), CONNECTION),
  cannot(value('certificate-authority'), CONNECTION),
  cannot(value('tls-server-name'), CONNECTION),
  cannot(flag('insecure-skip-tls-verify'), CONNECTION),
];

const FILES: readonly FlagSpec[] = [
  cannot({ name: 'filename', kind: 'list', short: 'f' }, 'read manifests: it only holds what was recorded'),
  cannot(value('kustomize', 'k'), 'read manifests: it only holds what was recorded'),
  flag('recursive', 'R'),
];
const SELECT: readonly FlagSpec[] = [flag('all-namespaces', 'A'), value('selector', 'l')];
const WATCH = 'watch: nothing in it changes';

const GET: readonly FlagSpec[] = [
  ...SELECT,
  ...FILES,
  value('output', 'o'),
  value('field-selector'),
  value('sort-by'),
  value('chunk-size'),
  value('template'),
  { name: 'label-columns', kind: 'list', short: 'L' },
  flag('no-headers'),
  flag('show-labels'),
  flag('show-kind'),
  flag('show-managed-fields'),
  flag('ignore-not-found'),
  flag('server-print'),
  flag('allow-missing-template-keys'),
  flag('output-watch-events'),
  cannot(flag('watch', 'w'), WATCH),
  cannot(flag('watch-only'), WATCH),
  cannot(value('subresource'), 'answer for a subresource: only whole objects are recorded'),
  cannot(value('raw'), 'answer a raw request: only objects are recorded'),
];

const LOGS: readonly FlagSpec[] = [
  value('container', 'c'),
  value('selector', 'l'),
  value('tail'),
  value('since'),
  value('since-time'),
  value('limit-bytes'),
  value('pod-running-timeout'),
  value('max-log-requests'),
  flag('previous', 'p'),
  flag('all-containers'),
  flag('timestamps'),
  flag('prefix'),
  flag('ignore-errors'),
  flag('insecure-skip-tls-verify-backend'),
  cannot(flag('follow', 'f'), 'follow a log: nothing in it changes'),
];

const TOP: readonly FlagSpec[] = [
  ...SELECT,
  value('sort-by'),
  flag('no-headers'),
  flag('use-protocol-buffers'),
  flag('show-capacity'),
  flag('containers'),
  cannot(flag('sum'), 'add up recorded numbers'),
  cannot(value('field-selector'), 'select recorded numbers by field'),
];

const BY_VERB: ReadonlyMap<string, readonly FlagSpec[]> = new Map([
  ['get', GET],
  ['describe', [...SELECT, ...FILES, flag('show-events'), value('chunk-size')]],
  ['logs', LOGS],
  [
    'events',
    [
      flag('all-namespaces', 'A'),
      value('output', 'o'),
      value('for'),
      value('types'),
      value('chunk-size'),
      flag('no-headers'),
      flag('allow-missing-template-keys'),
      cannot(flag('watch', 'w'), WATCH),
    ],
  ],
  ['top', TOP],
  ['version', [flag('client'), flag('short'), value('output', 'o')]],
  ['config', [flag('minify'), flag('flatten'), flag('raw'), value('output', 'o')]],
  [
    'api-resources',
    [
      value('output', 'o'),
      value('api-group'),
      value('sort-by'),
      value('verbs'),
      value('categories'),
      { ...value('namespaced'), alone: 'true' },
      flag('no-headers'),
      flag('cached'),
    ],
  ],
  ['cluster-info', []],
  [
    'rollout',
    [value('revision'), flag('watch', 'w'), value('timeout'), value('output', 'o'), ...FILES, value('selector', 'l')],
  ],
]);

/** The verbs that a dump can answer. */
export const ANSWERED_VERBS = [...BY_VERB.keys()];

/** The flags of a verb, with those of every verb. */
export const flagsOf = (verb: string | undefined): readonly FlagSpec[] => [
  ...(BY_VERB.get(verb ?? '') ?? []),
  ...GLOBAL,
];
