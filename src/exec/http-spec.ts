import type { Json, JsonObject } from '../domain/types.js';
import { runSchema } from './define.js';

export interface SecretRef {
  readonly secret: string;
}

/** One way to prove who asks. */
export interface HttpAuth {
  readonly bearer?: SecretRef;
  readonly basic?: { readonly user: string | SecretRef; readonly password: SecretRef };
  readonly header?: { readonly name: string; readonly value: SecretRef };
}

/** The `run:` block of `kind: http`. */
export interface HttpSpec {
  readonly method?: string;
  readonly url: string;
  readonly query?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly auth?: HttpAuth | readonly HttpAuth[];
  readonly allow_hosts?: readonly string[];
  readonly max_response_bytes?: number;
}

/** What `plan` makes of it. */
/** A text, or the name of a secret whose value is put in when the request is made. */
export type HeaderPart = string | SecretRef;

export interface HttpPayload {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, readonly HeaderPart[]>>;
  readonly body?: string;
  readonly auth?: HttpAuth | readonly HttpAuth[];
  readonly allowHosts: readonly string[];
  readonly maxBytes: number;
}

/** More than this is never parsed as data either. */
export const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

const closed = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});

const NAME: JsonObject = { type: 'string', minLength: 1 };
const SECRET = closed({ secret: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } });

const AUTH: JsonObject = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    bearer: SECRET,
    basic: closed({ user: { anyOf: [NAME, SECRET] }, password: SECRET }),
    header: closed({ name: NAME, value: SECRET }),
  },
};

/** JSON Schema of the `run:` block. */
export const HTTP_SCHEMA: JsonObject = runSchema('http', ['url'], {
  method: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  url: NAME,
  query: {
    type: 'object',
    description:
      'A value { $ago: "{{ x }}" } or { $ahead: "{{ x }}" } takes a duration such as 1h, or a time, as RFC 3339',
  },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  body: { description: 'JSON; a value { $ago: "{{ x }}" } or { $ahead: "{{ x }}" } as in query' },
  auth: {
    description:
      'One way, whose secrets must be set; or a list, of which the first with all its secrets set is used, and none otherwise',
    if: { type: 'array' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'array', minItems: 1, items: AUTH },
    else: AUTH,
  },
  allow_hosts: {
    type: 'array',
    description: 'Hosts that the request and its redirects may visit; without a list, the host of url',
    items: { type: 'string' },
  },
  max_response_bytes: { type: 'integer', minimum: 1, maximum: DEFAULT_MAX_BYTES },
});
