import { noSuchPath } from './failures.js';
import { type ProtoField, protoMessage } from './protobuf.js';
import { json, type Reply } from './reply.js';
import { apiVersionOf, type ResourceType } from './resources.js';
import { SCHEMAS, type Schema, schemaName } from './schemas.js';

const gvkOf = (type: ResourceType) => ({ group: type.group, version: type.version, kind: type.kind });

const pathOf = (type: ResourceType): string => {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  return `${root}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}/{name}`;
};

const PATCH_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation', 'force'];

/** GET /openapi/v3: where the document of each group and version is. */
export function openApiV3Index(types: readonly ResourceType[]): Reply {
  const paths = types.map((type) => {
    const key = type.group === '' ? `api/${type.version}` : `apis/${apiVersionOf(type)}`;
    return [key, { serverRelativeURL: `/openapi/v3/${key}?hash=1` }];
  });
  return json({ paths: Object.fromEntries(paths) });
}

function jsonSchema(schema: Schema): Record<string, unknown> {
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const item =
      field.ref === undefined
        ? {
            type: field.type,
            ...(field.type === 'object' && field.map ? { additionalProperties: { type: 'string' } } : {}),
          }
        : { $ref: `#/components/schemas/${schemaName(field.ref)}` };
    const inner = field.list ? { type: 'array', items: item } : field.ref === undefined ? item : { allOf: [item] };
    return [name, { description: field.description, ...inner }];
  });
  return { description: schema.description, type: 'object', properties: Object.fromEntries(properties) };
}

/** GET /openapi/v3/api/v1 and the like: the PATCH parameters that kubectl looks for, and schemas for `explain`. */
export function openApiV3(types: readonly ResourceType[], path: string): Reply {
  const key = path.replace(/^\/openapi\/v3\//, '');
  const served = types.filter(
    (type) => key === (type.group === '' ? `api/${type.version}` : `apis/${apiVersionOf(type)}`),
  );
  if (served.length === 0) throw noSuchPath();
  const parameters = PATCH_PARAMETERS.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  const operation = (type: ResourceType, action: string) => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvkOf(type),
    responses: { 200: { description: 'OK' } },
  });
  const paths = served.map((type) => [
    pathOf(type),
    { get: operation(type, 'get'), patch: { ...operation(type, 'patch'), parameters } },
  ]);
  const schemas = Object.entries(SCHEMAS).map(([name, schema]) => {
    const mine = served.filter((type) => type.kind === name);
    const gvks = mine.length === 0 ? {} : { 'x-kubernetes-group-version-kind': mine.map(gvkOf) };
    return [schemaName(name), { ...jsonSchema(schema), ...gvks }];
  });
  return json({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.32.0' },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  });
}

/** A vendor extension: its value is JSON, which is YAML. */
const extension = (name: string, value: unknown): Uint8Array =>
  protoMessage([1, name], [2, protoMessage([2, `${JSON.stringify(value)}\n`])]);

function protoPath(type: ResourceType): Uint8Array {
  const parameters = PATCH_PARAMETERS.map((name) => {
    const query = protoMessage([2, 'query'], [4, name], [6, 'string']);
    return protoMessage([1, protoMessage([2, protoMessage([3, query])])]);
  });
  const patch = protoMessage([8, parameters], [13, extension('x-kubernetes-group-version-kind', gvkOf(type))]);
  return protoMessage([1, pathOf(type)], [2, protoMessage([8, patch])]);
}

const protoType = (name: string): ProtoField => [22, protoMessage([1, name])];

function protoSchema(schema: Schema, extensions: readonly Uint8Array[]): Uint8Array {
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const reference = field.ref === undefined ? undefined : `#/definitions/${schemaName(field.ref)}`;
    const text = protoMessage(protoType('string'));
    const map: ProtoField[] = field.map ? [[21, protoMessage([1, text])]] : [];
    const own: ProtoField[] = reference === undefined ? [protoType(field.type), ...map] : [[1, reference]];
    const merge: ProtoField[] =
      field.mergeKey === undefined
        ? []
        : [
            [31, extension('x-kubernetes-patch-merge-key', field.mergeKey)],
            [31, extension('x-kubernetes-patch-strategy', 'merge')],
          ];
    const value = field.list
      ? protoMessage(
          [4, field.description],
          protoType('array'),
          [23, protoMessage([1, protoMessage(...own)])],
          ...merge,
        )
      : protoMessage([4, field.description], ...own);
    return protoMessage([1, name], [2, value]);
  });
  return protoMessage(
    [4, schema.description],
    protoType('object'),
    [25, protoMessage([1, properties])],
    [31, [...extensions]],
  );
}

/**
 * GET /openapi/v2 as protobuf: old kubectl reads it before apply, diff and explain. A kind without a schema is not
 * validated; one with a schema is, so every schema names all fields of its object.
 */
export function openApiV2(types: readonly ResourceType[]): Reply {
  const definitions = Object.entries(SCHEMAS).map(([name, schema]) => {
    const mine = types.filter((type) => type.kind === name);
    const gvks = mine.length === 0 ? [] : [extension('x-kubernetes-group-version-kind', mine.map(gvkOf))];
    return protoMessage([1, schemaName(name)], [2, protoSchema(schema, gvks)]);
  });
  const document = protoMessage(
    [1, '2.0'],
    [2, protoMessage([1, 'Kubernetes'], [2, 'v1.32.0'])],
    [8, protoMessage([2, types.map(protoPath)])],
    [9, protoMessage([1, definitions])],
  );
  return {
    kind: 'bytes',
    bytes: document,
    contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  };
}
