import type { JsonObject } from '../domain/types.js';
import { DumpFileError, listInside, parseJsonFile, readInside } from './files.js';
import { itemsOf } from './items.js';
import { nameOf, namespaceOf } from './json.js';
import { customKind, type Kind, knownKind } from './kinds.js';
import type { Manifest } from './manifest.js';
import { newestMoment } from './time.js';

/** Objects of one kind, as far as the dump holds them. */
export interface Listing {
  readonly items: readonly JsonObject[];
  /** False when nothing says whether there were objects of this kind. */
  readonly recorded: boolean;
  /** Namespaces among those asked for, for which nothing says it. */
  readonly unrecordedNamespaces: readonly string[];
}

/**
 * A cluster dump in a folder, in the layout of `kubectl cluster-info dump --output-directory DIR --output json`:
 * `<kind>.json` and `<namespace>/<kind>.json` hold lists of objects, `<namespace>/<pod>/logs.txt` the logs of a pod's
 * containers between START and END lines. opsagent adds `<namespace>/<pod>/<container>.log`,
 * `<namespace>/<pod>/<container>.previous.log`, `top-pods.txt` and `top-nodes.txt` (also per namespace),
 * `secret-keys.json` and its manifest `opsagent-dump.json`. Files are read when first needed, and once.
 */
export interface Dump {
  /** The folder, without symbolic links. */
  readonly dir: string;
  readonly manifest: Manifest | undefined;
  /** Namespaces that have a folder. */
  readonly namespaces: readonly string[];
  /** Kinds that have a file, or that a recording found none of. */
  readonly kinds: readonly Kind[];
  /** Objects of a kind; of one namespace, or of all when it is undefined. Throws DumpFileError for a broken file. */
  list(kind: Kind, namespace?: string): Promise<Listing>;
  /** Text of a file; undefined when there is none. Each name is looked up in a listing before it becomes a path. */
  text(...path: readonly string[]): Promise<string | undefined>;
  /** The dump's own time in milliseconds: the newest moment that its manifest, pods, nodes and events tell of. */
  now(): Promise<number>;
}

/** A file that holds a list of objects. */
export interface KindFile {
  readonly kind: Kind;
  /** Undefined for a file at the top of the dump. */
  readonly namespace: string | undefined;
  readonly file: string;
}

interface Loaded {
  readonly items: readonly JsonObject[];
  readonly newestMs: number;
}

/** Makes a Dump of the files that were found in the folder `root`, which must be a real path. */
export function holdDump(
  root: string,
  files: readonly KindFile[],
  namespaces: readonly string[],
  manifest: Manifest | undefined,
): Dump {
  const loaded = new Map<string, Promise<Loaded>>();
  const load = (file: KindFile): Promise<Loaded> => once(loaded, file.file, () => loadFile(root, file));
  const kinds = new Map(files.map((file) => [file.kind.plural, file.kind]));
  for (const plural of manifest?.kinds.keys() ?? []) kinds.set(plural, knownKind(plural) ?? customKind(plural));
  let now: Promise<number> | undefined;
  return {
    dir: root,
    manifest,
    namespaces,
    kinds: [...kinds.values()],
    list: (kind, namespace) => listKind({ files, namespaces, manifest, load }, kind, namespace),
    text: textReader(root),
    now() {
      now ??= newestOf(files, load, manifest);
      return now;
    },
  };
}

function once<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key) ?? make();
  cache.set(key, known);
  return known;
}

async function loadFile(root: string, { file, kind, namespace }: KindFile): Promise<Loaded> {
  const data = parseJsonFile(await readInside(root, file), file);
  const newestMs = newestMoment(data);
  if (newestMs === undefined) {
    throw new DumpFileError(
      `The dump's ${file} is nested too deeply to be a list of objects.`,
      `Ask for the dump again, or delete ${file} to go on without what it holds.`,
    );
  }
  return { items: itemsOf(data, kind, file, namespace), newestMs };
}

interface Source {
  readonly files: readonly KindFile[];
  readonly namespaces: readonly string[];
  readonly manifest: Manifest | undefined;
  readonly load: (file: KindFile) => Promise<Loaded>;
}

async function listKind(source: Source, kind: Kind, namespace: string | undefined): Promise<Listing> {
  const mine = source.files.filter((file) => file.kind.plural === kind.plural);
  const oneNamespace = kind.namespaced ? namespace : undefined;
  const wanted = mine.filter((file) => oneNamespace === undefined || (file.namespace ?? oneNamespace) === oneNamespace);
  const lists = await Promise.all(wanted.map(source.load));
  const all = unique(lists.flatMap((list) => list.items));
  // An object without a namespace is of a custom kind that has none; it is seen from every namespace.
  const items = all.filter((item) => oneNamespace === undefined || ['', oneNamespace].includes(namespaceOf(item)));
  const recordedIn = (each: string): boolean => isRecorded(source, kind, mine, each);
  const recordedAnywhere = mine.length > 0 || foundNone(source.manifest, kind, undefined, mine);
  const known = new Set([...source.namespaces, ...(source.manifest?.namespaces ?? [])]);
  const asked = oneNamespace === undefined ? [...known] : [oneNamespace];
  return {
    items,
    recorded: oneNamespace === undefined ? recordedAnywhere : recordedIn(oneNamespace),
    unrecordedNamespaces: kind.namespaced ? asked.filter((each) => !recordedIn(each)) : [],
  };
}

const isRecorded = (source: Source, kind: Kind, mine: readonly KindFile[], namespace: string): boolean =>
  mine.some((file) => file.namespace === undefined || file.namespace === namespace) ||
  foundNone(source.manifest, kind, namespace, mine);

/** True when the manifest says that this kind was asked for and had no object there. */
function foundNone(
  manifest: Manifest | undefined,
  kind: Kind,
  namespace: string | undefined,
  present: readonly KindFile[],
): boolean {
  const files = manifest?.kinds.get(kind.plural);
  if (manifest === undefined || files === undefined) return false;
  const asked = namespace === undefined || (manifest.namespaces?.includes(namespace) ?? true);
  const failed = `${kind.plural} of namespace ${namespace ?? ''}`;
  const read = !manifest.missing.some(({ what }) =>
    namespace === undefined ? what.startsWith(failed) : what === failed,
  );
  // A file that was deleted since took its objects with it.
  const gone = files.filter((file) => !present.some((each) => each.file === file));
  return (
    asked &&
    read &&
    !gone.some((file) => namespace === undefined || !file.includes('/') || file.startsWith(`${namespace}/`))
  );
}

/** Objects without those that stand in a second file too. */
function unique(items: readonly JsonObject[]): JsonObject[] {
  return [
    ...new Map(
      items.map((item, index) => [nameOf(item) === '' ? index : `${namespaceOf(item)}/${nameOf(item)}`, item]),
    ).values(),
  ];
}

function textReader(root: string): Dump['text'] {
  const listings = new Map<string, Promise<ReadonlyMap<string, boolean>>>();
  const listing = (folder: string): Promise<ReadonlyMap<string, boolean>> =>
    once(listings, folder, async () => new Map((await listInside(root, folder)).map((e) => [e.name, e.folder])));
  return async (...path) => {
    const last = path.length - 1;
    for (const [depth, name] of path.entries()) {
      const isFolder = (await listing(path.slice(0, depth).join('/'))).get(name);
      if (isFolder !== depth < last) return undefined;
    }
    return readInside(root, path.join('/'));
  };
}

async function newestOf(
  files: readonly KindFile[],
  load: Source['load'],
  manifest: Manifest | undefined,
): Promise<number> {
  const telling = files.filter((file) => ['pods', 'nodes', 'events'].includes(file.kind.plural));
  const settled = await Promise.allSettled(telling.map(load));
  // A broken file tells no time; whoever asks for what it holds is told that it is broken.
  const times = settled.map((result) => (result.status === 'fulfilled' ? result.value.newestMs : 0));
  return times.reduce((newest, time) => Math.max(newest, time), Date.parse(manifest?.recordedAt ?? '') || 0);
}
