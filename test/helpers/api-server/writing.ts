import type { Cluster, Target } from './cluster.js';
import { completeObject } from './complete.js';
import { withDefaults } from './defaults.js';
import { alreadyExists, badRequest, conflict, notFound } from './failures.js';
import {
  at,
  canonical,
  type Fields,
  fieldsAt,
  isFields,
  type KubeObject,
  listAt,
  numberAt,
  textAt,
  timestamp,
} from './objects.js';
import { applyPatch } from './patch.js';
import { existing, replyWithObject } from './reading.js';
import { type ApiRequest, json, type Reply } from './reply.js';
import { apiVersionOf } from './resources.js';
import { refuseInvalid, refuseUnknownFields } from './validation.js';

const isDryRun = (request: ApiRequest): boolean =>
  request.query.getAll('dryRun').includes('All') || listAt(request.body, 'dryRun').includes('All');

const isStrict = (request: ApiRequest): boolean => request.query.get('fieldValidation') === 'Strict';

function store(cluster: Cluster, request: ApiRequest, target: Target, object: KubeObject): KubeObject {
  if (!isDryRun(request)) return cluster.store.put(target.type, object);
  const now = timestamp(new Date());
  const { uid, resourceVersion, creationTimestamp } = object.metadata;
  const made = { uid: uid || 'dry-run', resourceVersion, creationTimestamp: creationTimestamp || now };
  return { ...object, metadata: { ...object.metadata, ...made } };
}

/** Whether objects of this type count the changes of their spec. */
const hasGeneration = (object: KubeObject): boolean => object.apiVersion !== 'v1' && 'spec' in object;

/** Raises `metadata.generation` when the spec changed. */
function withGeneration(before: KubeObject, after: KubeObject): KubeObject {
  if (!hasGeneration(after) || canonical(before.spec) === canonical(after.spec)) return after;
  const generation = numberAt(before, 'metadata', 'generation') + 1;
  return { ...after, metadata: { ...after.metadata, generation } };
}

function parseObject(target: Target, raw: unknown): KubeObject {
  if (!isFields(raw)) throw badRequest('the request has no object in its body');
  const { type, namespace } = target;
  const kind = textAt(raw, 'kind');
  if (kind !== '' && kind !== type.kind) {
    throw badRequest(`${kind} in version "${apiVersionOf(type)}" cannot be handled as a ${type.kind}`);
  }
  const given = textAt(raw, 'metadata', 'namespace');
  if (given !== '' && namespace !== '' && given !== namespace) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  }
  return completeObject(raw, { kind: type.kind, apiVersion: apiVersionOf(type), namespace });
}

/** POST: creates an object. Throws 409 when it exists, 404 when its namespace does not. */
export function createObject(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  const { type, namespace } = target;
  const raw = isFields(request.body) ? structuredClone(request.body) : {};
  const generateName = textAt(raw, 'metadata', 'generateName');
  if (generateName !== '' && textAt(raw, 'metadata', 'name') === '') {
    raw.metadata = { ...fieldsAt(raw, 'metadata'), name: `${generateName}${Date.now().toString(36).slice(-5)}` };
  }
  if (isStrict(request)) refuseUnknownFields(type, raw);
  const object = withDefaults(parseObject(target, raw));
  refuseInvalid(type, object);
  const namespaces = cluster.store.type('', 'namespaces');
  if (type.namespaced && cluster.store.get(namespaces, '', namespace) === undefined)
    throw notFound(namespaces, namespace);
  const { name } = object.metadata;
  if (cluster.store.get(type, namespace, name) !== undefined) throw alreadyExists(type, name);
  if (hasGeneration(object)) object.metadata.generation = 1;
  return replyWithObject(request, target, store(cluster, request, target, object), 201);
}

/** PUT: replaces an object. Throws 409 when it names an old resourceVersion. */
export function replaceObject(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  const before = existing(cluster, target);
  const object = parseObject(target, request.body);
  const sent = object.metadata.resourceVersion;
  if (sent !== '' && sent !== before.metadata.resourceVersion) throw conflict(target.type, target.name);
  const metadata = { ...object.metadata, uid: before.metadata.uid };
  metadata.creationTimestamp = before.metadata.creationTimestamp;
  const merged =
    target.subresource === 'status'
      ? { ...before, status: object.status }
      : { ...object, metadata, ...('status' in before ? { status: before.status } : {}) };
  return replyWithObject(request, target, store(cluster, request, target, withGeneration(before, merged)));
}

/** PATCH of all kinds. A server-side apply (apply-patch) creates what is missing. */
export function patchObject(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  const before = cluster.store.get(target.type, target.namespace, target.name);
  if (before === undefined) {
    if (!request.contentType.startsWith('application/apply-patch')) throw notFound(target.type, target.name);
    return createObject(cluster, request, target);
  }
  const patched: unknown = applyPatch(request.contentType, before, request.body);
  if (isStrict(request)) refuseUnknownFields(target.type, patched);
  const parsed = parseObject(target, patched);
  const after = parsed.kind === 'Secret' ? withDefaults(parsed) : parsed;
  if (after.metadata.resourceVersion !== before.metadata.resourceVersion) throw conflict(target.type, target.name);
  if (after.metadata.uid !== before.metadata.uid) throw conflict(target.type, target.name);
  const changed = canonical(after) !== canonical(before);
  const result = changed ? store(cluster, request, target, withGeneration(before, after)) : before;
  return replyWithObject(request, target, result);
}

function removeDependents(cluster: Cluster, owner: KubeObject): void {
  const plurals = [
    ['apps', 'replicasets'],
    ['batch', 'jobs'],
    ['', 'pods'],
  ] as const;
  for (const type of plurals.map(([group, plural]) => cluster.store.type(group, plural))) {
    for (const object of cluster.store.list(type, owner.metadata.namespace)) {
      const owned = listAt(object, 'metadata', 'ownerReferences').some(
        (item) => at(item, 'uid') === owner.metadata.uid,
      );
      if (!owned) continue;
      cluster.store.remove(type, object.metadata.namespace ?? '', object.metadata.name);
      removeDependents(cluster, object);
    }
  }
}

/** Removes an object; a pod stays in Terminating for a moment, as a real one does, unless its grace period is 0. */
export function removeObject(
  cluster: Cluster,
  target: Target,
  options: { graceSeconds?: number; orphan: boolean },
): KubeObject {
  const object = existing(cluster, target);
  const { store } = cluster;
  if (target.type.plural !== 'pods' || options.graceSeconds === 0) {
    store.remove(target.type, target.namespace, target.name);
    if (!options.orphan) removeDependents(cluster, object);
    return object;
  }
  const graceSeconds = options.graceSeconds ?? 30;
  const deletion: Fields = { deletionTimestamp: timestamp(new Date()), deletionGracePeriodSeconds: graceSeconds };
  const dying = store.put(target.type, { ...object, metadata: { ...object.metadata, ...deletion } });
  const timer = setTimeout(() => {
    const present = store.get(target.type, target.namespace, target.name);
    if (present?.metadata.uid === object.metadata.uid) store.remove(target.type, target.namespace, target.name);
  }, cluster.podGraceMs);
  timer.unref();
  return dying;
}

/** DELETE of one object. */
export function deleteObject(cluster: Cluster, request: ApiRequest, target: Target): Reply {
  const object = existing(cluster, target);
  if (isDryRun(request)) return json(object);
  const grace = at(request.body, 'gracePeriodSeconds') ?? request.query.get('gracePeriodSeconds') ?? undefined;
  const orphan =
    textAt(request.body, 'propagationPolicy') === 'Orphan' || at(request.body, 'orphanDependents') === true;
  const removed = removeObject(cluster, target, {
    orphan,
    ...(grace === undefined ? {} : { graceSeconds: Number(grace) }),
  });
  if (target.type.plural === 'pods') return json(removed);
  const { group, plural } = target.type;
  const details = { name: target.name, ...(group === '' ? {} : { group }), kind: plural, uid: object.metadata.uid };
  return json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}
