/** Any JSON object. */
export type Fields = Record<string, unknown>;

export interface Metadata extends Fields {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** One object as the API server stores it. */
export interface KubeObject extends Fields {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
}

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys and indexes, or undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (Array.isArray(current)) current = current[Number(key)];
    else if (isFields(current)) current = current[key];
    else return undefined;
  }
  return current;
}

/** The text at a path; numbers and booleans become text, anything else the empty string. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
}

/** The number at a path, or 0. */
export function numberAt(value: unknown, ...path: (string | number)[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

/** The list at a path, or an empty one. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The object at a path, or an empty one. */
export function fieldsAt(value: unknown, ...path: (string | number)[]): Fields {
  const found = at(value, ...path);
  return isFields(found) ? found : {};
}

/** The text values of the object at a path (labels, annotations, match labels). */
export function labelsAt(value: unknown, ...path: (string | number)[]): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsAt(value, ...path)).map(([key, item]) => [key, String(item)]));
}

/** The condition of that type, or an empty object. */
export const conditionOf = (object: unknown, type: string): Fields =>
  listAt(object, 'status', 'conditions')
    .filter(isFields)
    .find((condition) => condition.type === type) ?? {};

/** JSON with sorted keys, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isFields(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

/** A time as Kubernetes writes it: whole seconds, UTC. */
export const timestamp = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');

/** The owner that controls this object (kind, name, uid), or undefined. */
export function controllerOf(object: KubeObject): { kind: string; name: string; uid: string } | undefined {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((item) => at(item, 'controller') === true);
  if (owner === undefined) return undefined;
  return { kind: textAt(owner, 'kind'), name: textAt(owner, 'name'), uid: textAt(owner, 'uid') };
}
