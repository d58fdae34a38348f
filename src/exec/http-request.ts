import { OpsError } from '../domain/errors.js';
import type { PlanContext, RunContext } from '../domain/ports.js';
import type { Json, JsonObject } from '../domain/types.js';
import { momentMs } from '../lib/moment.js';
import { isUnsetSecret } from '../lib/secrets.js';
import { fillJson, fillText, type Lookup, lookupIn } from '../lib/template.js';
import {
  DEFAULT_MAX_BYTES,
  type HeaderPart,
  type HttpAuth,
  type HttpPayload,
  type HttpSpec,
  type SecretRef,
} from './http-spec.js';

/**
 * The request that a `run:` block and its arguments mean. Parameters are encoded where they stand in the URL. Times count from
 * `nowMs`, so that what is shown is what is sent.
 * @throws OpsError usage when a time means none, or when the address holds a password.
 */
export function fillRequest(spec: HttpSpec, args: JsonObject, context: PlanContext, nowMs: number): HttpPayload {
  const lookup = lookupIn(args, context);
  const url = fillUrl(spec.url, (fillValue(spec.query ?? {}, lookup, nowMs) ?? {}) as JsonObject, lookup);
  const body = spec.body === undefined ? undefined : fillValue(spec.body, lookup, nowMs);
  return {
    method: spec.method ?? 'GET',
    url,
    headers: fillHeaders(spec.headers ?? {}, lookup),
    allowHosts: spec.allow_hosts ?? [],
    maxBytes: spec.max_response_bytes ?? DEFAULT_MAX_BYTES,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(spec.auth !== undefined && { auth: spec.auth }),
  };
}

function fillUrl(template: string, query: JsonObject, lookup: Lookup): string {
  if (/^[^/]*\/\/[^/]*\{\{\s*(?!env\.|context\.)/.test(template)) {
    throw new OpsError(
      'usage',
      'A parameter may not choose the host of a request.',
      'Begin the path before the first parameter.',
    );
  }
  const encoded: Lookup = (name) => {
    const value = lookup(name);
    if (value === undefined) return value;
    if (name.startsWith('env.')) return addressOf(name, `${value}`);
    if (name.startsWith('context.')) return value;
    const text = typeof value === 'object' ? JSON.stringify(value) : `${value}`;
    if (text === '') throw new OpsError('usage', `${name} is empty, which would ask for another path.`);
    return encodeURIComponent(text);
  };
  const base = fillText(template, encoded) ?? '';
  if (/^\w+:\/\/[^/?#]*@/.test(base)) {
    throw new OpsError(
      'usage',
      'The address of this tool holds a user name or password.',
      'Name a secret under auth instead.',
    );
  }
  // encodeURIComponent leaves dots alone, and `..` would climb out of the path that the tool names.
  if (/\/\.{1,2}(?=[/?#]|$)/.test(base.replace(/^\w+:\/\//, ''))) {
    throw new OpsError('usage', 'The path holds "." or "..", which would ask for another path.');
  }
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((v): [string, string] => [
      key,
      typeof v === 'object' ? JSON.stringify(v) : `${v}`,
    ]),
  );
  const search = new URLSearchParams(pairs).toString();
  return search === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${search}`;
}

/** An address from the environment, without its last slashes. Credentials in it would end up in logs, and a query would swallow the path. */
function addressOf(name: string, raw: string): string {
  // The loader plans examples with placeholders that stand for themselves.
  if (raw === `{{ ${name} }}`) return raw;
  const address = raw.trim().replace(/\/+$/, '');
  const variable = name.slice('env.'.length);
  if (
    address
      .replace(/^\w+:\/*/, '')
      .split(/[/?#]/)[0]
      ?.includes('@')
  ) {
    throw new OpsError(
      'usage',
      `The address in ${variable} holds a user name or password, which would end up in logs.`,
      'Take it out of the address, and set it as a secret that the tool file names under auth.',
    );
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[?#\u0000-\u0020\u007f]/.test(address)) {
    throw new OpsError(
      'usage',
      `The address in ${variable} holds a query, a fragment or a blank.`,
      'Give the base address only.',
    );
  }
  return address;
}

/**
 * Fills a template of JSON. `{ $ago: text }` and `{ $ahead: text }` become RFC 3339, and are left out when their text has no value.
 * Only the template's own are read so: a parameter may hold anything.
 */
function fillValue(template: Json, lookup: Lookup, nowMs: number): Json | undefined {
  if (template === null || typeof template !== 'object') return fillJson(template, lookup);
  if (Array.isArray(template)) {
    return template.flatMap((inner) => {
      const filled = fillValue(inner, lookup, nowMs);
      return filled === undefined ? [] : [filled];
    });
  }
  const entries = Object.entries(template);
  const [key, text] = entries[0] ?? [];
  if (entries.length === 1 && (key === '$ago' || key === '$ahead') && text !== undefined) {
    const value = fillJson(text, lookup);
    if (value === undefined) return undefined;
    return new Date(momentMs(`${value}`, nowMs, key === '$ago' ? 'ago' : 'ahead')).toISOString();
  }
  const filled = entries.map(([name, inner]) => [name, fillValue(inner, lookup, nowMs)] as const);
  return Object.fromEntries(filled.filter((pair): pair is readonly [string, Json] => pair[1] !== undefined));
}

const SECRET_PLACEHOLDER = /\{\{\s*secret\.(\w+)\s*\}\}/;

/**
 * Headers as parts: texts that are filled now, and names of secrets that stand in the tool file itself. Nothing is looked for in
 * a text after it was filled, so that no argument can name a secret. A header whose parameter is absent is left out.
 */
function fillHeaders(headers: Readonly<Record<string, string>>, lookup: Lookup): Record<string, readonly HeaderPart[]> {
  const filled = Object.entries(headers).map(([name, template]) => {
    const parts = template
      .split(SECRET_PLACEHOLDER)
      .map((part, i) => (i % 2 === 1 ? { secret: part } : fillText(part, lookup)));
    return [name.toLowerCase(), parts] as const;
  });
  return Object.fromEntries(
    filled.filter((pair): pair is readonly [string, HeaderPart[]] => pair[1].every((part) => part !== undefined)),
  );
}

/**
 * The headers as they are sent, secrets filled in.
 * @throws OpsError usage when a secret that the tool needs is not set.
 */
export function headersOf(payload: HttpPayload, secret: RunContext['secret']): Record<string, string> {
  const text = (part: HeaderPart) => (typeof part === 'string' ? part : secret(part.secret));
  const filled = Object.entries(payload.headers).map(([name, parts]) => [name, parts.map(text).join('')]);
  const type = payload.body === undefined ? {} : { 'content-type': 'application/json' };
  return { accept: 'application/json, */*;q=0.5', ...type, ...Object.fromEntries(filled), ...authOf(payload, secret) };
}

function authOf({ auth }: HttpPayload, secret: RunContext['secret']): Record<string, string> {
  if (auth === undefined) return {};
  if (!isList(auth)) return proofOf(auth, secret);
  for (const one of auth) {
    try {
      return proofOf(one, secret);
    } catch (error) {
      // Anything but an absent secret is a mistake that must not end in a request without credentials.
      if (!isUnsetSecret(error)) throw error;
    }
  }
  return {};
}

const isList = (auth: HttpAuth | readonly HttpAuth[]): auth is readonly HttpAuth[] => Array.isArray(auth);

function proofOf({ bearer, basic, header }: HttpAuth, secret: RunContext['secret']): Record<string, string> {
  const read = (value: string | SecretRef) => (typeof value === 'string' ? value : secret(value.secret).trim());
  if (bearer) return { authorization: `Bearer ${read(bearer)}` };
  if (basic) {
    const pair = `${read(basic.user)}:${read(basic.password)}`;
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  }
  return header ? { [header.name.toLowerCase()]: read(header.value) } : {};
}

/** The ways to authenticate in words, by the names of their secrets; '' when the tool knows none. */
export function authInWords({ auth }: HttpPayload): string {
  const all = auth === undefined ? [] : isList(auth) ? auth : [auth];
  return all
    .map(({ bearer, basic, header }) => {
      if (!basic) return bearer?.secret ?? header?.value.secret ?? '';
      const { user, password } = basic;
      return typeof user === 'string' ? password.secret : `${user.secret} and ${password.secret}`;
    })
    .join(', or ');
}
