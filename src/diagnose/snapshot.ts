import type { StoredResult } from '../domain/ports.js';
import type { Json, JsonObject } from '../domain/types.js';
import { readEvent } from './event.js';
import { type Gap, gapsOf, kindsNotRead, mentions } from './gaps.js';
import { isObject, list, str, strings } from './json.js';
import { isClusterScoped, kindOf } from './kinds.js';
import { newestMs } from './times.js';
import type { ObjectRef } from './types.js';

/** An object of the cluster as one call showed it. */
export interface KubeObject extends ObjectRef {
  /** `Kind/namespace/name`. */
  readonly id: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The controlling owner. */
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly callId: string;
  readonly raw: JsonObject;
}

export interface KubeEvent {
  readonly callId: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** When it happened last; 0 when the event does not say. */
  readonly timeMs: number;
  readonly about: ObjectRef;
  readonly aboutUid: string;
  /** `spec.containers{app}`, or ''. */
  readonly fieldPath: string;
}

export interface ContainerLog {
  readonly callId: string;
  readonly namespace: string;
  readonly pod: string;
  /** '' when the call did not name one. */
  readonly container: string;
  readonly previous: boolean;
  readonly text: string;
}

/** That a kind was listed, where, and whether nothing was filtered out. */
export interface Listing {
  readonly kind: string;
  /** '' for all namespaces. */
  readonly namespace: string;
  readonly complete: boolean;
  readonly callId: string;
}

export interface Snapshot {
  readonly objects: readonly KubeObject[];
  readonly events: readonly KubeEvent[];
  readonly logs: readonly ContainerLog[];
  readonly listings: readonly Listing[];
  readonly gaps: readonly Gap[];
  /** The newest time the snapshot mentions: its "now". A dump may be years old. 0 when it holds no time at all. */
  readonly nowMs: number;
}

const MAX_LOG_BYTES = 4 * 1024 * 1024;

/**
 * Reads what the calls of a session brought back from a cluster: JSON of `kubectl get`, events and container logs.
 * A call that failed, was refused, or cannot be read becomes a gap; what it did print still counts. When two calls show
 * the same object, the later call wins. Never throws for odd content.
 */
export async function buildSnapshot(results: readonly StoredResult[]): Promise<Snapshot> {
  const parts = await Promise.all(results.map(readResult));
  const objects = new Map<string, KubeObject>();
  const events = new Map<string, KubeEvent>();
  for (const part of parts) {
    for (const object of part.objects) objects.set(object.id, object);
    for (const [key, event] of part.events) events.set(key, event);
  }
  return {
    objects: [...objects.values()],
    events: [...events.values()],
    logs: parts.flatMap((part) => part.logs),
    listings: parts.flatMap((part) => part.listings),
    gaps: parts.flatMap((part) => part.gaps),
    nowMs: newestMs(
      [...objects.values()].map((o) => o.raw),
      [...events.values()].map((e) => e.timeMs),
    ),
  };
}

interface Part {
  readonly objects: readonly KubeObject[];
  readonly events: readonly (readonly [string, KubeEvent])[];
  readonly logs: readonly ContainerLog[];
  readonly listings: readonly Listing[];
  readonly gaps: readonly Gap[];
}

async function readResult(result: StoredResult): Promise<Part> {
  if (result.tool === 'kubectl_logs') return readLog(result);
  const data = await result.readData();
  const items = itemsOf(data, kindsAskedFor(result));
  const gaps = gapsOf(result, items !== undefined);
  // A kubectl that failed prints an empty list all the same: nothing was read, which is not the same as nothing there.
  const nothingRead =
    items === undefined ||
    (items.length === 0 && !kindsAskedFor(result).some((kind) => wasServed(result, kind, items)));
  if (nothingRead) return { objects: [], events: [], logs: [], listings: [], gaps };
  const isEvent = (item: Item): boolean => item.kind === 'Event';
  return {
    objects: items.filter((i) => !isEvent(i)).flatMap((i) => objectOf(i, result) ?? []),
    events: items
      .filter(isEvent)
      .map((i) => readEvent(i.raw, result.callId))
      .filter((e) => e !== undefined),
    logs: [],
    listings: listingsOf(result, items),
    gaps,
  };
}

async function readLog(result: StoredResult): Promise<Part> {
  const empty = { objects: [], events: [], listings: [] };
  if (result.status !== 'ok') return { ...empty, logs: [], gaps: gapsOf(result, false) };
  // Over the limit the bounded text is used: it keeps the tail, and the tail is where a crash shows.
  const text = (await result.readText(MAX_LOG_BYTES)) ?? result.text;
  const log = {
    callId: result.callId,
    namespace: namespaceOf(result),
    pod: str(result.args, 'pod_name').replace(/^pods?\//, ''),
    container: str(result.args, 'container'),
    previous: result.args.previous === true,
    text,
  };
  return { ...empty, logs: [log], gaps: [] };
}

interface Item {
  readonly kind: string;
  readonly raw: JsonObject;
}

/** The objects in an output: of a list, of a bare array, or the output itself. Undefined when it is none of these. */
function itemsOf(data: Json | undefined, asked: readonly string[]): readonly Item[] | undefined {
  const listKind = kindOf(str(data, 'kind'));
  const fallback =
    listKind !== '' && str(data, 'kind') !== 'List' ? listKind : asked.length === 1 ? (asked[0] ?? '') : '';
  const named = (raw: Json): readonly Item[] => (isObject(raw) ? [{ kind: str(raw, 'kind') || fallback, raw }] : []);
  if (Array.isArray(data)) return data.flatMap(named);
  if (!isObject(data)) return undefined;
  if (Array.isArray(data.items)) return data.items.flatMap(named);
  return str(data, 'metadata', 'name') === '' ? undefined : named(data);
}

/** The kinds a `kubectl get` asked for, from its `kind` argument or its argv. */
export function kindsAskedFor(result: StoredResult): readonly string[] {
  if (result.tool === 'kubectl_get_pods') return ['Pod'];
  if (result.tool === 'kubectl_events') return ['Event'];
  const get = result.tokens.indexOf('get');
  const word = str(result.args, 'kind') || (get >= 0 ? (result.tokens[get + 1] ?? '') : '');
  return word === '' || word.startsWith('-') ? [] : word.split(',').map((name) => kindOf(name.split('/')[0] ?? name));
}

/** The namespace a call looked in; '' for all of them or when it does not say. */
export function namespaceOf(result: StoredResult): string {
  if (result.args.all_namespaces === true || result.tokens.some((t) => t === '--all-namespaces' || t === '-A'))
    return '';
  const short = result.tokens.indexOf('-n');
  const long = result.tokens.find((t) => t.startsWith('--namespace='));
  return (
    str(result.args, 'namespace') ||
    long?.slice('--namespace='.length) ||
    (short >= 0 ? (result.tokens[short + 1] ?? '') : '')
  );
}

const FILTERS = ['name', 'label_selector', 'field_selector'];

function listingsOf(result: StoredResult, items: readonly Item[]): readonly Listing[] {
  const all = result.args.all_namespaces === true || result.tokens.some((t) => t === '--all-namespaces' || t === '-A');
  const namespace = namespaceOf(result);
  const filtered =
    FILTERS.some((name) => str(result.args, name) !== '') ||
    result.tokens.some((t) => /^(?:--selector|--field-selector|-l)(?:=|$)/.test(t));
  const kinds = new Set([...kindsAskedFor(result), ...items.map((i) => i.kind)]);
  const read = [...kinds].filter((kind) => result.status === 'ok' || wasServed(result, kind, items));
  return read.map((kind) => ({
    kind,
    namespace: all ? '' : namespace,
    // Without a namespace in the call nobody can tell which one it listed.
    complete: !filtered && (all || namespace !== '' || isClusterScoped(kind)) && wasServed(result, kind, items),
    callId: result.callId,
  }));
}

/** Whether a call that failed in part still listed this kind. */
function wasServed(result: StoredResult, kind: string, items: readonly Item[]): boolean {
  if (result.status === 'ok') return true;
  const lost = result.status === 'failed' ? kindsNotRead(result.errorText) : undefined;
  if (lost !== undefined) return !lost.has(kind);
  return !mentions(result.errorText, kind) && items.some((i) => i.kind === kind);
}

function objectOf(item: Item, result: StoredResult): KubeObject | undefined {
  const name = str(item.raw, 'metadata', 'name');
  if (name === '' || item.kind === '') return undefined;
  const namespace = isClusterScoped(item.kind) ? '' : str(item.raw, 'metadata', 'namespace') || namespaceOf(result);
  const owner = list(item.raw, 'metadata', 'ownerReferences').find((o) => isObject(o) && o.controller === true);
  return {
    id: idOf({ kind: item.kind, namespace, name }),
    kind: item.kind,
    namespace,
    name,
    uid: str(item.raw, 'metadata', 'uid'),
    labels: strings(item.raw, 'metadata', 'labels'),
    ...(owner === undefined
      ? {}
      : { owner: { kind: str(owner, 'kind'), name: str(owner, 'name'), uid: str(owner, 'uid') } }),
    callId: result.callId,
    raw: item.raw,
  };
}

/** The key of an object inside a snapshot. */
export const idOf = (object: ObjectRef): string => `${object.kind}/${object.namespace}/${object.name}`;
