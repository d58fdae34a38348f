import { randomUUID } from 'node:crypto';
import type { KubeObject } from './objects.js';
import { timestamp } from './objects.js';
import { bucketOf, customType, type ResourceType, typeOfObject } from './resources.js';

/** One change, as a watcher sees it. `previous` is the object before a change. */
export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly bucket: string;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
}

/** The objects of the cluster. What goes in and comes out is copied, so that nobody changes the store from outside. */
export interface Store {
  types(): readonly ResourceType[];
  revision(): number;
  /** Sorted by namespace and name, like a real list. */
  list(type: ResourceType, namespace?: string): KubeObject[];
  get(type: ResourceType, namespace: string, name: string): KubeObject | undefined;
  /** Creates or replaces; fills in uid, creationTimestamp and the next resourceVersion. Returns the stored object. */
  put(type: ResourceType, object: KubeObject): KubeObject;
  remove(type: ResourceType, namespace: string, name: string): KubeObject | undefined;
  /** Adds an object of a dump or a test: keeps what it has, makes up a type for a custom resource. */
  load(object: KubeObject): void;
  /** Changes after that revision, then every later one until the returned function is called. */
  subscribe(afterRevision: number, listener: (change: Change) => void): () => void;
  /** The type of this group and plural, whatever its version. */
  type(group: string, plural: string): ResourceType;
}

const keyOf = (namespace: string, name: string): string => `${namespace}\0${name}`;

/** The objects by bucket and key, and everything that ever happened to them. */
interface State {
  readonly types: ResourceType[];
  readonly buckets: Map<string, Map<string, KubeObject>>;
  readonly history: Change[];
  readonly listeners: Set<(change: Change) => void>;
  revision: number;
}

function bucketIn(state: State, type: ResourceType): Map<string, KubeObject> {
  const name = bucketOf(type);
  const found = state.buckets.get(name) ?? new Map<string, KubeObject>();
  state.buckets.set(name, found);
  return found;
}

function publish(state: State, change: Change): void {
  state.history.push(change);
  for (const listener of [...state.listeners]) listener(change);
}

function putInto(state: State, type: ResourceType, object: KubeObject): KubeObject {
  state.revision += 1;
  const stored = structuredClone(object);
  const namespace = type.namespaced ? (stored.metadata.namespace ?? 'default') : '';
  if (type.namespaced) stored.metadata.namespace = namespace;
  stored.metadata.uid ||= randomUUID();
  stored.metadata.creationTimestamp ||= timestamp(new Date());
  stored.metadata.resourceVersion = String(state.revision);
  const bucket = bucketIn(state, type);
  const key = keyOf(namespace, stored.metadata.name);
  const previous = bucket.get(key);
  bucket.set(key, stored);
  const base = { revision: state.revision, bucket: bucketOf(type), object: stored };
  publish(state, previous === undefined ? { ...base, type: 'ADDED' } : { ...base, type: 'MODIFIED', previous });
  return structuredClone(stored);
}

function removeFrom(state: State, type: ResourceType, key: string): KubeObject | undefined {
  const bucket = bucketIn(state, type);
  const previous = bucket.get(key);
  if (previous === undefined) return undefined;
  bucket.delete(key);
  state.revision += 1;
  const object = structuredClone(previous);
  object.metadata.resourceVersion = String(state.revision);
  publish(state, { revision: state.revision, type: 'DELETED', bucket: bucketOf(type), object, previous });
  return structuredClone(object);
}

function knownOrNewType(state: State, object: KubeObject): ResourceType {
  const known = typeOfObject(state.types, object);
  if (known !== undefined) return known;
  const made = customType(object);
  state.types.push(made);
  return made;
}

/** An empty store. */
export function createStore(builtIn: readonly ResourceType[]): Store {
  const state: State = {
    types: [...builtIn],
    buckets: new Map(),
    history: [],
    listeners: new Set(),
    revision: 1000,
  };
  const keyFor = (type: ResourceType, namespace: string, name: string): string =>
    keyOf(type.namespaced ? namespace : '', name);
  return {
    types: () => state.types,
    revision: () => state.revision,
    list: (type, namespace = '') =>
      [...bucketIn(state, type)]
        .filter(([key]) => namespace === '' || key.startsWith(`${namespace}\0`))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, object]) => structuredClone(object)),
    get: (type, namespace, name) => structuredClone(bucketIn(state, type).get(keyFor(type, namespace, name))),
    put: (type, object) => putInto(state, type, object),
    remove: (type, namespace, name) => removeFrom(state, type, keyFor(type, namespace, name)),
    load: (object) => void putInto(state, knownOrNewType(state, object), object),
    subscribe(afterRevision, listener) {
      for (const change of state.history.filter((item) => item.revision > afterRevision)) listener(change);
      state.listeners.add(listener);
      return () => state.listeners.delete(listener);
    },
    type(group, plural) {
      const found = state.types.find((type) => type.group === group && type.plural === plural);
      if (found === undefined) throw new Error(`the test API server has no type ${group}/${plural}`);
      return found;
    },
  };
}
