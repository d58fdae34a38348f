import { messageOf, OpsError } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/types.js';
import { itemsOf, scrub } from './items.js';
import { isObject, namespaceOf } from './json.js';
import { type Kind, knownKind } from './kinds.js';
import { logTitle } from './log-store.js';
import { MANIFEST_FILE, type Manifest, type Missing, writeManifest } from './manifest.js';
import type { RecordDeps, Recording } from './record-deps.js';
import { isFileName, prepareFolder, type RecordFolder } from './record-folder.js';
import { logTargets } from './record-logs.js';
import { secretTemplate } from './secrets.js';
import { newestMoment } from './time.js';

const KINDS = [
  ...['pods', 'deployments', 'replicasets', 'statefulsets', 'daemonsets', 'jobs', 'cronjobs', 'services', 'endpoints'],
  ...['endpointslices', 'ingresses', 'configmaps', 'persistentvolumeclaims', 'persistentvolumes', 'storageclasses'],
  ...['resourcequotas', 'limitranges', 'horizontalpodautoscalers', 'poddisruptionbudgets', 'networkpolicies'],
  ...['serviceaccounts', 'nodes', 'namespaces', 'events', 'replicationcontrollers'],
];
const LOG_LINES = 500;
const MAX_LOGS = 400;

/**
 * Records a cluster in a folder that `openDump` reads. Every question goes through `deps.call`. Secrets are recorded by
 * the names of their keys only; annotations that repeat a whole object are left out. What cannot be read is listed in
 * the manifest with the reason, and recording goes on; throws OpsError for a folder that is not empty, a disk that
 * refuses, a cluster that cannot be reached, and an interruption, after which the manifest says that it is incomplete.
 */
export async function recordDump(dir: string, deps: RecordDeps): Promise<Recording> {
  const state: State = {
    deps,
    startedAt: deps.now?.() ?? new Date(),
    folder: await prepareFolder(dir),
    kinds: new Map(),
    missing: [],
    pods: [],
    objects: 0,
    logs: 0,
  };
  await saveManifest(state, false);
  for (const plural of KINDS) await recordKind(state, plural);
  await recordSecretKeys(state);
  await recordLogs(state);
  await recordTops(state);
  await saveManifest(state, true);
  if (state.kinds.size === 0) {
    await state.folder.discard();
    throw nothingRead(state);
  }
  const gaps = state.missing.length === 0 ? '' : `; not recorded: ${state.missing.length}, see ${MANIFEST_FILE}`;
  deps.progress(`recorded ${state.objects} objects and ${state.logs} logs in ${dir}${gaps}`);
  return { objects: state.objects, logs: state.logs, missing: state.missing };
}

interface State {
  readonly deps: RecordDeps;
  readonly startedAt: Date;
  readonly folder: RecordFolder;
  readonly kinds: Map<string, readonly string[]>;
  readonly missing: Missing[];
  pods: readonly JsonObject[];
  objects: number;
  logs: number;
}

function saveManifest({ deps, folder, startedAt, kinds, missing }: State, complete: boolean): Promise<void> {
  const manifest: Manifest = {
    recordedAt: startedAt.toISOString(),
    complete,
    ...(deps.context === undefined ? {} : { context: deps.context }),
    ...(deps.namespaces === undefined ? {} : { namespaces: deps.namespaces }),
    kinds,
    missing,
  };
  return folder.write(writeManifest(manifest), MANIFEST_FILE);
}

/** The arguments that ask for everything that is to be recorded: one call for all namespaces, or one for each. */
function scopes(namespaced: boolean, deps: RecordDeps): { args: JsonObject; suffix: string; namespace?: string }[] {
  if (!namespaced) return [{ args: {}, suffix: '' }];
  if (deps.namespaces === undefined) return [{ args: { all_namespaces: true }, suffix: '' }];
  return deps.namespaces.map((namespace) => ({ args: { namespace }, suffix: ` of namespace ${namespace}`, namespace }));
}

async function recordKind(state: State, plural: string): Promise<void> {
  const kind = knownKind(plural);
  if (kind === undefined) return;
  const items: JsonObject[] = [];
  let read = 0;
  for (const { args, suffix } of scopes(kind.namespaced, state.deps)) {
    const text = await ask(state, `${plural}${suffix}`, 'kubectl_get', { kind: plural, ...args, output: 'json' });
    const found = text === undefined ? undefined : parseItems(state, text, kind, `${plural}${suffix}`);
    if (found === undefined) continue;
    read += 1;
    items.push(...found);
  }
  if (read === 0) return;
  if (plural === 'pods') state.pods = items;
  state.objects += items.length;
  state.kinds.set(plural, await writeItems(state, kind, items));
  state.deps.progress(`${plural}: ${items.length}`);
}

function parseItems(state: State, text: string, kind: Kind, what: string): JsonObject[] | undefined {
  try {
    const data = JSON.parse(text) as Json;
    if (newestMoment(data) === undefined) throw new Error('nested too deeply');
    return itemsOf(data, kind, what, undefined).map(scrub).filter(isObject);
  } catch (thrown) {
    state.missing.push({ what, why: `the answer is no list of objects: ${messageOf(thrown)}` });
    return undefined;
  }
}

function byNamespace(items: readonly JsonObject[]): Map<string, JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const item of items) {
    const group = groups.get(namespaceOf(item)) ?? [];
    group.push(item);
    groups.set(namespaceOf(item), group);
  }
  return groups;
}

/** Writes objects to one file a namespace, and returns the names of the files. */
async function writeItems(state: State, kind: Kind, items: readonly JsonObject[]): Promise<string[]> {
  const files: string[] = [];
  for (const [namespace, some] of byNamespace(items)) {
    const path = namespace === '' ? [`${kind.plural}.json`] : [namespace, `${kind.plural}.json`];
    if (namespace !== '' && !isFileName(namespace)) {
      state.missing.push({
        what: kind.plural,
        why: `the name of namespace ${JSON.stringify(namespace)} cannot be a folder`,
      });
      continue;
    }
    const list = { kind: 'List', apiVersion: 'v1', items: some };
    await state.folder.write(`${JSON.stringify(list, null, 2)}\n`, ...path);
    files.push(path.join('/'));
  }
  return files;
}

async function recordSecretKeys(state: State): Promise<void> {
  const kind = knownKind('secrets');
  if (kind === undefined) return;
  const secrets: JsonObject[] = [];
  let read = 0;
  for (const { args, suffix } of scopes(true, state.deps)) {
    const text = await ask(state, `secrets${suffix}`, 'kubectl_secret_keys', args);
    const found = text === undefined ? undefined : parseItems(state, text, kind, `secrets${suffix}`);
    if (found === undefined) continue;
    read += 1;
    secrets.push(...found);
  }
  if (read === 0) return;
  await state.folder.write(`${secretTemplate(secrets)}\n`, 'secret-keys.json');
  state.kinds.set('secrets', ['secret-keys.json']);
  state.deps.progress(`secrets: keys of ${secrets.length}`);
}

async function recordLogs(state: State): Promise<void> {
  const targets = logTargets(state.pods);
  for (const [index, { namespace, pod, container, previous }] of targets.entries()) {
    const what = logTitle(namespace, pod, container, previous);
    if (index >= MAX_LOGS) state.missing.push({ what, why: `only ${MAX_LOGS} logs are recorded` });
    else if (![namespace, pod, container].every(isFileName))
      state.missing.push({ what, why: 'its name cannot be that of a file' });
    else {
      const args = { pod_name: pod, namespace, container, tail: LOG_LINES, ...(previous ? { previous } : {}) };
      const text = await ask(state, what, 'kubectl_logs', args);
      if (text === undefined) continue;
      await state.folder.write(text, namespace, pod, `${container}${previous ? '.previous' : ''}.log`);
      state.logs += 1;
    }
  }
  state.deps.progress(`logs: ${state.logs} of ${targets.length}`);
}

async function recordTops(state: State): Promise<void> {
  const nodes = await ask(state, 'top nodes', 'kubectl_top_nodes', {});
  if (nodes !== undefined) await state.folder.write(nodes, 'top-nodes.txt');
  for (const { args, suffix, namespace } of scopes(true, state.deps)) {
    const pods = await ask(state, `top pods${suffix}`, 'kubectl_top_pods', args);
    if (pods !== undefined && pods.trim() !== '')
      await state.folder.write(pods, ...(namespace === undefined ? [] : [namespace]), 'top-pods.txt');
  }
  state.deps.progress('usage of nodes and pods');
}

/** The output of a call; undefined when it failed, which is then noted as missing. */
async function ask(state: State, what: string, tool: string, args: JsonObject): Promise<string | undefined> {
  const { status, stdout, errorText, error } = await state.deps.call(tool, args);
  if (status === 'ok' && stdout !== undefined) return stdout;
  // Client libraries log before the message that counts, which is the last line.
  const said = errorText.trim().split('\n').at(-1)?.trim().slice(0, 500);
  const why = status === 'ok' ? 'the output is too large to be read' : said || error?.message || status;
  if (status === 'cancelled')
    throw await stopped(state, new OpsError('interrupted', 'The recording was interrupted.', UNFINISHED));
  // Usage comes from a server of its own, which may be away while the cluster is well.
  if (error?.exit !== undefined && !tool.startsWith('kubectl_top')) {
    throw await stopped(
      state,
      new OpsError(error.exit, `The cluster cannot be read: ${why}`, error.hint ?? UNFINISHED),
    );
  }
  state.missing.push({ what, why });
  state.deps.progress(`${what}: not recorded (${why})`);
  return undefined;
}

const UNFINISHED = 'The folder holds an unfinished dump; delete it and record again.';

async function stopped(state: State, error: OpsError): Promise<OpsError> {
  if (state.kinds.size === 0) await state.folder.discard();
  else await saveManifest(state, false);
  return error;
}

function nothingRead({ missing }: State): OpsError {
  const why = missing[0]?.why ?? 'no reason was given';
  return new OpsError(
    'failed',
    `Nothing of the cluster could be recorded: ${why}`,
    'Ask for the right to list objects, or name namespaces that you may read.',
  );
}
