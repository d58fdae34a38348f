import { OpsError } from '../../../domain/errors.js';
import type { Json, JsonObject } from '../../../domain/types.js';
import { explainMistake } from '../../../lib/json-mistake.js';
import { isList, isObject, textsAt, valueAt } from '../../../lib/json-values.js';
import { parseYaml } from '../../../lib/yaml.js';

/** An OpenAPI description that was read; what it refers to is looked up when it is needed. */
export interface ApiDocument {
  readonly root: JsonObject;
  readonly version: '3.0' | '3.1';
  /** The object itself, or what its `$ref` leads to. @throws OpsError usage when it leads nowhere, in a ring, or out of the file. */
  resolve(value: Json | undefined): JsonObject;
}

/** Biggest description that is read. */
export const MAX_SPEC_BYTES = 32 * 1024 * 1024;
/** References to references. */
const MAX_HOPS = 32;

/**
 * Reads a description, JSON or YAML.
 * @throws OpsError usage, in one line, for one that is too large, is not JSON or YAML, or is of another kind or version.
 */
export function readDocument(text: string, name: string): ApiDocument {
  const data = parseText(text, name);
  if (!isObject(data)) throw new OpsError('usage', `${name} is no OpenAPI description: it is not an object.`);
  return openDocument(data, name);
}

/** Like {@link readDocument}, for a description that is data already. */
export function openDocument(root: JsonObject, name: string): ApiDocument {
  if (root.swagger !== undefined) {
    throw new OpsError(
      'usage',
      `${name} is Swagger ${JSON.stringify(root.swagger)}, but only OpenAPI 3.0 and 3.1 are read.`,
      'Convert it: npx swagger2openapi SPEC -o openapi.json (or "Convert to OpenAPI 3" of editor.swagger.io).',
    );
  }
  const version = /^3\.[01](?=\.|$)/.exec(typeof root.openapi === 'string' ? root.openapi : '')?.[0];
  if (version !== '3.0' && version !== '3.1') {
    const found =
      root.openapi === undefined ? 'has no "openapi:" key' : `says openapi: ${JSON.stringify(root.openapi)}`;
    throw new OpsError('usage', `${name} ${found}, but only OpenAPI 3.0 and 3.1 are read.`);
  }
  return { root, version, resolve: (value) => follow(root, value) };
}

function parseText(text: string, name: string): Json | undefined {
  if (text.length > MAX_SPEC_BYTES) throw tooLarge(name);
  // JSON is YAML, but a description of some MB takes a hundred times longer to read as that.
  const isJson = /^\uFEFF?\s*\{/.test(text);
  if (isJson) {
    try {
      return JSON.parse(text.replace(/^\uFEFF/, ''));
    } catch {
      // It may still be YAML in flow style.
      if (text.length > MAX_FLOW_YAML) throw notJson(text, name);
    }
  }
  const { data, problems } = parseYaml(text, name);
  const [first] = problems;
  if (first && isJson) throw notJson(text, name);
  if (first) throw new OpsError('usage', `${name}:${first.line}:${first.column}: ${first.message}`, yamlHint(first));
  return data;
}

const MAX_FLOW_YAML = 256 * 1024;

function notJson(text: string, name: string): OpsError {
  const { line, column, what } = explainMistake(text.replace(/^\uFEFF/, ''));
  return new OpsError(
    'usage',
    `${name}:${line}:${column}: Not valid JSON: ${what}.`,
    'Mend it there, or export the description again.',
  );
}

const yamlHint = ({ message, fix }: { message: string; fix?: string }): string | undefined =>
  message.includes('larger than') ? 'Convert it to JSON, which is read up to 32 MiB.' : fix;

/** For a description that is not read at all. */
export const tooLarge = (name: string): OpsError =>
  new OpsError(
    'usage',
    `${name} is larger than ${MAX_SPEC_BYTES / 1024 / 1024} MiB.`,
    'Use a part of the description.',
  );

function follow(root: JsonObject, value: Json | undefined): JsonObject {
  let current = value;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (!isObject(current)) return {};
    const { $ref: ref, ...beside } = current;
    if (typeof ref !== 'string') return current;
    const target = valueAt(root, pointerOf(ref));
    if (!isObject(target)) throw new OpsError('usage', `"${ref}" leads nowhere`);
    // In 3.1 a description beside $ref stands instead of that of the target.
    current = { ...target, ...beside };
  }
  throw new OpsError('usage', 'its references lead in a ring');
}

/** The keys of a reference within the description. @throws OpsError usage when it leads elsewhere. */
export function pointerOf(ref: string): string[] {
  if (!/^#(?:\/|$)/.test(ref)) {
    throw new OpsError(
      'usage',
      `"${ref.slice(0, 120)}" leads out of the description, and nothing but the description itself is read`,
      'Bundle it into one file first: npx @redocly/cli bundle SPEC -o openapi.json',
    );
  }
  return ref
    .split('/')
    .slice(1)
    .map((key) => decode(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The operations of a description: path, method, and the object, with what the path says for all of its operations. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly id?: string;
  readonly tags: readonly string[];
  readonly raw: JsonObject;
  readonly shared: JsonObject;
}

const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];

/** All operations, in the order of the description. */
export function operationsOf({ root, resolve }: ApiDocument): Operation[] {
  const paths = isObject(root.paths) ? root.paths : {};
  return Object.entries(paths).flatMap(([path, item]) => {
    if (!path.startsWith('/')) return [];
    const shared = resolve(item);
    return METHODS.flatMap((method): Operation[] => {
      const raw = shared[method];
      if (!isObject(raw)) return [];
      const id = typeof raw.operationId === 'string' && raw.operationId.trim() !== '' ? { id: raw.operationId } : {};
      return [{ method: method.toUpperCase(), path, ...id, tags: textsAt(raw, 'tags'), raw, shared }];
    });
  });
}

/** The objects of a list, each with its reference followed. */
export const listOf = ({ resolve }: ApiDocument, value: Json | undefined): JsonObject[] =>
  isList(value) ? value.map(resolve) : [];
