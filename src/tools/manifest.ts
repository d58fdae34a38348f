import { OpsError } from '../domain/errors.js';
import type { Json, JsonObject, ToolDefinition } from '../domain/types.js';
import { isList, isObject, objectAt } from '../lib/json-values.js';
import { parseYamlDocuments } from '../lib/yaml.js';

/** Parameters with `x-format: kubernetes-manifest` are rewritten before anything judges them. */
const ANNOTATION = 'kubernetes-manifest';
const MAX_OBJECTS = 200;

/**
 * Rewrites Kubernetes manifests among the arguments as plain JSON, one document an object, lists taken apart. Rules then
 * judge exactly what kubectl reads: no escape, anchor, list kind or other spelling of YAML can hide an object from them.
 * @throws OpsError usage for a text that is no manifest.
 */
export function rewriteManifests(
  args: JsonObject,
  tool: ToolDefinition,
): { args: JsonObject; notes: readonly string[] } {
  const properties = objectAt(tool.parameters, 'properties');
  const notes: string[] = [];
  const rewritten = Object.entries(args).map(([name, value]) => {
    if (typeof value !== 'string' || objectAt(properties, name)['x-format'] !== ANNOTATION)
      return [name, value] as const;
    const objects = objectsOf(value);
    notes.push(`${name} read as ${objects.map(describe).join(', ')}`);
    return [name, objects.map((object) => JSON.stringify(object, null, 1)).join('\n---\n')] as const;
  });
  return { args: Object.fromEntries(rewritten), notes };
}

function objectsOf(text: string): JsonObject[] {
  const documents = parseYamlDocuments(text).filter((document) => document !== null);
  const objects = documents.flatMap((document) => takeApart(document, {}));
  if (objects.length === 0) throw new OpsError('usage', 'The manifest holds no object.');
  if (objects.length > MAX_OBJECTS) throw new OpsError('usage', `The manifest holds more than ${MAX_OBJECTS} objects.`);
  return objects;
}

/** A list of any kind becomes its items; an item without a kind is of the list's kind, as kubectl reads it. */
function takeApart(document: Json, list: { kind?: string; apiVersion?: Json }): JsonObject[] {
  if (!isObject(document))
    throw new OpsError('usage', 'Every document of the manifest must be an object with kind and apiVersion.');
  const kind = typeof document.kind === 'string' && document.kind !== '' ? document.kind : list.kind;
  const apiVersion = document.apiVersion ?? list.apiVersion;
  if (kind === undefined || typeof apiVersion !== 'string') {
    throw new OpsError('usage', 'An object of the manifest lacks kind or apiVersion.');
  }
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(kind)) throw new OpsError('usage', `${JSON.stringify(kind)} is not a kind.`);
  if (!isList(document.items) || !kind.endsWith('List')) return [{ ...document, apiVersion, kind }];
  const inner = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion };
  return document.items.flatMap((item) => takeApart(item, inner));
}

function describe(object: JsonObject): string {
  const { name, namespace } = objectAt(object, 'metadata');
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? '(no name)'}`;
}
