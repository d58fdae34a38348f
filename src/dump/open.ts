import { realpath, stat } from 'node:fs/promises';
import { messageOf, OpsError } from '../domain/errors.js';
import { DumpFileError, listInside, parseJsonFile, readInside } from './files.js';
import { type Dump, holdDump, type KindFile } from './holdings.js';
import { customKind, knownKind } from './kinds.js';
import { MANIFEST_FILE, readManifest } from './manifest.js';

/** Names of the files of a dump that hold no list of objects of a kind. */
const NOT_KINDS = new Set([MANIFEST_FILE]);
const KIND_FILE = /^([a-z][a-z0-9.-]*)\.json$/;
/** `secret-keys.json` stands for Secrets: their names, types and keys. */
const SECRET_KEYS = 'secret-keys';

/**
 * Opens the dump in a folder. Throws OpsError('usage') when there is no such folder, it is empty, or it holds no
 * dump; the message names the folder and the hint says how to make one.
 */
export async function openDump(dir: string): Promise<Dump> {
  const root = await rootOf(dir);
  try {
    const { names, files } = await scan(root, dir);
    const manifest = names.has(MANIFEST_FILE)
      ? readManifest(parseJsonFile(await readInside(root, MANIFEST_FILE), MANIFEST_FILE))
      : undefined;
    const folders = [...names].filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
    return holdDump(root, files, folders, manifest);
  } catch (thrown) {
    if (thrown instanceof DumpFileError) throw new OpsError('usage', thrown.message, thrown.hint);
    throw thrown;
  }
}

const HOW =
  'Make a dump with `opsagent dump DIR`, or with ' +
  '`kubectl cluster-info dump --all-namespaces --output-directory DIR --output json`, and pass that DIR.';

async function rootOf(dir: string): Promise<string> {
  let root: string;
  try {
    root = await realpath(dir);
  } catch (thrown) {
    throw new OpsError('usage', `The dump folder ${dir} cannot be opened: ${messageOf(thrown)}`, HOW);
  }
  if (!(await stat(root)).isDirectory()) throw new OpsError('usage', `${dir} is a file, not a dump folder.`, HOW);
  return root;
}

async function scan(root: string, dir: string): Promise<{ names: Set<string>; files: KindFile[] }> {
  const top = await listInside(root, '');
  if (top.length === 0) throw new OpsError('usage', `The folder ${dir} is empty: it holds no cluster dump.`, HOW);
  const files: KindFile[] = [];
  const names = new Set<string>();
  for (const entry of top) {
    names.add(entry.folder ? `${entry.name}/` : entry.name);
    if (!entry.folder) addKindFile(files, entry.name, undefined);
    else
      for (const inner of await listInside(root, entry.name))
        if (!inner.folder) addKindFile(files, inner.name, entry.name);
  }
  if (names.has(MANIFEST_FILE) || files.some((file) => knownKind(file.kind.plural) !== undefined)) {
    refuseNested(files, dir);
    return { names, files };
  }
  const yaml = top.some((entry) => entry.name === 'nodes.yaml');
  throw new OpsError(
    'usage',
    `${dir} is no cluster dump: ${yaml ? 'its lists are YAML, not JSON' : 'no list of a known kind, such as nodes.json, is in it'}.`,
    HOW,
  );
}

/** An unpacked archive often holds the dump one folder further down. */
function refuseNested(files: readonly KindFile[], dir: string): void {
  const inner = files.find((file) => file.namespace !== undefined && file.kind.plural === 'nodes')?.namespace;
  if (inner === undefined || files.some((file) => file.namespace === undefined)) return;
  throw new OpsError(
    'usage',
    `${dir} is no cluster dump, but its folder ${inner} looks like one.`,
    `Pass ${dir}/${inner} instead.`,
  );
}

function addKindFile(files: KindFile[], name: string, namespace: string | undefined): void {
  const plural = KIND_FILE.exec(name)?.[1];
  if (plural === undefined || (namespace === undefined && NOT_KINDS.has(name))) return;
  const kind = knownKind(plural === SECRET_KEYS ? 'secrets' : plural) ?? customKind(plural);
  files.push({ kind, namespace, file: namespace === undefined ? name : `${namespace}/${name}` });
}

export type { Dump } from './holdings.js';
