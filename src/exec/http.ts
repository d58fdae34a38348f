import { OpsError } from '../domain/errors.js';
import type { RunContext, RunOutcome } from '../domain/ports.js';
import type { ClearedCall } from '../domain/types.js';
import { defineExecutor } from './define.js';
import { rememberStart } from './http-body.js';
import { outcomeOf, refused } from './http-outcome.js';
import { fillRequest, headersOf } from './http-request.js';
import { HTTP_SCHEMA, type HttpPayload, type HttpSpec } from './http-spec.js';

const MAX_CONNECT_MS = 10_000;
const MAX_IDLE_MS = 15_000;

/** `kind: http`: one request to a JSON API. Parameters are encoded where they stand in the URL. */
export const http = defineExecutor<HttpSpec, HttpPayload>({
  kind: 'http',
  specSchema: HTTP_SCHEMA,
  plan(spec, args, context) {
    const payload = fillRequest(spec, args, context, Date.now());
    const { method, url, body } = payload;
    return { kind: 'http', tokens: [method, url], display: `${method} ${url}${body ? `\n${body}` : ''}`, payload };
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
      const sent = {
        ...payload,
        url: context.reveal(payload.url, encodeURIComponent),
        ...(payload.body !== undefined && {
          body: context.reveal(payload.body, (value) => JSON.stringify(value).slice(1, -1)),
        }),
      };
      const headers = Object.entries(headersOf(payload, context.secret));
      return await send(call, sent, context, Object.fromEntries(headers.map(([k, v]) => [k, context.reveal(v)])));
    } catch (error) {
      // A secret or a certificate file that cannot be used: a person has to mend it.
      if (!(error instanceof OpsError)) throw error;
      return refused(error.message, error.hint ?? '', 'usage');
    }
  },
});

async function send(
  call: ClearedCall,
  payload: HttpPayload,
  context: RunContext,
  headers: Readonly<Record<string, string>>,
): Promise<RunOutcome> {
  // The HTTP client is large; commands that make no request should not wait for it.
  const { sendRequest } = await import('../lib/http.js');
  const own = new URL(payload.url).host;
  const start = rememberStart();
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
    mayVisit: (url) => /^https?:$/.test(url.protocol) && isAllowed(url, payload.allowHosts, own),
    onData(chunk) {
      start.take(chunk);
      return context.write(chunk);
    },
  });
  if (context.signal.aborted) return { status: 'cancelled', error: { category: 'cancelled', message: 'interrupted' } };
  return outcomeOf(end, { payload, wantsJson: call.tool.output.format === 'json', start: start.text() });
}

function isAllowed(url: URL, allowHosts: readonly string[], ownHost: string): boolean {
  if (allowHosts.length === 0) return url.host === ownHost;
  return allowHosts.includes(url.host) || allowHosts.includes(url.hostname);
}
