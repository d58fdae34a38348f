import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, ProxyAgent, request, fetch as undiciFetch } from 'undici';
import { trustedAuthorities } from './certificates.js';
import { deadline as deadlineAfter } from './deadline.js';
import { proxyFor } from './proxy.js';
import { isPrivateAddress, lookupPublic, PRIVATE } from './public-address.js';
import { unpack } from './unpack.js';

export { hasProxy } from './proxy.js';

/** In milliseconds and bytes. */
export interface HttpLimits {
  /** Until a connection stands, its TLS included. */
  readonly connectMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** The whole request with all its redirects. */
  readonly totalMs: number;
  /** Of the body, once unpacked. */
  readonly maxBytes: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly limits: HttpLimits;
  /** Whether a request to this address may be made at all; asked again at every redirect. */
  readonly mayVisit: (url: URL) => boolean;
  /** Whether an address of a private network, or of this machine, will do; where it is not said, it will. */
  readonly mayBePrivate?: (url: URL) => boolean;
  /** False ends the reading. */
  readonly onData: (chunk: Uint8Array) => boolean;
}

/** Where a request was when it broke. */
export type HttpPhase = 'connect' | 'headers' | 'body';

/** How a request ended. `url` is the address that was asked last. */
export type HttpEnd = { readonly url: string; readonly proxy?: URL } & (
  | {
      readonly type: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly method: string;
    }
  | { readonly type: 'forbidden' | 'downgraded' | 'change-moved'; readonly from?: string; readonly status?: number }
  | { readonly type: 'too-many-redirects' | 'private' }
  | { readonly type: 'body-full'; readonly bytes: number }
  | { readonly type: 'unknown-encoding'; readonly encoding: string }
  | { readonly type: 'late'; readonly phase: HttpPhase | 'idle'; readonly afterMs: number; readonly bytes: number }
  | { readonly type: 'broken'; readonly phase: HttpPhase; readonly cause: unknown; readonly bytes: number }
);

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const MAX_REDIRECTS = 5;
/** Headers that go along to another origin; any other may be a credential. */
const HARMLESS = ['accept', 'accept-encoding', 'content-type', 'user-agent'];
const REDIRECTS = [301, 302, 303, 307, 308];

const pools = new Map<string, Agent | ProxyAgent>();

/** One pool of connections for each way out: proxy, authorities, and time to connect. */
function poolFor(url: URL, connectMs: number, publicOnly = false): Dispatcher {
  const { env } = process;
  const proxy = proxyFor(url, env);
  const key = JSON.stringify([proxy?.href, env.SSL_CERT_FILE, connectMs, publicOnly]);
  const known = pools.get(key);
  if (known) return known;
  const ca = trustedAuthorities(env);
  // A proxy looks names up itself; what it may reach is its business.
  const lookup = publicOnly && !proxy ? { lookup: lookupPublic } : {};
  const connect = { timeout: connectMs, ...(ca && { ca }), ...lookup };
  const pool = proxy
    ? // Requests to http: go to the proxy as they are: many proxies open tunnels to port 443 only.
      new ProxyAgent({ uri: proxy.href, connections: 10, proxyTunnel: false, requestTls: connect, proxyTls: connect })
    : new Agent({ connections: 10, connect });
  pools.set(key, pool);
  return pool;
}

/** Ends idle connections at once, and busy ones with their answer. Later requests open new ones. */
export function closeConnections(): void {
  // A pool that cannot be closed in order has no connection left.
  for (const pool of pools.values()) pool.close().catch(() => undefined);
  pools.clear();
}

const FETCH_CONNECT_MS = 10_000;

const fetchTo = (publicOnly: boolean) =>
  ((input: string, init: object) =>
    undiciFetch(input, {
      ...init,
      dispatcher: poolFor(new URL(input), FETCH_CONNECT_MS, publicOnly),
    })) as unknown as typeof globalThis.fetch;

/** A `fetch` that honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which Node's own does not, and SSL_CERT_FILE. */
export const proxyFetch = fetchTo(false);

/** The same, to public addresses alone: a name that leads elsewhere fails with a cause whose code is PRIVATE. */
export const publicFetch = fetchTo(true);

/**
 * Makes one request and streams the unpacked answer. Redirects are followed to addresses that `mayVisit` allows, never from https to
 * http, and without the request's own headers once they leave the origin. 307 and 308 repeat the request, 303 reads; a change
 * that is answered 301 or 302 is not repeated elsewhere, since servers disagree on what it would be then. Never throws for what a
 * network or server does.
 * @throws OpsError usage when SSL_CERT_FILE cannot be used.
 */
export async function sendRequest(options: HttpRequest): Promise<HttpEnd> {
  const deadline = deadlineAfter(options.limits.totalMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  let hop: Hop = { url: new URL(options.url), method: options.method, headers: options.headers, body: options.body };
  if (!options.mayVisit(hop.url)) return { type: 'forbidden', url: hop.url.href };
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const end = await visit(hop, options, signal, deadline);
    if ('type' in end) return end;
    hop = end;
  }
  return { type: 'too-many-redirects', url: hop.url.href };
}

async function visit(
  hop: Hop,
  options: HttpRequest,
  signal: AbortSignal,
  deadline: AbortSignal,
): Promise<HttpEnd | Hop> {
  const { limits } = options;
  const publicOnly = !(options.mayBePrivate?.(hop.url) ?? true);
  if (publicOnly && isPrivateAddress(hop.url.hostname)) return { type: 'private', url: hop.url.href };
  const dispatcher = poolFor(hop.url, limits.connectMs, publicOnly);
  const proxy = proxyFor(hop.url, process.env);
  const at = { url: hop.url.href, ...(proxy && { proxy }) };
  const progress: Progress = { phase: 'headers', bytes: 0 };
  try {
    const answer = await request(hop.url, {
      method: hop.method as Dispatcher.HttpMethod,
      headers: { 'accept-encoding': 'gzip, deflate, br', ...hop.headers },
      ...(hop.body !== undefined && { body: hop.body }),
      signal,
      headersTimeout: limits.totalMs,
      bodyTimeout: limits.idleMs,
      dispatcher,
    });
    const headers = flat(answer.headers);
    if (REDIRECTS.includes(answer.statusCode) && headers.location !== undefined) {
      // What else it holds is not worth waiting for.
      answer.body.on('error', () => undefined).destroy();
      return { ...at, ...nextHop(hop, answer.statusCode, headers.location, options.mayVisit) };
    }
    progress.phase = 'body';
    const left = await readBody(answer.body, headers['content-encoding'] ?? '', progress, options);
    return left
      ? { ...at, ...left }
      : { type: 'answered', status: answer.statusCode, headers, method: hop.method, ...at };
  } catch (cause) {
    if (codeOf(cause) === PRIVATE) return { type: 'private', ...at };
    const late = lateness(cause, progress.phase, deadline, limits);
    return late && !options.signal.aborted
      ? { type: 'late', ...late, bytes: progress.bytes, ...at }
      : { type: 'broken', phase: phaseOf(cause, progress.phase), cause, bytes: progress.bytes, ...at };
  }
}

interface Progress {
  phase: 'headers' | 'body';
  bytes: number;
}

/** Where a redirect leads, or why it is not followed. */
function nextHop(hop: Hop, status: number, location: string, mayVisit: (url: URL) => boolean) {
  const from = hop.url.href;
  if (!URL.canParse(location, from)) return { type: 'forbidden' as const, url: location, from, status };
  const url = new URL(location, hop.url);
  const ending = { url: url.href, from, status };
  if (!mayVisit(url)) return { type: 'forbidden' as const, ...ending };
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') return { type: 'downgraded' as const, ...ending };
  const reads = hop.method === 'GET' || hop.method === 'HEAD';
  if (!reads && status < 303) return { type: 'change-moved' as const, ...ending };
  const keep = url.origin === hop.url.origin ? () => true : (name: string) => HARMLESS.includes(name);
  const turns = status === 303 && !reads;
  const kept = Object.entries(hop.headers).filter(([name]) => keep(name) && !(turns && name.startsWith('content-')));
  return {
    url,
    method: turns ? 'GET' : hop.method,
    headers: Object.fromEntries(kept),
    body: turns ? undefined : hop.body,
  };
}

type Left = { type: 'body-full'; bytes: number } | { type: 'unknown-encoding'; encoding: string };

/** Streams the body; undefined when it was read to its end. */
async function readBody(
  body: Readable,
  encoding: string,
  progress: Progress,
  options: HttpRequest,
): Promise<Left | undefined> {
  const unpacked = unpack(body, encoding.trim().toLowerCase());
  if (unpacked === undefined) {
    body.on('error', () => undefined).destroy();
    return { type: 'unknown-encoding', encoding };
  }
  for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
    const room = options.limits.maxBytes - progress.bytes;
    progress.bytes += chunk.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (!options.onData(chunk.length > room ? chunk.subarray(0, room) : chunk) || chunk.length > room) {
      return { type: 'body-full', bytes: Math.min(progress.bytes, options.limits.maxBytes) };
    }
  }
  return undefined;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

function lateness(cause: unknown, phase: Progress['phase'], deadline: AbortSignal, limits: HttpLimits) {
  const code = codeOf(cause);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { phase: 'connect' as const, afterMs: limits.connectMs };
  if (code === 'UND_ERR_BODY_TIMEOUT') return { phase: 'idle' as const, afterMs: limits.idleMs };
  return deadline.aborted || code === 'UND_ERR_HEADERS_TIMEOUT' ? { phase, afterMs: limits.totalMs } : undefined;
}

/** Errors that the operating system or TLS gives while a connection is made. */
const CONNECTING =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|EPROTO|ERR_TLS|CERT_)/;

const phaseOf = (cause: unknown, phase: Progress['phase']): HttpPhase =>
  CONNECTING.test(codeOf(cause)) ? 'connect' : phase;

/** One value a name; several are joined as HTTP says. */
const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );
