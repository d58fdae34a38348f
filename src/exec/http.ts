import { messageOf } from '../domain/errors.js';
import type { RunContext, RunOutcome } from '../domain/ports.js';
import type { CallError, Json, JsonObject } from '../domain/types.js';
import type { HttpEnd } from '../lib/http.js';
import { fillJson, fillText, type Lookup, lookupIn } from '../lib/template.js';
import { defineExecutor, runSchema } from './define.js';

interface SecretRef {
  readonly secret: string;
}

interface HttpAuth {
  readonly bearer?: SecretRef;
  readonly basic?: { readonly user: string; readonly password: SecretRef };
  readonly header?: { readonly name: string; readonly value: SecretRef };
}

interface HttpSpec {
  readonly method?: string;
  readonly url: string;
  readonly query?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly auth?: HttpAuth;
  readonly allow_hosts?: readonly string[];
}

interface HttpPayload {
  readonly method: string;
  readonly url: string;
  /** May hold `{{ secret.X }}`, which is filled when the request is made. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly auth?: HttpAuth;
  readonly allowHosts: readonly string[];
}

const SECRET: JsonObject = {
  type: 'object',
  required: ['secret'],
  additionalProperties: false,
  properties: { secret: { type: 'string' } },
};

const AUTH: JsonObject = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    bearer: SECRET,
    basic: {
      type: 'object',
      required: ['user', 'password'],
      additionalProperties: false,
      properties: { user: { type: 'string' }, password: SECRET },
    },
    header: {
      type: 'object',
      required: ['name', 'value'],
      additionalProperties: false,
      properties: { name: { type: 'string' }, value: SECRET },
    },
  },
};

/** `kind: http`: one request to a JSON API. Parameters are encoded where they stand in the URL. */
export const http = defineExecutor<HttpSpec, HttpPayload>({
  kind: 'http',
  specSchema: runSchema('http', ['url'], {
    method: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    url: { type: 'string', minLength: 1 },
    query: { type: 'object' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    body: {},
    auth: AUTH,
    allow_hosts: { type: 'array', items: { type: 'string' } },
  }),
  plan(spec, args, context) {
    const lookup = lookupIn(args, context);
    const method = spec.method ?? 'GET';
    const url = fillUrl(spec.url, spec.query ?? {}, lookup);
    const body = spec.body === undefined ? undefined : JSON.stringify(fillJson(spec.body, lookup));
    const payload = {
      method,
      url,
      headers: fillHeaders(spec.headers ?? {}, lookup),
      allowHosts: spec.allow_hosts ?? [],
      ...(body !== undefined && { body }),
      ...(spec.auth !== undefined && { auth: spec.auth }),
    };
    return { kind: 'http', tokens: [method, url], display: `${method} ${url}${body ? `\n${body}` : ''}`, payload };
  },
  async run(_call, payload, context) {
    let origin: string;
    try {
      origin = new URL(payload.url).host;
    } catch {
      return refused(`${payload.url} is not a URL`, 'Is the variable that holds the address set?');
    }
    try {
      // The HTTP client is large; commands that make no request should not wait for it.
      const { sendRequest } = await import('../lib/http.js');
      const end = await sendRequest({
        method: payload.method,
        url: payload.url,
        headers: withSecrets(payload, context),
        ...(payload.body !== undefined && { body: payload.body }),
        signal: context.signal,
        timeoutMs: context.timeoutMs,
        // Without a list the tool may visit the host that its own file names, and no other.
        mayVisit: (url) => /^https?:$/.test(url.protocol) && isAllowed(url, payload.allowHosts, origin),
        onData: context.write,
      });
      return outcomeOf(end, payload);
    } catch (error) {
      return failed(error, payload, context);
    }
  },
});

function fillUrl(template: string, query: JsonObject, lookup: Lookup): string {
  const encoded: Lookup = (name) => {
    const value = lookup(name);
    const isPart = !name.startsWith('env.') && !name.startsWith('context.');
    return isPart && value !== undefined
      ? encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : `${value}`)
      : value;
  };
  const base = fillText(template, encoded) ?? '';
  const filled = (fillJson(query, lookup) ?? {}) as JsonObject;
  const pairs = Object.entries(filled).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((v): [string, string] => [
      key,
      typeof v === 'object' ? JSON.stringify(v) : `${v}`,
    ]),
  );
  const search = new URLSearchParams(pairs).toString();
  return search === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${search}`;
}

const SECRET_PLACEHOLDER = /\{\{\s*secret\.(\w+)\s*\}\}/g;

/** Fills parameters into headers and leaves secrets for later; a header whose parameter is absent is left out. */
function fillHeaders(headers: Readonly<Record<string, string>>, lookup: Lookup): Record<string, string> {
  const keep: Lookup = (name) => (name.startsWith('secret.') ? `{{ ${name} }}` : lookup(name));
  const filled = Object.entries(headers).map(([name, value]) => [name, fillText(value, keep)] as const);
  return Object.fromEntries(filled.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function withSecrets(payload: HttpPayload, context: RunContext): Record<string, string> {
  const fill = (value: string) => value.replaceAll(SECRET_PLACEHOLDER, (_, name: string) => context.secret(name));
  const headers = Object.fromEntries(Object.entries(payload.headers).map(([name, value]) => [name, fill(value)]));
  const { auth } = payload;
  if (payload.body !== undefined) headers['content-type'] ??= 'application/json';
  if (auth?.bearer) headers.authorization = `Bearer ${context.secret(auth.bearer.secret)}`;
  if (auth?.basic) {
    const pair = `${auth.basic.user}:${context.secret(auth.basic.password.secret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  if (auth?.header) headers[auth.header.name] = context.secret(auth.header.value.secret);
  return headers;
}

function isAllowed(url: URL, allowHosts: readonly string[], ownHost: string): boolean {
  if (allowHosts.length === 0) return url.host === ownHost;
  return allowHosts.includes(url.host) || allowHosts.includes(url.hostname);
}

function outcomeOf(end: HttpEnd, payload: HttpPayload): RunOutcome {
  switch (end.type) {
    case 'answered':
      return end.status < 400
        ? { status: 'ok', exitCode: end.status }
        : networkFailure(`${payload.method} ${end.url} answered ${end.status}`, hintFor(end.status), end.status);
    case 'forbidden':
      return refused(
        `${end.url} is not among the hosts this tool may visit`,
        'Add the host to allow_hosts of the tool, if you trust it.',
      );
    case 'too-many-redirects':
      return networkFailure(`${payload.url} redirects without an end, last to ${end.url}`);
    case 'body-full':
      return networkFailure(`${payload.url} answered more than is stored`, 'Ask for less.');
  }
}

const hintFor = (status: number): string | undefined =>
  status === 401 || status === 403 ? 'Check the credentials of this tool (its auth).' : undefined;

function failed(error: unknown, payload: HttpPayload, context: RunContext): RunOutcome {
  if (context.signal.aborted) return { status: 'cancelled', error: { category: 'cancelled', message: 'interrupted' } };
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name.endsWith('TimeoutError')) {
    const message = `${payload.url} did not answer within ${context.timeoutMs / 1000} s`;
    return { status: 'timed-out', error: { category: 'network', message, exit: 'unavailable' } };
  }
  const cause = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : messageOf(error);
  return networkFailure(
    `${payload.url} could not be reached: ${cause}`,
    'Is the address right, and the service running?',
    undefined,
    'unavailable',
  );
}

function networkFailure(message: string, hint?: string, exitCode?: number, exit?: CallError['exit']): RunOutcome {
  const error: CallError = { category: 'network', message, ...(hint && { hint }), ...(exit && { exit }) };
  return { status: 'failed', error, ...(exitCode !== undefined && { exitCode }) };
}

const refused = (message: string, hint: string): RunOutcome => ({
  status: 'failed',
  error: { category: 'validation', message, hint },
});
