import { OpsError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/types.js';
import { isList, isObject, objectAt, textsAt } from '../../../lib/json-values.js';
import type { SourceContext } from '../source.js';
import type { ApiDocument, Operation } from './document.js';

/** Where an API is, and which hosts its tools may visit. */
export interface ApiAddress {
  /** Without a slash at its end. */
  readonly base: string;
  readonly allowHosts: readonly string[];
  readonly publicHosts: readonly string[];
  /** The tool file itself says where the API is: servers of the description do not count. */
  readonly isGiven: boolean;
}

type Source = JsonObject;

/**
 * The address of an API: `base_url` of the source, or the first server of its description. A host that the tool file names itself
 * may be in a private network; one that only the description names must be public, and must be the host the description came
 * from when that came by network.
 * @throws OpsError usage when there is none, or OPENAPI_ALLOWED_DOMAINS rules it out.
 */
export function addressOf(document: ApiDocument, source: Source, context: SourceContext, specUrl?: URL): ApiAddress {
  const listed = textsAt(source, 'allow_hosts');
  const own = typeof source.base_url === 'string' ? fillEnv(source.base_url, context.env) : undefined;
  const base = parse(own ?? serverOf(document.root), own === undefined ? specUrl : undefined);
  if (!/^https?:$/.test(base.protocol) || base.username !== '' || base.password !== '') {
    throw new OpsError(
      'usage',
      `its address ${base.protocol}//… is not a plain http or https address.`,
      'Give base_url.',
    );
  }
  const isNamed = own !== undefined || listed.includes(base.host) || listed.includes(base.hostname);
  if (!isNamed && specUrl && base.host !== specUrl.host) {
    throw new OpsError(
      'usage',
      `it comes from ${specUrl.host}, but leads to ${base.host}.`,
      `If that is meant, add base_url: ${base.href} or allow_hosts: [${base.host}].`,
    );
  }
  const exact = [
    ...new Set([...(own !== undefined ? [base.host] : []), ...listed.filter((host) => !host.startsWith('*.'))]),
  ];
  const address = {
    base: `${base.origin}${base.pathname.replace(/\/+$/, '')}`,
    allowHosts: exact.filter((host) => isAllowedDomain(host, context.env)),
    publicHosts: [...(isNamed ? [] : [base.host]), ...listed.filter((host) => host.startsWith('*.'))].filter((host) =>
      isAllowedDomain(host.replace(/^\*\./, ''), context.env),
    ),
    isGiven: own !== undefined,
  };
  for (const url of [base, ...tokenUrls(source)]) requireAllowed(url, context.env);
  return address;
}

function tokenUrls({ auth }: Source): URL[] {
  const all = [...JSON.stringify(auth ?? null).matchAll(/"token_url":"([^"]+)"/g)].map(([, text = '']) => text);
  return all.flatMap((text) => (URL.canParse(text) ? [new URL(text)] : []));
}

/** @throws OpsError usage when OPENAPI_ALLOWED_DOMAINS is set and does not name the host. */
export function requireAllowed(url: URL, env: SourceContext['env']): void {
  if (isAllowedDomain(url.host, env)) return;
  throw new OpsError(
    'usage',
    `${url.hostname} is not among OPENAPI_ALLOWED_DOMAINS.`,
    'Add it there, if you trust it.',
  );
}

/** Domains with what is below them, separated by commas; `*`, or nothing, allows all. */
function isAllowedDomain(host: string, env: SourceContext['env']): boolean {
  const domains = (env.OPENAPI_ALLOWED_DOMAINS ?? '').split(/[\s,]+/).filter((domain) => domain !== '');
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return (
    domains.length === 0 ||
    domains
      .map((domain) => domain.toLowerCase().replace(/^\*\./, ''))
      .some((domain) => domain === '*' || name === domain || name.endsWith(`.${domain}`))
  );
}

/**
 * Where one operation is: its own server, or that of its path, stands before that of the description.
 * @throws OpsError usage when that is another machine: the credentials of the API are not for it.
 */
export function baseOf({ raw, shared }: Operation, { base, isGiven }: ApiAddress): string {
  const text = serverOf(raw) || serverOf(shared);
  if (isGiven || text === '') return base;
  const { origin, pathname } = parse(text, new URL(base));
  if (origin === new URL(base).origin) return `${origin}${pathname.replace(/\/+$/, '')}`;
  throw new OpsError(
    'usage',
    `it has a server of its own, ${origin}, and not the one of the API`,
    `Give such operations a source of their own, with include: and base_url: ${origin}${pathname}`,
  );
}

/** The first server, its variables filled with their defaults; '' where none is named. */
function serverOf(root: JsonObject): string {
  const [server] = isList(root.servers) ? root.servers : [];
  const { url, variables } = isObject(server) ? server : {};
  const known = isObject(variables) ? variables : {};
  return typeof url === 'string'
    ? url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => `${objectAt(known, name).default ?? whole}`)
    : '';
}

function parse(text: string, from: URL | undefined): URL {
  if (text === '' && from) return new URL('/', from);
  const url = URL.canParse(text, from?.href) ? new URL(text, from) : undefined;
  if (url && !text.includes('{')) return url;
  throw new OpsError(
    'usage',
    text === '' ? 'its description names no server.' : `its server ${JSON.stringify(text)} is no whole address.`,
    'Add base_url: https://… to the source.',
  );
}

/** `{{ env.NAME }}` in an address of the tool file. @throws OpsError usage when a variable is not set. */
export function fillEnv(text: string, env: SourceContext['env']): string {
  return text.replaceAll(/\{\{\s*env\.(\w+)\s*\}\}/g, (_, name: string) => {
    const value = env[name];
    if (value) return value.trim().replace(/\/+$/, '');
    throw new OpsError('usage', `the variable ${name}, which holds its address, is not set.`, `Set ${name}.`);
  });
}

/** What `auth:` could be for a description, with secrets named after the API; undefined when it asks for nothing that is known. */
export function suggestedAuth(document: ApiDocument, name: string): JsonObject | undefined {
  const schemes = objectAt(objectAt(document.root, 'components'), 'securitySchemes');
  const prefix = name.toUpperCase();
  const secret = (end: string): JsonObject => ({ secret: `${prefix}_${end}` });
  for (const raw of Object.values(schemes)) {
    const scheme = document.resolve(raw);
    const kind = `${scheme.scheme ?? ''}`.toLowerCase();
    if (scheme.type === 'http' && kind === 'bearer') return { bearer: secret('TOKEN') };
    if (scheme.type === 'http' && kind === 'basic')
      return { basic: { user: secret('USER'), password: secret('PASSWORD') } };
    if (scheme.type === 'apiKey' && ['header', 'query', 'cookie'].includes(`${scheme.in}`))
      return { [`${scheme.in}`]: { name: scheme.name ?? 'api_key', value: secret('API_KEY') } };
    const flow = objectAt(objectAt(scheme, 'flows'), 'clientCredentials');
    if (scheme.type === 'oauth2' && typeof flow.tokenUrl === 'string') {
      return {
        oauth2: {
          token_url: flow.tokenUrl,
          client_id: secret('CLIENT_ID'),
          client_secret: secret('CLIENT_SECRET'),
          scopes: Object.keys(objectAt(flow, 'scopes')),
        },
      };
    }
  }
  return undefined;
}
