import type { Json, JsonObject } from '../../../domain/types.js';
import { isObject, objectAt, textsAt } from '../../../lib/json-values.js';
import { type ApiDocument, listOf, type Operation } from './document.js';
import { type SchemaMaker, schemaMaker } from './schema.js';

/** The arguments of an operation, and where they go: keys of a tool's `parameters:` and of its `run:` block. */
export interface RequestParts {
  readonly parameters: JsonObject;
  readonly run: JsonObject;
}

interface Argument {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

/** Headers that belong to HTTP itself, or to `auth:`. */
const OWN_HEADERS =
  /^(?:accept|accept-encoding|authorization|connection|content-length|content-type|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * The arguments that an operation takes: its parameters and the properties of its body, under names that are unique.
 * @throws OpsError usage when it refers to what there is not, or to another file.
 */
export function requestParts(document: ApiDocument, operation: Operation): RequestParts {
  const maker = schemaMaker(document);
  const nameOf = argumentNames();
  const params = parametersOf(document, operation).map((param) => placeParameter(maker, param, nameOf));
  const body = bodyOf(document, maker, operation, nameOf);
  const all = [...params.map(({ argument }) => argument), ...body.arguments];
  const required = all.filter((one) => one.required).map(({ name }) => name);
  const properties = Object.fromEntries(all.map(({ name, schema }) => [name, withoutDefault(schema)]));
  const $defs = maker.definitions();
  return {
    parameters: {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties,
      ...(Object.keys($defs).length > 0 && { $defs }),
    },
    run: { ...(params.length > 0 && { params: params.map(({ run }) => run) }), ...body.run },
  };
}

/** Those of the path and those of the operation, which win. */
function parametersOf(document: ApiDocument, { raw, shared }: Operation): JsonObject[] {
  const byPlace = new Map<string, JsonObject>();
  for (const param of [...listOf(document, shared.parameters), ...listOf(document, raw.parameters)])
    byPlace.set(`${param.in} ${param.name}`, param);
  return [...byPlace.values()].filter(
    (param) =>
      typeof param.name === 'string' &&
      ['path', 'query', 'header', 'cookie'].includes(`${param.in}`) &&
      !(param.in === 'header' && OWN_HEADERS.test(param.name)),
  );
}

function placeParameter(
  maker: SchemaMaker,
  param: JsonObject,
  nameOf: (name: string, place: string) => string,
): { argument: Argument; run: JsonObject } {
  const place = `${param.in}`;
  const name = nameOf(`${param.name}`, place);
  const [content] = Object.values(objectAt(param, 'content'));
  const made = maker.make(isObject(content) ? content.schema : param.schema);
  const words = typeof param.description === 'string' ? maker.make({ description: param.description }) : {};
  const style = ['simple', 'label', 'matrix', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'].find(
    (one) => one === param.style,
  );
  return {
    argument: { name, schema: { ...made, ...words }, required: param.required === true || place === 'path' },
    run: {
      in: place,
      name: `${param.name}`,
      value: `{{ ${name} }}`,
      ...(style !== undefined && { style }),
      ...(typeof param.explode === 'boolean' && { explode: param.explode }),
      ...(isObject(content) && { json: true }),
    },
  };
}

interface BodyParts {
  readonly arguments: readonly Argument[];
  readonly run: JsonObject;
}

/** Kinds of body, the best first. */
const KINDS: readonly (readonly [type: RegExp, as: string])[] = [
  [/^application\/json\b/i, 'json'],
  [/^application\/[\w.+-]*\+json\b/i, 'json'],
  [/^application\/x-www-form-urlencoded\b/i, 'form'],
  [/^multipart\/form-data\b/i, 'multipart'],
  [/^\*\/\*$/, 'json'],
  [/./, 'text'],
];

function bodyOf(
  document: ApiDocument,
  maker: SchemaMaker,
  { raw }: Operation,
  nameOf: (name: string, place: string) => string,
): BodyParts {
  if (raw.requestBody === undefined) return { arguments: [], run: {} };
  const body = document.resolve(raw.requestBody);
  const content = Object.entries(objectAt(body, 'content'));
  const [found] = KINDS.flatMap(([type, as]) =>
    content.filter(([name]) => type.test(name)).map(([name, media]) => ({ name, media, as })),
  );
  if (!found) return { arguments: [], run: {} };
  const schema = isObject(found.media) ? found.media.schema : undefined;
  const isNeeded = body.required === true;
  const type =
    /^application\/json$/i.test(found.name) || found.name === '*/*' || found.as === 'form' || found.as === 'multipart';
  const run = {
    ...(found.as !== 'json' && { body_as: found.as }),
    ...(!type && { content_type: found.name }),
    ...(!isNeeded && { body_optional: true }),
  };
  const fields = found.as === 'text' ? undefined : fieldsOf(document, schema);
  if (!fields) {
    const name = nameOf('body', 'body');
    const made = found.as === 'text' ? { type: 'string' } : maker.make(schema ?? {});
    const words =
      made.description ?? (typeof body.description === 'string' ? body.description : 'The body of the request');
    return {
      arguments: [{ name, schema: { ...made, description: words }, required: isNeeded }],
      run: { ...run, body: `{{ ${name} }}` },
    };
  }
  const named = [...fields.properties].map(([name, inner]) => ({
    name,
    argument: nameOf(name, 'body'),
    schema: maker.make(inner),
  }));
  return {
    arguments: named.map(({ name, argument, schema: made }) => ({
      name: argument,
      schema: made,
      required: isNeeded && fields.required.has(name),
    })),
    run: {
      ...run,
      ...encodingOf(document, found, fields),
      body: Object.fromEntries(named.map(({ name, argument }) => [name, `{{ ${argument} }}`])),
    },
  };
}

/** What the description says of single fields of a form, or of parts: a text of bytes is a file. */
function encodingOf(
  document: ApiDocument,
  { media, as }: { media: Json; as: string },
  { properties }: Fields,
): JsonObject {
  if (as === 'json') return {};
  const said = objectAt(isObject(media) ? media : {}, 'encoding');
  const all = [...properties].flatMap(([name, inner]): [string, JsonObject][] => {
    const { style, explode, contentType } = objectAt(said, name);
    const schema = document.resolve(inner);
    const { format, contentMediaType } = isObject(schema.items) ? document.resolve(schema.items) : schema;
    const type = typeof contentType === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : undefined;
    const one = {
      ...(STYLES_OF_FIELDS.some((known) => known === style) && { style: style as string }),
      ...(typeof explode === 'boolean' && { explode }),
      ...(as === 'multipart' && type !== undefined && { content_type: type }),
      ...(as === 'multipart' && (format === 'binary' || contentMediaType !== undefined) && { file: true }),
    };
    return Object.keys(one).length > 0 ? [[name, one]] : [];
  });
  return all.length > 0 ? { encoding: Object.fromEntries(all) } : {};
}

const STYLES_OF_FIELDS = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

interface Fields {
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
}

/** Deeper `allOf`s are left whole. */
const MAX_MERGED = 8;

/**
 * The properties of a body that is a plain object, or `allOf` of such; undefined when the body is something else and has to be one
 * argument: a list, a choice, or an object with properties of any name.
 */
function fieldsOf(document: ApiDocument, raw: Json | undefined, depth = 0): Fields | undefined {
  const schema = document.resolve(raw);
  if (depth > MAX_MERGED || ['oneOf', 'anyOf', 'not', 'if'].some((key) => schema[key] !== undefined)) return undefined;
  const { additionalProperties: more, allOf } = schema;
  if (more === true || isObject(more) || schema.nullable === true) return undefined;
  const parts = Array.isArray(allOf) ? allOf.map((part: Json) => fieldsOf(document, part, depth + 1)) : [];
  const isOther = schema.type !== undefined && schema.type !== 'object';
  const own = Object.entries(objectAt(schema, 'properties')).filter(
    ([, inner]) => document.resolve(inner).readOnly !== true,
  );
  if (isOther || parts.includes(undefined) || (own.length === 0 && parts.length === 0)) return undefined;
  const properties = new Map([...parts.flatMap((part) => [...(part?.properties ?? [])]), ...own]);
  const required = [...parts.flatMap((part) => [...(part?.required ?? [])]), ...textsAt(schema, 'required')];
  return { properties, required: new Set(required.filter((name) => properties.has(name))) };
}

/**
 * A default would be filled in and sent: harmless in a query, a change in a PATCH. What the service does without a value is told in
 * words instead.
 */
function withoutDefault(schema: JsonObject): JsonObject {
  const { default: value, ...rest } = schema;
  if (value === undefined) return rest;
  const words = typeof rest.description === 'string' ? `${rest.description} ` : '';
  return { ...rest, description: `${words}(default: ${JSON.stringify(value)})` };
}

/** Names of arguments: as the description spells them where that is a name, else made one; a second one says where it belongs. */
function argumentNames(): (name: string, place: string) => string {
  const taken = new Set<string>(['item']);
  return (name, place) => {
    const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replaceAll(/^_+|_+$/g, '');
    const word = (/^[A-Za-z]/.test(plain) ? plain : `${place}_${plain}`).slice(0, 48);
    const isFree = (candidate: string) => !taken.has(candidate.toLowerCase());
    let unique = isFree(word) ? word : `${place}_${word}`;
    for (let count = 2; !isFree(unique); count++) unique = `${place}_${word}_${count}`;
    taken.add(unique.toLowerCase());
    return unique;
  };
}
