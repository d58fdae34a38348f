import { messageOf, OpsError } from '../domain/errors.js';
import type { Endpoint } from './endpoint.js';
import { fieldOf } from './field.js';

const OTHERWISE = 'Or work without a model: --offline.';
const BASE_URL = 'Is the base URL right (--base-url, OPSAGENT_BASE_URL)? Most servers want a path that ends in /v1.';
const KEY_HINT = 'Check the key: --api-key, OPSAGENT_API_KEY or OPENAI_API_KEY.';
const NO_KEY_HINT =
  'No key was sent: set OPSAGENT_API_KEY. (OPENAI_API_KEY goes only to OPENAI_BASE_URL, or to api.openai.com when that is not set.)';
const TLS_HINT =
  'If your network or the server has its own certificate authority, point NODE_EXTRA_CA_CERTS to its PEM file.';

type Explanation = readonly [what: string, hint: string];

/** Codes of Node, OpenSSL and undici. A certificate's own codes are found by their shape. */
const NETWORK: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ['refused the connection', 'Is it running, and is the port right?'],
  ENOTFOUND: ['has no address: its name is unknown', 'Check the spelling of the base URL, and the DNS.'],
  EAI_AGAIN: ['has no address: the name server does not answer', 'Check the network and the DNS.'],
  ETIMEDOUT: ['cannot be reached: the connection timed out', 'Check the network, the VPN and the firewall.'],
  UND_ERR_CONNECT_TIMEOUT: [
    'cannot be reached: the connection timed out',
    'Check the network, the VPN and the firewall.',
  ],
  EHOSTUNREACH: ['cannot be reached: there is no route to it', 'Check the network and the VPN.'],
  ENETUNREACH: ['cannot be reached: there is no network to it', 'Check the network and the VPN.'],
  UND_ERR_HEADERS_TIMEOUT: ['did not start to answer in time', 'Try again, or a smaller model.'],
  UND_ERR_BODY_TIMEOUT: ['stopped half-way and sent nothing more', 'Try again, or a smaller model.'],
  ECONNRESET: ['closed the connection before its answer was complete', 'Try again.'],
  EPIPE: ['closed the connection before its answer was complete', 'Try again.'],
  UND_ERR_SOCKET: ['closed the connection before its answer was complete', 'Try again.'],
  EPROTO: ['does not speak TLS on this port', 'Does the base URL need http:// instead of https://?'],
};

/** The first error code along the causes of a thrown value. */
export function networkCodeOf(thrown: unknown): string | undefined {
  let current = thrown;
  for (let depth = 0; depth < 8; depth += 1) {
    const code = fieldOf(current, 'code');
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
    // Newer Node.js gives its HTTP parser's errors a name only.
    if (fieldOf(current, 'name') === 'HTTPParserError') return 'HPE_OTHER';
    current = fieldOf(current, 'cause');
  }
  return undefined;
}

const isTls = (code: string): boolean => /CERT|SSL|TLS|SELF_SIGNED|SIGNATURE|ISSUER/.test(code);

/** Whether asking again cannot help: a wrong name, or a certificate that is not trusted. */
export const isPermanent = (code: string | undefined): boolean =>
  code !== undefined && (code === 'ENOTFOUND' || code === 'EPROTO' || isTls(code));

const unavailable = (message: string, hint: string): OpsError =>
  new OpsError('unavailable', message, `${hint} ${OTHERWISE}`);

/** Explains a failure of the network below HTTP; undefined when the thrown value is none. */
export function explainNetwork(thrown: unknown, endpoint: Endpoint): OpsError | undefined {
  const code = networkCodeOf(thrown);
  if (code === undefined) return undefined;
  const known = Object.hasOwn(NETWORK, code) ? NETWORK[code] : undefined;
  if (known !== undefined) return unavailable(`The model server ${endpoint.host} ${known[0]} (${code}).`, known[1]);
  if (code.startsWith('HPE_')) {
    return unavailable(`The model server ${endpoint.host} does not speak HTTP on this port (${code}).`, BASE_URL);
  }
  if (isTls(code))
    return unavailable(`The certificate of the model server ${endpoint.host} is not trusted (${code}).`, TLS_HINT);
  return unavailable(`The model server ${endpoint.host} cannot be reached (${code}).`, 'Check the network.');
}

/** The words of an error body: its message, or the title of a page. */
function wordsOf(text: string, endpoint: Endpoint): string {
  const html = /^(?:\d{3} )?\s*</.test(text);
  const words = html ? (/<title[^>]*>([^<]{1,200})/i.exec(text)?.[1] ?? '') : text.replace(/^\d{3} /, '');
  const cleaned = endpoint.clean(words);
  return ['', '{}', 'status code (no body)'].includes(cleaned) ? '' : `: ${cleaned}`;
}

/** Why a request was not understood, by the words the common servers use. */
function explainBadRequest(status: number, words: string, endpoint: Endpoint): OpsError {
  const at = `${endpoint.host} (HTTP ${status})`;
  if (
    /context.{0,20}(length|window|size)|maximum.{0,20}tokens|too (long|many tokens|large)/i.test(words) ||
    status === 413
  ) {
    return unavailable(
      `The request is too long for the model ${endpoint.model} at ${at}${words}`,
      'Start a new session, ask for less at once, or choose a model with a larger context.',
    );
  }
  if (/tool|function/i.test(words) && /support|enable|require|unknown|unrecogni[sz]ed|not allowed/i.test(words)) {
    return unavailable(
      `The model ${endpoint.model} at ${at} cannot call tools${words}`,
      'Choose a model that supports tool calls (function calling), or switch them on in the server.',
    );
  }
  return unavailable(`The model server ${at} did not accept the request${words}`, 'Check the model and its server.');
}

/** Explains an HTTP status other than success. `rawWords` is what the server said; `retryAfter` its header. */
export function explainStatus(
  status: number,
  rawWords: string,
  endpoint: Endpoint,
  retryAfter?: string | null,
): OpsError {
  const words = wordsOf(rawWords, endpoint);
  const at = `${endpoint.host} (HTTP ${status})`;
  if (status === 401 || status === 403) {
    const key = endpoint.hasKey ? 'does not accept the API key' : 'wants an API key';
    return unavailable(`The model server ${at} ${key}${words}`, endpoint.hasKey ? KEY_HINT : NO_KEY_HINT);
  }
  if (status === 402)
    return unavailable(`The account at ${at} cannot pay for this request${words}`, 'Check its balance.');
  if (status === 404) {
    if (/tool use|support tool/i.test(words)) return explainBadRequest(status, words, endpoint);
    return unavailable(`The model server ${at} knows no model ${endpoint.model}, or not this path${words}`, BASE_URL);
  }
  if (status === 429) {
    const wait = retryAfter ? ` It asks to wait: ${endpoint.clean(retryAfter)}.` : '';
    const hint = /quota|billing|credit/i.test(words) ? 'The quota is used up: check the account.' : 'Try again later.';
    return unavailable(`The model server ${at} gets too many requests${words}`, `${hint}${wait}`);
  }
  if (status >= 500 || status === 408) {
    return unavailable(`The model server ${at} failed${words}`, 'Try again later.');
  }
  return explainBadRequest(status, words, endpoint);
}

/** An answer that broke off: what came of it must not be taken for the whole. */
export const explainCut = (endpoint: Endpoint, how = 'ended before it was complete'): OpsError =>
  unavailable(`The answer of the model server ${endpoint.host} ${how}; what came of it is not used.`, 'Try again.');

/** Nothing came that looks like a chat completion. */
export const explainNoAnswer = (endpoint: Endpoint, what: string): OpsError =>
  unavailable(`The model server ${endpoint.host} answered with ${what}, not with a chat completion.`, BASE_URL);

/** A time ran out. `what` says which, `hint` what can be done. */
export const explainTimeout = (endpoint: Endpoint, what: string, hint: string): OpsError =>
  unavailable(`The model server ${endpoint.host} ${what}.`, hint);

/** An answer over one of our limits. */
export const explainTooMuch = (endpoint: Endpoint, what: string): OpsError =>
  unavailable(
    `The model server ${endpoint.host} sent ${what}; the request was stopped.`,
    'Try again, or another model.',
  );

/** A redirect: following it would send the key and the conversation to a place nobody chose. */
export const explainRedirect = (endpoint: Endpoint, status: number, location: string | null): OpsError =>
  unavailable(
    `The model server ${endpoint.host} redirects (HTTP ${status}) to ${endpoint.clean(location ?? 'nowhere')}; redirects are not followed.`,
    'Give the final address as base URL (--base-url, OPSAGENT_BASE_URL).',
  );

/** Explains whatever the client threw. Never shows a key; always names the host. */
export function explainThrown(thrown: unknown, endpoint: Endpoint): OpsError {
  if (thrown instanceof OpsError) return thrown;
  const status = fieldOf(thrown, 'status');
  if (typeof status === 'number') {
    const headers = fieldOf(thrown, 'headers');
    const retryAfter = headers instanceof Headers ? headers.get('retry-after') : null;
    return explainStatus(status, messageOf(thrown), endpoint, retryAfter);
  }
  const network = explainNetwork(thrown, endpoint);
  if (network !== undefined) return network;
  const words = endpoint.clean(innermostMessage(thrown));
  if (fieldOf(thrown, 'error') !== undefined && fieldOf(thrown, 'error') !== null) {
    return unavailable(`The model server ${endpoint.host} reported an error in its answer: ${words}`, 'Try again.');
  }
  // A cause means that no answer came at all.
  const what = fieldOf(thrown, 'cause') === undefined ? 'The answer of' : 'The request to';
  const how = fieldOf(thrown, 'cause') === undefined ? 'cannot be read' : 'failed';
  return unavailable(`${what} the model server ${endpoint.host} ${how}: ${words}`, BASE_URL);
}

/** fetch hides the reason in the cause of its error. */
function innermostMessage(thrown: unknown): string {
  let current = thrown;
  for (let depth = 0; depth < 8; depth += 1) {
    const cause = fieldOf(current, 'cause');
    if (cause === undefined || cause === null) break;
    current = cause;
  }
  return messageOf(current);
}
