import type { Json, JsonObject } from '../domain/types.js';
import { query } from '../lib/jmespath.js';
import { isList, isObject, objectAt } from '../lib/json-values.js';
import { canonical } from './change-diff.js';

/** What a tool's `undo.save` printed: objects, or a text that is no JSON. No object and no text: there was nothing. */
export interface State {
  readonly objects: readonly JsonObject[];
  readonly text: string;
}

/** Reads what `save` printed; '' for what does not exist. */
export function stateOf(output: string): State {
  const text = output.trim();
  const parsed = parse(text);
  if (isList(parsed)) return { objects: parsed.filter(isObject), text: '' };
  if (!isObject(parsed)) return { objects: [], text };
  const isListKind = typeof parsed.kind === 'string' && parsed.kind.endsWith('List') && isList(parsed.items);
  return { objects: isListKind ? (parsed.items as readonly Json[]).filter(isObject) : [parsed], text: '' };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether there was nothing. */
export const isAbsent = ({ objects, text }: State): boolean => objects.length === 0 && text === '';

/** Kind, namespace and name of a Kubernetes object; '' for anything else. */
export function identityOf(object: JsonObject): string {
  const { namespace, name } = objectAt(object, 'metadata');
  // Of apiVersion only the group: the same object is served in several versions.
  const group = typeof object.apiVersion === 'string' && object.apiVersion.includes('/') ? object.apiVersion : '';
  return object.kind === undefined ? '' : [group.split('/')[0], object.kind, namespace ?? '', name ?? ''].join('/');
}

/** What JMESPath expressions find in the only object of a state; all null when there is none. */
export function valuesOf(state: State, values: Readonly<Record<string, string>>): Record<string, Json> {
  const [object = null] = state.objects;
  return Object.fromEntries(Object.entries(values).map(([name, path]) => [name, query(path, object)]));
}

/** Fields of `metadata` that the API server or its controllers keep, and that say nothing about what anybody wanted. */
const KEPT_BY_SERVER = ['managedFields', 'resourceVersion', 'generation', 'selfLink'];
/** Further ones that belong to one life of an object, and cannot be given to another. */
const OF_ONE_LIFE = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'];
/**
 * What `kubectl apply` was given last. kubectl writes the whole object there when it replaces or creates one that has it, and the
 * next apply would then remove what others have set, such as the replicas of an autoscaler; without it nothing is removed.
 */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Set by the controllers of workloads a moment after a change. */
const BY_CONTROLLERS = ['deployment.kubernetes.io/revision', 'deprecated.daemonset.template.generation'];

/** A Kubernetes object without what the cluster itself writes; anything else as it is. */
export function wanted(object: JsonObject): JsonObject {
  if (object.kind === undefined) return object;
  const { status: _status, ...rest } = object;
  const metadata = without(objectAt(object, 'metadata'), KEPT_BY_SERVER);
  return { ...rest, metadata: withoutAnnotations(metadata, BY_CONTROLLERS) };
}

function withoutAnnotations(metadata: JsonObject, names: readonly string[]): JsonObject {
  const { annotations: _annotations, ...others } = metadata;
  const annotations = without(objectAt(metadata, 'annotations'), names);
  return { ...others, ...(Object.keys(annotations).length > 0 && { annotations }) };
}

/** A saved object as it can be given to the API server again, to replace what is there or to make it anew. */
export function restorable(object: JsonObject, isGone: boolean): JsonObject {
  if (object.kind === undefined) return object;
  const clean = wanted(object);
  const metadata = withoutAnnotations(without(objectAt(clean, 'metadata'), OF_ONE_LIFE), [LAST_APPLIED]);
  // A pod that is made anew is placed anew.
  const spec = isGone && object.kind === 'Pod' ? { spec: without(objectAt(clean, 'spec'), ['nodeName']) } : {};
  return { ...clean, ...spec, metadata };
}

/** Only what names an object. */
export const nameOnly = (object: JsonObject): JsonObject => {
  const { namespace, name } = objectAt(object, 'metadata');
  const metadata = { ...(namespace !== undefined && { namespace }), ...(name !== undefined && { name }) };
  return { apiVersion: object.apiVersion ?? null, kind: object.kind ?? null, metadata };
};

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/**
 * What of a state an undo depends on, to be compared and shown: the values that the tool names and which object it is, or the
 * objects without what the cluster writes. `sameLife: false` leaves out what a remade object cannot have.
 */
export function comparable(
  state: State,
  values: Readonly<Record<string, string>>,
  { sameLife }: { readonly sameLife: boolean },
): Json {
  if (isAbsent(state)) return null;
  if (state.text !== '') return state.text;
  if (Object.keys(values).length > 0) {
    const uid = sameLife ? objectAt(state.objects[0] ?? {}, 'metadata').uid : undefined;
    return { ...valuesOf(state, values), ...(uid !== undefined && { uid }) };
  }
  const objects = state.objects.map((object) => [
    identityOf(object),
    sameLife ? wanted(object) : restorable(object, false),
  ]);
  const [only] = objects;
  if (objects.length === 1 && only) return only[1] as Json;
  return Object.fromEntries(objects.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))) as JsonObject;
}

/** Whether two states are the same as far as an undo is concerned. */
export const isSame = (
  a: State,
  b: State,
  values: Readonly<Record<string, string>>,
  life: { readonly sameLife: boolean },
): boolean => canonical(comparable(a, values, life)) === canonical(comparable(b, values, life));
