import type { Json, JsonObject } from '../domain/types.js';
import { DumpFileError } from './files.js';
import { at, isList, isObject, textAt } from './json.js';
import type { Kind } from './kinds.js';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The objects that a parsed file of a dump holds. kind, apiVersion and namespace that are missing, as they are in
 * lists, are filled in from the names of file and folder. Secrets lose their values here, whatever the file holds.
 * Throws DumpFileError when the file is no list of objects.
 */
export function itemsOf(data: Json, kind: Kind, file: string, namespace: string | undefined): JsonObject[] {
  const items = isList(data) ? data : at(data, 'items');
  // Go writes an empty list as null.
  const list = items === null || items === undefined ? [] : items;
  const isListFile = isList(data) || (isObject(data) && items !== undefined);
  if (!isListFile || !isList(list) || !list.every(isObject)) {
    throw new DumpFileError(
      `The dump's ${file} holds no list of objects.`,
      `Ask for the dump again, or delete ${file} to go on without what it holds.`,
    );
  }
  return list.map((item) => {
    const filled = fill(item, kind, textAt(data, 'apiVersion'), namespace);
    return textAt(filled, 'kind') === 'Secret' ? withoutSecretValues(filled) : filled;
  });
}

function fill(item: JsonObject, kind: Kind, listVersion: string, namespace: string | undefined): JsonObject {
  const apiVersion = textAt(item, 'apiVersion') || kind.apiVersion || listVersion;
  const metadata = at(item, 'metadata');
  // Files of Secret keys may name the Secret at the top.
  const meta: JsonObject = isObject(metadata)
    ? metadata
    : {
        name: textAt(item, 'name'),
        ...(textAt(item, 'namespace') === '' ? {} : { namespace: textAt(item, 'namespace') }),
      };
  const place = namespace === undefined || textAt(meta, 'namespace') !== '' ? {} : { namespace };
  return {
    ...(apiVersion === '' ? {} : { apiVersion }),
    ...item,
    kind: kind.plural === 'secrets' ? 'Secret' : textAt(item, 'kind') || kind.kind,
    metadata: { ...meta, ...place },
  };
}

/** A Secret with the names of its keys under `keys`, and nothing that could hold a value. */
export function withoutSecretValues(secret: JsonObject): JsonObject {
  const named = ['data', 'stringData'].flatMap((field) => Object.keys(objectAt(secret, field)));
  const listed = at(secret, 'keys');
  const keys = isList(listed) ? listed.filter((key) => typeof key === 'string') : Object.keys(objectAt(secret, 'keys'));
  const metadata = objectAt(secret, 'metadata');
  const kept = ['name', 'namespace', 'creationTimestamp', 'labels', 'uid', 'ownerReferences', 'deletionTimestamp'];
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: Object.fromEntries(kept.flatMap((key) => (metadata[key] === undefined ? [] : [[key, metadata[key]]]))),
    type: textAt(secret, 'type') || 'Opaque',
    keys: [...new Set([...keys, ...named])].sort(),
  };
}

const objectAt = (value: JsonObject, key: string): JsonObject => {
  const found = at(value, key);
  return isObject(found) ? found : {};
};

/**
 * Takes out of a value what must not enter a recording: the values of Secrets at any depth, and the annotation in
 * which `kubectl apply` keeps a copy of a whole object. `managedFields` go too, for their size.
 */
export function scrub(value: Json): Json {
  if (isList(value)) return value.map(scrub);
  if (!isObject(value)) return value;
  // A mere reference to a Secret has neither metadata nor data.
  const secret = textAt(value, 'kind') === 'Secret' && ['metadata', 'data', 'stringData'].some((key) => key in value);
  const object = secret ? withoutSecretValues(value) : value;
  const kept = Object.entries(object).filter(([key]) => key !== LAST_APPLIED && key !== 'managedFields');
  return Object.fromEntries(kept.map(([key, child]) => [key, scrub(child)]));
}
