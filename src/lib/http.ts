import { Agent, EnvHttpProxyAgent, request, fetch as undiciFetch } from 'undici';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether a request to this address may be made at all; asked again at every redirect. */
  readonly mayVisit: (url: URL) => boolean;
  /** False ends the reading. */
  readonly onData: (chunk: Uint8Array) => boolean;
}

export type HttpEnd =
  | { readonly type: 'answered'; readonly status: number; readonly contentType: string; readonly url: string }
  | { readonly type: 'forbidden'; readonly url: string }
  | { readonly type: 'too-many-redirects'; readonly url: string }
  | { readonly type: 'body-full' };

const MAX_REDIRECTS = 5;

/** Whether the environment names a proxy. */
export const hasProxy = (env: Readonly<Record<string, string | undefined>>): boolean =>
  Boolean(env.HTTPS_PROXY || env.HTTP_PROXY || env.https_proxy || env.http_proxy);

let pool: Agent | EnvHttpProxyAgent | undefined;

/** One connection pool for the process; proxies come from HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
function connectionPool(): Agent | EnvHttpProxyAgent {
  pool ??= hasProxy(process.env) ? new EnvHttpProxyAgent() : new Agent({ connections: 10 });
  return pool;
}

/** A `fetch` that honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which Node's own does not. */
export const proxyFetch = ((input: string, init: object) =>
  undiciFetch(input, { ...init, dispatcher: connectionPool() })) as unknown as typeof globalThis.fetch;

/**
 * Makes one request and streams the answer. Redirects are followed for GET and HEAD only, and only to addresses that
 * `mayVisit` allows. Headers are dropped when a redirect leaves the origin. Throws what undici throws (refused, DNS, TLS, time-outs).
 */
export async function sendRequest(options: HttpRequest): Promise<HttpEnd> {
  let url = new URL(options.url);
  let headers = options.headers;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    if (!options.mayVisit(url)) return { type: 'forbidden', url: url.href };
    const answer = await request(url, {
      method: options.method as 'GET',
      headers,
      ...(options.body !== undefined && { body: options.body }),
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]),
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      dispatcher: connectionPool(),
    });
    const location = answer.headers.location;
    if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string' && isRead(options.method)) {
      await answer.body.dump();
      const next = new URL(location, url);
      if (next.origin !== url.origin) headers = {};
      url = next;
      continue;
    }
    for await (const chunk of answer.body) {
      if (!options.onData(chunk as Uint8Array)) return { type: 'body-full' };
    }
    const contentType = String(answer.headers['content-type'] ?? '');
    return { type: 'answered', status: answer.statusCode, contentType, url: url.href };
  }
  return { type: 'too-many-redirects', url: url.href };
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
