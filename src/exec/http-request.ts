import { OpsError } from '../domain/errors.js';
import type { PlanContext } from '../domain/ports.js';
import type { Json, JsonObject } from '../domain/types.js';
import { valueAt } from '../lib/json-values.js';
import { momentMs } from '../lib/moment.js';
import { fillJson, fillText, type Lookup, lookupIn } from '../lib/template.js';
import type { AdapterTexts } from './adapter-module.js';
import { adaptRequest } from './http-adapter.js';
import { type PlacedParams, placeParams } from './http-params.js';
import { DEFAULT_MAX_BYTES, type HeaderPart, type HttpPayload, type HttpSpec } from './http-spec.js';
import { writeBody } from './http-write.js';

/**
 * The request that a `run:` block and its arguments mean. Parameters are encoded where they stand in the URL. Times count from
 * `nowMs`, so that what is shown is what is sent.
 * @throws OpsError usage when a time means none, or when the address holds a password.
 */
export function fillRequest(
  spec: HttpSpec,
  args: JsonObject,
  context: PlanContext,
  nowMs: number,
  adapters: AdapterTexts,
): HttpPayload {
  const lookup = inside(lookupIn(withAliases(args, spec.aliases ?? {}), context));
  const filled = (spec.params ?? []).flatMap((param) => {
    const value = fillJson(param.value, lookup);
    return value === undefined || value === null ? [] : [{ ...param, filled: value }];
  });
  const placed = placeParams(filled);
  const query = (fillValue(spec.query ?? {}, lookup, nowMs) ?? {}) as JsonObject;
  const url = fillUrl(spec.url, query, lookup, placed);
  const body = spec.body === undefined ? undefined : fillValue(spec.body, lookup, nowMs);
  const headers = Object.entries(placed.headers).map(([name, text]) => [name, [text]] as const);
  const kept = body !== undefined && !(spec.body_optional && isEmpty(body)) ? writeBody(body, spec) : {};
  const payload: HttpPayload = {
    method: spec.method ?? 'GET',
    url,
    headers: {
      ...(kept.type && { 'content-type': [kept.type] }),
      ...fillHeaders(spec.headers ?? {}, lookup),
      ...Object.fromEntries(headers),
    },
    allowHosts: spec.allow_hosts ?? [],
    publicHosts: spec.public_hosts ?? [],
    maxBytes: spec.max_response_bytes ?? DEFAULT_MAX_BYTES,
    bodyAs: spec.body_as ?? 'json',
    ...(kept.text !== undefined && { body: kept.text }),
    ...(spec.auth !== undefined && { auth: spec.auth }),
    ...(spec.adapter !== undefined && { adapter: spec.adapter }),
  };
  return spec.adapter === undefined ? payload : adaptRequest(spec.adapter, adapters, payload);
}

/** Words that stand for the values of a vendor, alone or in a list. */
function withAliases(args: JsonObject, aliases: NonNullable<HttpSpec['aliases']>): JsonObject {
  const meant = (value: Json, words: Readonly<Record<string, string>>): Json => {
    if (Array.isArray(value)) return value.map((one) => meant(one, words));
    return typeof value === 'string' && Object.hasOwn(words, value) ? (words[value] ?? value) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, meant(value, aliases[name] ?? {})]));
}

/** `time_range.start` is a field of the parameter `time_range`. */
const inside =
  (lookup: Lookup): Lookup =>
  (name) => {
    const [first = '', ...rest] = name.split('.');
    if (rest.length === 0 || /^(?:context|env|secret)$/.test(first)) return lookup(name);
    return valueAt(lookup(first), rest);
  };

const isEmpty = (body: Json): boolean => typeof body === 'object' && body !== null && Object.keys(body).length === 0;

/** `{name}`; two braces are a placeholder, which stands for itself when the loader plans an example. */
const PATH_PARAMETER = /(?<!\{)\{([^{}]+)\}(?!\})/g;

function fillUrl(template: string, query: JsonObject, lookup: Lookup, placed: PlacedParams): string {
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
  const base = (fillText(template, encoded) ?? '').replaceAll(
    PATH_PARAMETER,
    (whole, name) => placed.path.get(name) ?? whole,
  );
  const open = [...base.matchAll(PATH_PARAMETER)][0]?.[1];
  if (open !== undefined) throw new OpsError('usage', `The path needs ${open}, which has no value.`);
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
  const search = [new URLSearchParams(pairs).toString(), placed.query].filter((text) => text !== '').join('&');
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
