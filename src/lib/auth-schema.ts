import type { JsonObject } from '../domain/types.js';

const closed = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});

const NAME: JsonObject = { type: 'string', minLength: 1 };
const SECRET = closed({ secret: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } });

const TEXTS: JsonObject = { type: 'array', items: NAME };

const AUTH: JsonObject = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    bearer: SECRET,
    basic: closed({ user: { anyOf: [NAME, SECRET] }, password: SECRET }),
    header: closed({ name: NAME, value: SECRET }),
    query: closed({ name: NAME, value: SECRET }),
    cookie: closed({ name: NAME, value: SECRET }),
    oauth2: {
      ...closed({ token_url: NAME, client_id: { anyOf: [NAME, SECRET] }, client_secret: SECRET, scopes: TEXTS }),
      required: ['token_url', 'client_id', 'client_secret'],
    },
  },
};

/** JSON Schema of `auth:`: how a request shows who asks. Values are named, never written. */
export const AUTH_SCHEMA: JsonObject = {
  description:
    'One way, whose secrets must be set; or a list, of which the first with all its secrets set is used, and none otherwise',
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { type: 'array', minItems: 1, items: AUTH },
  else: AUTH,
};
