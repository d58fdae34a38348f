import type { RunContext } from '../domain/ports.js';
import { isUnsetSecret } from '../lib/secrets.js';
import type { HeaderPart, HttpAuth, HttpPayload, SecretRef } from './http-spec.js';

/** Where a token is to be had; the values themselves. */
export interface TokenRequest {
  readonly url: string;
  readonly id: string;
  readonly secret: string;
  readonly scope: string;
}

/** What shows the service who asks. */
interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  /** Goes into the address in the last moment: what is shown and recorded never holds it. */
  readonly query?: readonly [name: string, value: string];
  readonly token?: TokenRequest;
}

type Secret = RunContext['secret'];

/**
 * The headers as they are sent, secrets filled in.
 * @throws OpsError usage when a secret that the tool needs is not set.
 */
export function headersOf(payload: HttpPayload, secret: Secret): Record<string, string> {
  const text = (part: HeaderPart) => (typeof part === 'string' ? part : secret(part.secret));
  const filled = Object.entries(payload.headers).map(([name, parts]) => [name, parts.map(text).join('')] as const);
  const own: Record<string, string> = Object.fromEntries(filled);
  const type = payload.body === undefined ? {} : { 'content-type': 'application/json' };
  const proof = proofFor(payload, secret).headers;
  const cookies = [own.cookie, proof.cookie].filter((cookie) => cookie !== undefined);
  return {
    accept: 'application/json, */*;q=0.5',
    ...type,
    ...own,
    ...proof,
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
  };
}

/**
 * The way to authenticate that is used: the one there is, or the first of a list whose secrets are all set.
 * @throws OpsError usage when a secret that the tool needs is not set.
 */
export function proofFor({ auth }: HttpPayload, secret: Secret): Proof {
  if (auth === undefined) return { headers: {} };
  if (!isList(auth)) return proofOf(auth, secret);
  for (const one of auth) {
    try {
      return proofOf(one, secret);
    } catch (error) {
      // Anything but an absent secret is a mistake that must not end in a request without credentials.
      if (!isUnsetSecret(error)) throw error;
    }
  }
  return { headers: {} };
}

const isList = (auth: HttpAuth | readonly HttpAuth[]): auth is readonly HttpAuth[] => Array.isArray(auth);

function proofOf({ bearer, basic, header, query, cookie, oauth2 }: HttpAuth, secret: Secret): Proof {
  const read = (value: string | SecretRef) => (typeof value === 'string' ? value : secret(value.secret).trim());
  if (bearer) return { headers: { authorization: `Bearer ${read(bearer)}` } };
  if (basic) {
    const pair = `${read(basic.user)}:${read(basic.password)}`;
    return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
  }
  if (query) return { headers: {}, query: [query.name, read(query.value)] };
  if (cookie) return { headers: { cookie: `${cookie.name}=${encodeURIComponent(read(cookie.value))}` } };
  if (oauth2) {
    const { token_url: url, client_id: id, client_secret, scopes = [] } = oauth2;
    return { headers: {}, token: { url, id: read(id), secret: read(client_secret), scope: scopes.join(' ') } };
  }
  return { headers: header ? { [header.name.toLowerCase()]: read(header.value) } : {} };
}

/** The ways to authenticate in words, by the names of their secrets; '' when the tool knows none. */
export function authInWords({ auth }: HttpPayload): string {
  const all = auth === undefined ? [] : isList(auth) ? auth : [auth];
  return all.map((one) => secretsOf(one).join(' and ')).join(', or ');
}

const secretsOf = ({ bearer, basic, header, query, cookie, oauth2 }: HttpAuth): string[] =>
  [
    bearer,
    basic?.user,
    basic?.password,
    header?.value,
    query?.value,
    cookie?.value,
    oauth2?.client_id,
    oauth2?.client_secret,
  ].flatMap((part) => (typeof part === 'object' ? [part.secret] : []));
