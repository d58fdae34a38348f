import type { Json, JsonObject } from '../domain/types.js';
import { AUTH_SCHEMA } from '../lib/auth-schema.js';
import type { AdapterRef } from './adapter-module.js';
import { runSchema } from './define.js';
import type { HttpParam } from './http-params.js';

export interface SecretRef {
  readonly secret: string;
}

/** One way to prove who asks. */
export interface HttpAuth {
  readonly bearer?: SecretRef;
  readonly basic?: { readonly user: string | SecretRef; readonly password: SecretRef };
  readonly header?: { readonly name: string; readonly value: SecretRef };
  readonly query?: { readonly name: string; readonly value: SecretRef };
  readonly cookie?: { readonly name: string; readonly value: SecretRef };
  readonly oauth2?: ClientCredentials;
}

/** OAuth 2.0 client credentials (RFC 6749 4.4): a token is got when it is needed, and kept in memory while it holds. */
export interface ClientCredentials {
  readonly token_url: string;
  readonly client_id: string | SecretRef;
  readonly client_secret: SecretRef;
  readonly scopes?: readonly string[];
}

/** The `run:` block of `kind: http`. */
export interface HttpSpec {
  readonly method?: string;
  readonly url: string;
  readonly query?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values that go where OpenAPI's parameters go; `{name}` in the URL is a path parameter. */
  readonly params?: readonly HttpParam[];
  readonly body?: Json;
  /** How the body is written down; JSON when nothing is said. */
  readonly body_as?: 'json' | 'form' | 'multipart' | 'text';
  readonly content_type?: string;
  /** How single fields of a form, or of a body in parts, are written where the usual way is not meant. */
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
  /** A body in which nothing stands is not sent. */
  readonly body_optional?: boolean;
  readonly auth?: HttpAuth | readonly HttpAuth[];
  readonly allow_hosts?: readonly string[];
  /** Hosts that nobody listed by name: visited only at addresses of the public internet. */
  readonly public_hosts?: readonly string[];
  /** Parameter to (word to value). */
  readonly aliases?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The module of a vendor adapter. */
  readonly adapter?: AdapterRef;
  readonly max_response_bytes?: number;
}

/** See OpenAPI's section "Encoding Object". */
export interface FieldEncoding {
  readonly style?: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  readonly explode?: boolean;
  readonly content_type?: string;
  /** A part with a file name: many services take no other for a file. */
  readonly file?: boolean;
}

/** A text, or the name of a secret whose value is put in when the request is made. */
export type HeaderPart = string | SecretRef;

/** What `plan` makes of it. */
export interface HttpPayload {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, readonly HeaderPart[]>>;
  readonly body?: string;
  /** How secrets are written into the body. */
  readonly bodyAs: 'json' | 'form' | 'multipart' | 'text';
  readonly auth?: HttpAuth | readonly HttpAuth[];
  readonly allowHosts: readonly string[];
  readonly publicHosts: readonly string[];
  readonly adapter?: AdapterRef;
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

/** JSON Schema of the `run:` block. */
export const HTTP_SCHEMA: JsonObject = runSchema('http', ['url'], {
  method: { enum: ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  url: NAME,
  query: {
    type: 'object',
    description:
      'A value { $ago: "{{ x }}" } or { $ahead: "{{ x }}" } takes a duration such as 1h, or a time, as RFC 3339',
  },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  body: { description: 'JSON; a value { $ago: "{{ x }}" } or { $ahead: "{{ x }}" } as in query' },
  body_as: { enum: ['json', 'form', 'multipart', 'text'] },
  body_optional: { type: 'boolean', description: 'A body in which nothing stands is not sent' },
  content_type: NAME,
  encoding: {
    type: 'object',
    description: 'Field of a form or of a body in parts to how it is written',
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      properties: {
        style: { enum: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] },
        explode: { type: 'boolean' },
        content_type: NAME,
        file: { type: 'boolean' },
      },
    },
  },
  params: {
    type: 'array',
    description: 'Values that go where OpenAPI parameters go; {name} in url is a path parameter',
    items: {
      ...closed({
        in: { enum: ['path', 'query', 'header', 'cookie'] },
        name: NAME,
        value: NAME,
        style: { enum: ['simple', 'label', 'matrix', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] },
        explode: { type: 'boolean' },
        json: { type: 'boolean' },
      }),
      required: ['in', 'name', 'value'],
    },
  },
  auth: AUTH_SCHEMA,
  allow_hosts: {
    type: 'array',
    description: 'Hosts that the request and its redirects may visit; without a list, the host of url',
    items: { type: 'string' },
  },
  public_hosts: {
    type: 'array',
    description: 'Further hosts, which may be visited only at public addresses',
    items: { type: 'string' },
  },
  aliases: {
    type: 'object',
    description: 'Parameter to (word to value): a word stands for the value that the service wants',
    additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
  },
  max_response_bytes: { type: 'integer', minimum: 1, maximum: DEFAULT_MAX_BYTES },
});
