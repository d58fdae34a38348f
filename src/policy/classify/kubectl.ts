import type { Classification } from '../../domain/types.js';
import { type FlagTable, flagTable, parseFlags } from './flags.js';
import { commonMarks, isRemote, type KubectlCall, REMOTE, readCall } from './kubectl-call.js';
import { CHANGES } from './kubectl-changes.js';
import { READS, type Verb } from './kubectl-reads.js';
import { RUNS } from './kubectl-runs.js';
import { conclude, critical, high, low, type Mark, worst } from './verdict.js';

/** The global options. `kubectl options` lists them; those that newer and older versions have are here too. */
const GLOBAL = `!--as= !--as-group= !--as-uid= !--as-user-extra= !--certificate-authority= !--client-certificate= !--client-key=
  !--cluster= !--context= !--insecure-skip-tls-verify !--kubeconfig= !--kuberc= !--password= !-s,--server= !--tls-server-name=
  !--token= !--user= !--username= !--proxy-url= -n,--namespace= --cache-dir= --disable-compression --log-flush-frequency=
  --match-server-version --profile= --profile-output= --request-timeout= -v,--v= --vmodule= --warnings-as-errors -h,--help`;
const GLOBALS = flagTable(GLOBAL);

const VERBS: Readonly<Record<string, Verb>> = { ...READS, ...CHANGES, ...RUNS };
/** Verbs that are followed by another one. */
const GROUPS = ['top', 'cluster-info', 'auth', 'config', 'rollout', 'apply', 'plugin', 'create', 'certificate', 'set'];
const SYSTEM_NAMESPACES = /^kube-(system|public|node-lease)$/;
const ALIASES: Readonly<Record<string, string>> = {
  'create ns': 'create namespace',
  'create cm': 'create configmap',
  'create sa': 'create serviceaccount',
  'create deploy': 'create deployment',
  'create cj': 'create cronjob',
  'top po': 'top pods',
  'top no': 'top nodes',
};
/** A session speaks to one cluster, named in every call. */
const PINS = ['--context'];

const tables = new Map<string, FlagTable>();

/** Reads an argv of kubectl, without the program. */
export function classifyKubectl(items: readonly string[]): Classification {
  const { words, unknown, rest } = takeVerb(items);
  const name = words.join(' ');
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  const table = tables.get(name) ?? flagTable(GLOBAL, verb?.flags ?? '');
  tables.set(name, table);
  const parsed = parseFlags(rest, table);
  const call = readCall(parsed, verb?.takes ?? 'nothing', verb?.changes ?? true);
  const made = created(name, parsed.words);
  const mark = verb ? markOf(name, verb, call) : noVerb(name, call);
  return conclude(items, {
    program: 'kubectl',
    verb: name,
    mark,
    targets: [...made, ...call.targets],
    namespace: call.namespace,
    scope: verb || name === '' ? (made.length > 0 ? 'one' : call.scope) : 'unknown',
    reversible: verb?.reversible === true || mark.risk === 'low' || mark.risk === 'medium',
    parsed: [parsed, { words: [], unknown, connection: [] }],
    pins: PINS,
  });
}

/**
 * Splits the verb off. kubectl lets options stand before it; `--name=value` is clear even when only the verb knows the option,
 * anything else that is no global option might take the verb for its value.
 */
function takeVerb(items: readonly string[]): { words: string[]; unknown: string[]; rest: string[] } {
  const words: string[] = [];
  const unknown: string[] = [];
  let rest = [...items];
  let from = 0;
  while (words.length < 2 && (words.length === 0 || GROUPS.includes(words[0] as string))) {
    const before = parseFlags(rest.slice(from), GLOBALS, true);
    from += before.length;
    const word = rest[from];
    if (before.rest.length > 0 && words.length === 0) unknown.push('--');
    if (word === undefined) break;
    const longer = [...words, word].join(' ');
    // `apply x` and `create x` have words that are no verbs.
    if (words.length > 0 && !Object.hasOwn(VERBS, canonical(longer)) && Object.hasOwn(VERBS, words[0] as string)) break;
    unknown.push(...before.unknown.filter((item) => !/^--[^=]+=/.test(item)));
    words.push(word);
    rest = rest.toSpliced(from, 1);
  }
  return { words: canonical(words.join(' ')).split(' ').filter(Boolean), unknown, rest };
}

/** `create deployment web` names what it makes; `create secret generic db` after the type. */
function created(name: string, words: readonly string[]): string[] {
  const [verb, kind] = name.split(' ');
  const made = kind === 'secret' ? words[1] : words[0];
  return verb === 'create' && kind !== undefined && made !== undefined ? [`${kind}/${made}`] : [];
}

const canonical = (name: string): string => (Object.hasOwn(ALIASES, name) ? (ALIASES[name] as string) : name);

function markOf(name: string, verb: Verb, call: KubectlCall): Mark {
  const common = commonMarks(call);
  const dry = dryRun(name, call);
  if (!verb.changes) return worst(...verb.marks(call), ...common);
  if (dry === 'yes') return worst(low('a dry run: nothing changes'), ...common);
  const inSystem = SYSTEM_NAMESPACES.test(call.namespace ?? '');
  const found = worst(
    ...verb.marks(call),
    inSystem && critical("it changes the cluster's own components, on which everything else depends"),
    ...common,
  );
  const notes = [
    dry === 'unclear' && 'its --dry-run says neither client nor server, so it may be real',
    found.reason,
    call.files.some(isRemote) && found.reason !== REMOTE && REMOTE,
  ];
  return { risk: found.risk, reason: notes.filter(Boolean).join('; ') };
}

/** Whether nothing changes: every --dry-run says client or server, or stands alone where that has always meant client. */
function dryRun(name: string, call: KubectlCall): 'yes' | 'no' | 'unclear' {
  const values = call.values('--dry-run');
  if (values.length === 0 || call.values('--raw').length > 0) return 'no';
  const isBare = (value: string) => value === 'true' && /^(create|apply)/.test(name);
  if (values.every((value) => value === 'client' || value === 'server' || isBare(value))) return 'yes';
  return values.every((value) => value === 'none') ? 'no' : 'unclear';
}

/** A verb that is not known is a plug-in: a program of any kind. `kubectl` alone prints its help. */
function noVerb(name: string, call: KubectlCall): Mark {
  const common = commonMarks(call);
  if (name === '') return worst(low(), ...common);
  if (name.startsWith('config')) return high('it changes the kubeconfig, and with it which cluster later calls reach');
  if (/^(top|auth|plugin|certificate|set|rollout)$/.test(name)) return worst(low('it prints help'), ...common);
  return worst(high(`"${name}" is no verb that is known; it may be a plug-in, which can do anything`), ...common);
}
