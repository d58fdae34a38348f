import { OpsError } from '../domain/errors.js';
import type { Executor, RunContext, RunOutcome } from '../domain/ports.js';
import type { ClearedCall } from '../domain/types.js';
import type { HttpEnd } from '../lib/http.js';
import type { AdapterTexts } from './adapter-module.js';
import { defineExecutor } from './define.js';
import { adaptResponse, MAX_TRANSFORMED_BYTES } from './http-adapter.js';
import { headersOf, proofFor } from './http-auth.js';
import { rememberStart } from './http-body.js';
import { outcomeOf, refused } from './http-outcome.js';
import { fillRequest } from './http-request.js';
import { HTTP_SCHEMA, type HttpPayload, type HttpSpec } from './http-spec.js';
import { forgetToken, tokenFor } from './http-token.js';

/** The HTTP client is large; commands that make no request should not wait for it. */
let client: Promise<typeof import('../lib/http.js')> | undefined;
const loadClient = () => {
  client ??= import('../lib/http.js');
  return client;
};

const MAX_CONNECT_MS = 10_000;
const MAX_IDLE_MS = 15_000;

/** `kind: http`: one request to a JSON API. Parameters are encoded where they stand in the URL. `adapters`: what may change requests. */
export const httpExecutor = (adapters: AdapterTexts = new Map()): Executor =>
  defineExecutor<HttpSpec, HttpPayload>({
    kind: 'http',
    specSchema: HTTP_SCHEMA,
    plan(spec, args, context) {
      const payload = fillRequest(spec, args, context, Date.now(), adapters);
      const { method, url, body } = payload;
      const lines = [`${method} ${url}`, ...shownHeaders(spec, payload), ...(body ? [body] : [])];
      return { kind: 'http', tokens: [method, url], display: lines.join('\n'), payload };
    },
    async run(call, payload, context) {
      if (!/^https?:\/\/[^/?#]/i.test(payload.url) || !URL.canParse(payload.url)) {
        const address = payload.url.split(/[/?]/)[0] ?? '';
        return refused(
          `${address === '' ? 'the address of this tool' : JSON.stringify(address)} does not begin with http:// or https://, or is no address`,
          'Is the variable that holds the address set, in full?',
          'usage',
        );
      }
      try {
        const { query, token } = proofFor(payload, context.secret);
        const proof = query ? `${payload.url.includes('?') ? '&' : '?'}${query.map(encodeURIComponent).join('=')}` : '';
        const sent = {
          ...payload,
          url: `${context.reveal(payload.url, encodeURIComponent)}${proof}`,
          ...(payload.body !== undefined && { body: context.reveal(payload.body, ENCODERS[payload.bodyAs]) }),
        };
        const headers = Object.entries(headersOf(payload, context.secret)).map(([name, text]) => [
          name,
          context.reveal(text, name === 'cookie' ? encodeURIComponent : undefined),
        ]);
        const access = token && (await tokenFor(token, context.signal, context.timeoutMs));
        const outcome = await send(call, payload, sent, context, adapters, {
          ...Object.fromEntries(headers),
          ...(access !== undefined && { authorization: `Bearer ${access}` }),
        });
        if (token && outcome.exitCode === 401) forgetToken(token);
        return outcome;
      } catch (error) {
        // A secret or a certificate file that cannot be used: a person has to mend it.
        if (!(error instanceof OpsError)) throw error;
        return refused(error.message, error.hint ?? '', error.exit === 'unavailable' ? 'unavailable' : 'usage');
      }
    },
    close: () => void client?.then(({ closeConnections }) => closeConnections()),
  });

/** How a secret is written into a body, so that it cannot leave its place there. */
const ENCODERS: Readonly<Record<HttpPayload['bodyAs'], ((value: string) => string) | undefined>> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: encodeURIComponent,
  multipart: undefined,
  text: undefined,
};

/** Headers that arguments decide. */
const shownHeaders = ({ params = [] }: HttpSpec, { headers }: HttpPayload): string[] => {
  const names = params.flatMap((param) =>
    param.in === 'cookie' ? 'cookie' : param.in === 'header' ? param.name.toLowerCase() : [],
  );
  return [...new Set(names)].flatMap((name) => (headers[name] ? [`${name}: ${headers[name].join('')}`] : []));
};

async function send(
  call: ClearedCall,
  shown: HttpPayload,
  payload: HttpPayload,
  context: RunContext,
  adapters: AdapterTexts,
  headers: Readonly<Record<string, string>>,
): Promise<RunOutcome> {
  const { sendRequest } = await loadClient();
  const own = new URL(payload.url).host;
  const start = rememberStart();
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  const { timeoutMs } = context;
  const end = await sendRequest({
    method: payload.method,
    url: payload.url,
    headers,
    ...(payload.body !== undefined && { body: payload.body }),
    signal: context.signal,
    limits: {
      connectMs: Math.min(MAX_CONNECT_MS, timeoutMs),
      idleMs: Math.min(MAX_IDLE_MS, timeoutMs),
      totalMs: timeoutMs,
      maxBytes: payload.maxBytes,
    },
    // Without a list the tool may visit the host that its own file names, and no other.
    mayVisit: (url) => /^https?:$/.test(url.protocol) && (isAllowed(url, payload, own) || isPublic(url, payload)),
    mayBePrivate: (url) => isAllowed(url, payload, own),
    onData(chunk) {
      start.take(chunk);
      heldBytes += chunk.length;
      if (payload.adapter === undefined || heldBytes > MAX_TRANSFORMED_BYTES)
        return [...held.splice(0), chunk].every((one) => context.write(one));
      held.push(chunk);
      return true;
    },
  });
  if (held.length > 0) context.write(adapted(payload, adapters, end, Buffer.concat(held).toString('utf8')));
  if (context.signal.aborted) return { status: 'cancelled', error: { category: 'cancelled', message: 'interrupted' } };
  return outcomeOf(end, { payload: shown, wantsJson: call.tool.output.format === 'json', start: start.text() });
}

function adapted({ adapter }: HttpPayload, adapters: AdapterTexts, end: HttpEnd, body: string): string {
  if (adapter === undefined || end.type !== 'answered' || end.status >= 400) return body;
  return adaptResponse(adapter, adapters, { status: end.status, contentType: end.headers['content-type'] ?? '', body });
}

function isAllowed(url: URL, { allowHosts, publicHosts }: HttpPayload, ownHost: string): boolean {
  if (allowHosts.length === 0 && publicHosts.length === 0) return url.host === ownHost;
  return allowHosts.includes(url.host) || allowHosts.includes(url.hostname);
}

/** A host that nobody listed by name itself: `*.example.com`, or the one that a description gives. */
const isPublic = (url: URL, { publicHosts }: HttpPayload): boolean =>
  publicHosts.some((host) =>
    host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === url.host || host === url.hostname,
  );
