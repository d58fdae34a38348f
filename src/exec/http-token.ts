import { OpsError } from '../domain/errors.js';
import { isObject } from '../lib/json-values.js';
import type { TokenRequest } from './http-auth.js';

interface Kept {
  readonly token: string;
  /** In ms of `Date.now()`. */
  readonly until: number;
}

const tokens = new Map<string, Kept>();

/** A token is not used in its last seconds: it must hold until the service has looked at it. */
const MARGIN_MS = 30_000;
const DEFAULT_LIFE_MS = 300_000;
const MAX_BYTES = 65_536;

const keyOf = (request: TokenRequest): string => JSON.stringify(request);

/** Forgets a token that the service does not accept any more. */
export const forgetToken = (request: TokenRequest): void => void tokens.delete(keyOf(request));

/**
 * A token by client credentials (RFC 6749 4.4), from memory while it holds. The request goes to the host of the token address and
 * nowhere else.
 * @throws OpsError unavailable when there is none to be had; its message holds no secret.
 */
export async function tokenFor(request: TokenRequest, signal: AbortSignal, totalMs: number): Promise<string> {
  const known = tokens.get(keyOf(request));
  if (known && known.until > Date.now()) return known.token;
  const fresh = await askFor(request, signal, totalMs);
  tokens.set(keyOf(request), fresh);
  return fresh.token;
}

async function askFor(request: TokenRequest, signal: AbortSignal, totalMs: number): Promise<Kept> {
  const fail = (why: string) =>
    new OpsError(
      'unavailable',
      `No token from ${request.url}: ${why}.`,
      'Check the client id, its secret and the scopes.',
    );
  if (!URL.canParse(request.url)) throw fail('it is no address');
  const { host } = new URL(request.url);
  const { sendRequest } = await import('../lib/http.js');
  const chunks: Uint8Array[] = [];
  // RFC 6749 2.3.1: both are form-encoded before they are joined.
  const form = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  const end = await sendRequest({
    method: 'POST',
    url: request.url,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${form(request.id)}:${form(request.secret)}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(request.scope && { scope: request.scope }),
    }).toString(),
    signal,
    limits: { connectMs: Math.min(10_000, totalMs), idleMs: totalMs, totalMs, maxBytes: MAX_BYTES },
    mayVisit: (url) => url.host === host,
    onData: (chunk) => chunks.push(chunk) > 0,
  });
  if (end.type !== 'answered')
    throw fail(end.type === 'broken' ? 'it cannot be reached' : `the request ended: ${end.type}`);
  if (end.status !== 200) throw fail(`it answered ${end.status}`);
  const answer = parse(Buffer.concat(chunks).toString('utf8'));
  const { access_token: token, expires_in: life } = isObject(answer) ? answer : {};
  if (typeof token !== 'string' || token === '') throw fail('its answer holds none');
  const lifeMs = typeof life === 'number' ? life * 1000 : DEFAULT_LIFE_MS;
  return { token, until: Date.now() + lifeMs - MARGIN_MS };
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
