import { badRequest } from './failures.js';
import { canonical, type Fields, isFields, textAt } from './objects.js';

/** RFC 7386: null removes, objects merge, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

/** Merge keys of the lists that a strategic merge patch merges; all other lists are replaced. */
const MERGE_KEYS: Record<string, readonly string[]> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  imagePullSecrets: ['name'],
  ports: ['containerPort', 'port'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey'],
  conditions: ['type'],
  addresses: ['type'],
  ownerReferences: ['uid'],
  secrets: ['name'],
};
const SET_LISTS = ['finalizers', 'podCIDRs'];

const mergeKeyOf = (field: string, patch: readonly unknown[]): string | undefined =>
  (MERGE_KEYS[field] ?? []).find((key) => patch.every((item) => isFields(item) && (key in item || '$patch' in item)));

function mergeList(field: string, target: readonly unknown[], patch: readonly unknown[]): unknown[] {
  if (SET_LISTS.includes(field)) return [...target, ...patch.filter((item) => !target.includes(item))];
  const key = mergeKeyOf(field, patch);
  if (key === undefined || patch.some((item) => textAt(item, '$patch') === 'replace')) {
    return patch.filter((item) => textAt(item, '$patch') === '');
  }
  let result = [...target];
  for (const item of patch.filter(isFields)) {
    const index = result.findIndex((existing) => isFields(existing) && existing[key] === item[key]);
    if (item.$patch === 'delete') result = result.filter((_existing, position) => position !== index);
    else if (index < 0) result.push(strategicPatch({}, item));
    else result[index] = strategicPatch(result[index], item);
  }
  return result;
}

function orderBy(list: unknown[], order: readonly unknown[]): unknown[] {
  const rank = (item: unknown): number => {
    const found = order.findIndex(
      (wanted) =>
        canonical(wanted) === canonical(item) ||
        (isFields(wanted) && isFields(item) && Object.entries(wanted).every(([key, value]) => item[key] === value)),
    );
    return found < 0 ? order.length : found;
  };
  return [...list].sort((a, b) => rank(a) - rank(b));
}

/** A strategic merge patch with its directives ($patch, $retainKeys, $setElementOrder, $deleteFromPrimitiveList). */
export function strategicPatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  if (patch.$patch === 'delete') return {};
  const replace = patch.$patch === 'replace';
  let result: Fields = isFields(target) && !replace ? { ...target } : {};
  const retained = patch.$retainKeys;
  if (Array.isArray(retained)) {
    result = Object.fromEntries(Object.entries(result).filter(([key]) => retained.includes(key)));
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) continue;
    const current = result[key];
    if (value === null) delete result[key];
    else if (Array.isArray(value)) result[key] = mergeList(key, Array.isArray(current) ? current : [], value);
    else result[key] = strategicPatch(current, value);
  }
  for (const [key, value] of Object.entries(patch)) {
    const field = key.slice(key.indexOf('/') + 1);
    const list = result[field];
    if (!Array.isArray(value) || !Array.isArray(list)) continue;
    if (key.startsWith('$deleteFromPrimitiveList/')) result[field] = list.filter((item) => !value.includes(item));
    if (key.startsWith('$setElementOrder/')) result[field] = orderBy(list, value);
  }
  return result;
}

const pointerKeys = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

function edit(target: unknown, keys: readonly string[], operation: string, value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(target)) {
    const copy = [...target];
    const index = key === '-' ? copy.length : Number(key);
    if (rest.length > 0) copy[index] = edit(copy[index], rest, operation, value);
    else if (operation === 'add') copy.splice(index, 0, value);
    else if (operation === 'remove') copy.splice(index, 1);
    else copy[index] = value;
    return copy;
  }
  if (!isFields(target)) throw badRequest(`jsonpatch: the path to ${key} does not exist`);
  const copy = { ...target };
  if (rest.length > 0) copy[key] = edit(copy[key], rest, operation, value);
  else if (operation === 'remove') delete copy[key];
  else copy[key] = value;
  return copy;
}

/** RFC 6902 with add, replace, remove and test. */
export function jsonPatch(target: unknown, operations: readonly unknown[]): unknown {
  let result = target;
  for (const operation of operations) {
    const name = textAt(operation, 'op');
    const keys = pointerKeys(textAt(operation, 'path'));
    const value = isFields(operation) ? operation.value : undefined;
    if (name === 'test') {
      const found = keys.reduce<unknown>((current, key) => (isFields(current) ? current[key] : undefined), result);
      if (canonical(found) !== canonical(value)) throw badRequest(`testing path ${keys.join('/')} value failed`);
    } else if (['add', 'replace', 'remove'].includes(name)) result = edit(result, keys, name, value);
    else throw badRequest(`Unexpected kind: ${name}`);
  }
  return result;
}

/** Applies a PATCH body by its content type. Throws 415 for an unknown one. */
export function applyPatch(contentType: string, target: Fields, patch: unknown): unknown {
  const kind = contentType.split(';')[0]?.trim() ?? '';
  if (kind === 'application/json-patch+json') return jsonPatch(target, Array.isArray(patch) ? patch : []);
  if (kind === 'application/merge-patch+json') return mergePatch(target, patch);
  if (kind === 'application/strategic-merge-patch+json') return strategicPatch(target, patch);
  if (kind === 'application/apply-patch+yaml') return strategicPatch(target, patch);
  throw badRequest(`the body of the request was in an unknown format: ${kind}`);
}
