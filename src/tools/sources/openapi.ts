import type { JsonObject } from '../../domain/types.js';
import { AUTH_SCHEMA } from '../../lib/auth-schema.js';
import { type SourceKind, sourceSchema } from './source.js';

const TEXT: JsonObject = { type: 'string', minLength: 1 };
const TEXTS: JsonObject = { type: 'array', items: TEXT };

/** `kind: openapi`: one tool for each operation of an OpenAPI 3.0 or 3.1 description, run by the executor `http`. */
export const openapi: SourceKind = {
  kind: 'openapi',
  specSchema: sourceSchema('openapi', ['spec'], {
    spec: {
      description: 'Path (from this file), address, or the description itself',
      anyOf: [TEXT, { type: 'object', required: ['paths'] }],
    },
    base_url: { description: 'Where the API is, when its description does not say; may hold {{ env.NAME }}', ...TEXT },
    include: {
      type: 'object',
      additionalProperties: false,
      properties: { operations: TEXTS, tags: TEXTS, max: { type: 'integer', minimum: 1, maximum: 5_000 } },
    },
    auth: AUTH_SCHEMA,
    allow_hosts: {
      description: 'Further hosts that requests and redirects may visit; *.example.com only at public addresses',
      ...TEXTS,
    },
    adapter: { description: 'One of adapters: of this file', ...TEXT },
  }),
  load: async (source, context) => (await import('./openapi/load.js')).loadOpenApi(source, context),
};
