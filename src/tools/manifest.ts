import { OpsError } from '../domain/errors.js';
import type { Json, JsonObject, ToolDefinition } from '../domain/types.js';
import { isList, isObject, objectAt } from '../lib/json-values.js';
import { parseYamlDocuments, plainScalarsOf } from '../lib/yaml.js';

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
    if (objects.some(losesDigits))
      throw new OpsError(
        'usage',
        'The manifest holds a number that is not kept exactly. Write it in quotes if it is text.',
      );
    notes.push(`${name} read as ${objects.map(describe).join(', ')}`);
    return [name, objects.map((object) => JSON.stringify(object, null, 1)).join('\n---\n')] as const;
  });
  return { args: Object.fromEntries(rewritten), notes };
}

/**
 * Plain scalars that kubectl, which reads YAML 1.1, takes for something else than YAML 1.2 does: octal and sexagesimal
 * numbers, numbers with `_`, and the other words for true and false.
 */
const AMBIGUOUS =
  /^([-+]?0[0-7_]+|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|[-+]?[0-9]+_[0-9_]*|y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/;

function objectsOf(text: string): JsonObject[] {
  const [ambiguous] = plainScalarsOf(text).filter((scalar) => AMBIGUOUS.test(scalar));
  if (ambiguous !== undefined) {
    throw new OpsError(
      'usage',
      `The manifest holds ${ambiguous} without quotes, which can be read in two ways. Write it in quotes, or as the plain number or true/false that is meant.`,
    );
  }
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
  if (document.items === undefined) return [{ ...document, apiVersion, kind }];
  // kubectl takes every object with items for a list, whatever its kind.
  if (!isList(document.items) || !kind.endsWith('List')) {
    throw new OpsError('usage', `A ${kind} cannot hold items. Write its items as documents of their own.`);
  }
  const inner = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion };
  return document.items.flatMap((item) => takeApart(item, inner));
}

function describe(object: JsonObject): string {
  const { name, namespace } = objectAt(object, 'metadata');
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? '(no name)'}`;
}

/** A number that JSON cannot carry as it was written: too large for its digits, or not finite. */
function losesDigits(value: Json): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return value !== null && typeof value === 'object' && Object.values(value).some(losesDigits);
}
