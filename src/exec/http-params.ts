import { OpsError } from '../domain/errors.js';
import type { Json } from '../domain/types.js';
import type { FieldEncoding } from './http-spec.js';

/** A value that goes where OpenAPI's parameters go: see its sections "Parameter Object" and "Style Values". */
export interface HttpParam {
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /** As the service calls it; in a path it stands as `{name}` in the URL. */
  readonly name: string;
  /** A template; a parameter whose value is absent is left out. */
  readonly value: string;
  readonly style?: 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  readonly explode?: boolean;
  /** The value is sent as JSON text. */
  readonly json?: boolean;
}

type Pair = readonly [name: string, value: string];

/** What the parameters of one request add up to. */
export interface PlacedParams {
  /** Text to put in for `{name}`, percent-encoded. */
  readonly path: ReadonlyMap<string, string>;
  /** `a=1&b=2`, percent-encoded; '' when there is none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Places parameters in a request (OpenAPI 3.1, RFC 6570). Every value is percent-encoded where that applies, so that none can leave
 * its place.
 * @throws OpsError usage for a value that its place cannot hold.
 */
export function placeParams(params: readonly (HttpParam & { readonly filled: Json })[]): PlacedParams {
  const here = (place: HttpParam['in']) => params.filter((param) => param.in === place);
  const cookies = here('cookie').flatMap((param) => formPairs(param, param.explode ?? true).map(joined));
  const headers = here('header').map((param): Pair => [param.name.toLowerCase(), headerText(param)]);
  return {
    path: new Map(here('path').map((param) => [param.name, pathText(param)])),
    query: here('query').flatMap(queryPairs).map(joined).join('&'),
    headers: Object.fromEntries(cookies.length > 0 ? [...headers, ['cookie', cookies.join('; ')]] : headers),
  };
}

type Filled = HttpParam & { readonly filled: Json };

const joined = ([name, value]: Pair): string => `${name}=${value}`;

const enc = encodeURIComponent;

const textOf = (value: Json): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value ?? ''}`;

/** Items of a list, `key,value` pairs of an object, or the value itself. */
const partsOf = (value: Json): string[] =>
  Array.isArray(value)
    ? value.map(textOf)
    : isMap(value)
      ? Object.entries(value).flatMap(([key, inner]) => [key, textOf(inner)])
      : [textOf(value)];

const isMap = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pairsOf = (value: { readonly [key: string]: Json }): Pair[] =>
  Object.entries(value).map(([key, inner]) => [enc(key), enc(textOf(inner))]);

function pathText({ name, filled, style = 'simple', explode = false, json }: Filled): string {
  const text = json ? enc(JSON.stringify(filled)) : styledPath(enc(name), filled, style, explode);
  // An empty segment, or one of dots, would ask for another path.
  if (/^\.{0,2}$/.test(text)) {
    throw new OpsError('usage', `${name} is ${JSON.stringify(textOf(filled))}, which would ask for another path.`);
  }
  return text;
}

function styledPath(name: string, value: Json, style: string, explode: boolean): string {
  const items = explode && isMap(value) ? pairsOf(value).map(joined) : partsOf(value).map(enc);
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return items.join(',');
  if (!explode || !(isMap(value) || Array.isArray(value))) return `;${name}=${items.join(',')}`;
  return (isMap(value) ? items : items.map((item) => `${name}=${item}`)).map((item) => `;${item}`).join('');
}

function queryPairs(param: Filled): Pair[] {
  const { name, filled, style = 'form', json } = param;
  if (json) return [[enc(name), enc(JSON.stringify(filled))]];
  if (style === 'deepObject' && isMap(filled)) return deepPairs(name, filled);
  return formPairs(param, param.explode ?? style === 'form');
}

function formPairs({ name, filled, style }: Filled, explode: boolean): Pair[] {
  if (explode && Array.isArray(filled)) return filled.map((item) => [enc(name), enc(textOf(item))]);
  if (explode && isMap(filled)) return pairsOf(filled);
  const delimiter = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
  return [[enc(name), partsOf(filled).map(enc).join(delimiter)]];
}

/** `filter[a][b]=1`; a list repeats its key. */
function deepPairs(name: string, value: Json): Pair[] {
  if (Array.isArray(value)) return value.map((item) => [enc(name), enc(textOf(item))]);
  if (!isMap(value)) return [[enc(name), enc(textOf(value))]];
  return Object.entries(value).flatMap(([key, inner]) => deepPairs(`${name}[${key}]`, inner));
}

function headerText({ name, filled, explode = false, json }: Filled): string {
  const items =
    explode && isMap(filled)
      ? Object.entries(filled).map(([key, inner]) => `${key}=${textOf(inner)}`)
      : partsOf(filled);
  const text = json ? JSON.stringify(filled) : items.join(',');
  if (!/^[\t\u0020-\u007e\u00a0-\u00ff]*$/.test(text)) {
    throw new OpsError('usage', `${name} goes into a header, which cannot hold a line break or this character.`);
  }
  return text;
}

/**
 * The fields of a form (`application/x-www-form-urlencoded`); a list repeats its key, an object is JSON, unless `encoding` gives a
 * field a style.
 */
export const formText = (
  fields: { readonly [key: string]: Json },
  encoding: Readonly<Record<string, FieldEncoding>> = {},
): string =>
  Object.entries(fields)
    .flatMap(([name, filled]) => {
      const { style, explode } = (Object.hasOwn(encoding, name) ? encoding[name] : undefined) ?? {};
      const field = { in: 'query', name, value: '' } as const;
      if (style === undefined && explode === undefined) return formPairs({ ...field, filled: flat(filled) }, true);
      return queryPairs({ ...field, filled, ...(style && { style }), ...(explode !== undefined && { explode }) });
    })
    .map(joined)
    .join('&');

const flat = (value: Json): Json => (isMap(value) ? JSON.stringify(value) : value);
