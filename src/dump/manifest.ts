import type { Json } from '../domain/types.js';
import { at, isObject, listAt, textAt } from './json.js';

/** File of a dump in which `opsagent dump` says what it recorded and what not. */
export const MANIFEST_FILE = 'opsagent-dump.json';

/** One thing that a recording does not hold. */
export interface Missing {
  /** `ingresses`, `log of production/web-1 container app`, `top pods` … */
  readonly what: string;
  readonly why: string;
}

export interface Manifest {
  readonly recordedAt: string;
  /** False when the recording was interrupted. */
  readonly complete: boolean;
  readonly context?: string;
  /** Namespaces that were asked for; undefined means all. */
  readonly namespaces?: readonly string[];
  /** Plural kind → the files that hold its objects. A kind with no object has no file. */
  readonly kinds: ReadonlyMap<string, readonly string[]>;
  readonly missing: readonly Missing[];
}

/** Reads a manifest leniently: a key that is missing or of another type counts as not given. */
export function readManifest(data: Json): Manifest {
  const kinds = at(data, 'kinds');
  const entries = isObject(kinds) ? Object.keys(kinds).map((kind) => [kind, texts(kinds, kind)] as const) : [];
  const context = textAt(data, 'context');
  return {
    recordedAt: textAt(data, 'recorded_at'),
    complete: at(data, 'complete') !== false,
    ...(context === '' ? {} : { context }),
    ...(Array.isArray(at(data, 'namespaces')) ? { namespaces: texts(data, 'namespaces') } : {}),
    kinds: new Map(entries),
    missing: listAt(data, 'missing').map((entry) => ({ what: textAt(entry, 'what'), why: textAt(entry, 'why') })),
  };
}

const texts = (value: Json, key: string): string[] =>
  listAt(value, key).filter((element) => typeof element === 'string');

/** The manifest as it stands in its file. */
export function writeManifest(manifest: Manifest): string {
  const data = {
    version: 1,
    recorded_at: manifest.recordedAt,
    complete: manifest.complete,
    ...(manifest.context === undefined ? {} : { context: manifest.context }),
    namespaces: manifest.namespaces ?? 'all',
    kinds: Object.fromEntries(manifest.kinds),
    missing: manifest.missing,
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}
