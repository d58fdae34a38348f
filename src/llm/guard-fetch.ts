import { OpsError } from '../domain/errors.js';
import type { Endpoint } from './endpoint.js';
import {
  explainNetwork,
  explainNoAnswer,
  explainRedirect,
  explainTimeout,
  explainTooMuch,
  isPermanent,
  networkCodeOf,
} from './errors.js';

type Fetch = typeof globalThis.fetch;

/** Limits of one answer. */
export interface GuardLimits {
  /** Bytes of a whole answer, unpacked. */
  readonly maxBytes: number;
  /** Longest silence once the answer has begun. */
  readonly idleTimeoutMs: number;
  /** Longest wait for the first byte of the answer. */
  readonly requestTimeoutMs: number;
}

/** What the transport and the reader of one request tell each other. */
export interface Watch {
  /** Aborted with an OpsError when the transport gives up, with the caller's reason when the caller does. */
  readonly stop: AbortController;
  /** Set by the reader once the model said why it stopped; what is missing after that is not waited for. */
  answered: boolean;
  /** Set by the transport when the stream ended with its end mark, `data: [DONE]`. */
  endMark: boolean;
  /** Set by the transport: whether the answer came as a stream, or whole as one JSON completion. */
  transport?: 'stream' | 'whole';
}

/** The client would add headers of its own and of the environment; a server gets no more than these. */
const SENT_HEADERS = ['accept', 'authorization', 'content-type'];
/** An error body is only read for its words. */
const MAX_ERROR_BYTES = 64 * 1024;
/** How long usage and end mark may take after the last word. */
const TAIL_TIMEOUT_MS = 5_000;
const END_MARK = /(?:^|[\r\n])data: ?\[DONE\]\s*$/;

/**
 * Makes the `fetch` of one request: requests go to the endpoint's origin only and follow no redirect, the answer is
 * limited in bytes and in silence, HTML is refused, one JSON completion becomes a stream of one event.
 * When asking again is useless it aborts `watch.stop` with the OpsError that says why.
 */
export function createGuardedFetch(fetch: Fetch, endpoint: Endpoint, limits: GuardLimits, watch: Watch): Fetch {
  const giveUp = (error: OpsError): OpsError => {
    watch.stop.abort(error);
    return error;
  };
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== endpoint.origin)
      throw giveUp(new OpsError('bug', `A request to ${endpoint.host} was about to leave for another server.`));
    watch.endMark = false;
    const response = await fetchInTime(fetch, url, init, endpoint, limits, giveUp);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw giveUp(explainRedirect(endpoint, response.status, response.headers.get('location')));
    }
    if (response.body === null) return response;
    const body = guardBody(response.body, endpoint, limits, watch);
    if (!response.ok) return rewrap(await readText(body, MAX_ERROR_BYTES), response);
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    if (type.includes('html')) {
      await body.cancel();
      throw giveUp(explainNoAnswer(endpoint, 'HTML (a web page)'));
    }
    watch.transport = /^application\/([\w.-]+\+)?json\b/.test(type) ? 'whole' : 'stream';
    if (watch.transport === 'stream') return rewrap(body, response);
    const event = asEvent(await readText(body, limits.maxBytes));
    if (watch.stop.signal.aborted) throw watch.stop.signal.reason;
    if (event === undefined) throw giveUp(explainNoAnswer(endpoint, 'broken JSON'));
    watch.endMark = true;
    return rewrap(event, response, 'text/event-stream');
  };
}

async function fetchInTime(
  fetch: Fetch,
  url: string,
  init: RequestInit | undefined,
  endpoint: Endpoint,
  limits: GuardLimits,
  giveUp: (error: OpsError) => OpsError,
): Promise<Response> {
  const given = new Headers(init?.headers);
  const headers = new Headers({ 'user-agent': 'opsagent' });
  for (const name of SENT_HEADERS) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  const timer = setTimeout(() => giveUp(lateStart(endpoint, limits)), limits.requestTimeoutMs);
  try {
    return await fetch(url, { ...init, headers, redirect: 'manual' });
  } catch (thrown) {
    const reason = isPermanent(networkCodeOf(thrown)) ? explainNetwork(thrown, endpoint) : undefined;
    throw reason === undefined ? thrown : giveUp(reason);
  } finally {
    clearTimeout(timer);
  }
}

const lateStart = (endpoint: Endpoint, limits: GuardLimits): OpsError =>
  explainTimeout(
    endpoint,
    `did not begin to answer within ${limits.requestTimeoutMs} ms`,
    'Is the model still loading? Try again, or allow more with OPSAGENT_MODEL_TIMEOUT_MS.',
  );

const silence = (endpoint: Endpoint, limits: GuardLimits): OpsError =>
  explainTimeout(
    endpoint,
    `stopped half-way and sent nothing for ${limits.idleTimeoutMs} ms`,
    'Try again, or allow more with OPSAGENT_MODEL_IDLE_TIMEOUT_MS.',
  );

/** Passes a body on, byte for byte, until it is too long or silent for too long. Reads only what is asked for. */
function guardBody(
  body: ReadableStream<Uint8Array>,
  endpoint: Endpoint,
  limits: GuardLimits,
  watch: Watch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  let tail = '';
  // A body that failed meanwhile refuses to be cancelled; the read that waits reports why.
  const release = (): Promise<void> => reader.cancel().catch(() => undefined);
  /** Resolves with undefined at the end of the body, and when time ran out. */
  const next = async (): Promise<Uint8Array | undefined> => {
    const begun = bytes > 0;
    const waitMs = watch.answered
      ? Math.min(TAIL_TIMEOUT_MS, limits.idleTimeoutMs)
      : begun
        ? limits.idleTimeoutMs
        : limits.requestTimeoutMs;
    const timer = setTimeout(() => {
      if (!watch.answered) watch.stop.abort(begun ? silence(endpoint, limits) : lateStart(endpoint, limits));
      release();
    }, waitMs);
    try {
      const read = await reader.read();
      return read.done ? undefined : read.value;
    } finally {
      clearTimeout(timer);
    }
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const chunk = await next();
    if (chunk === undefined) {
      watch.endMark ||= END_MARK.test(tail);
      controller.close();
      return;
    }
    bytes += chunk.byteLength;
    if (bytes > limits.maxBytes) {
      watch.stop.abort(explainTooMuch(endpoint, `more than ${limits.maxBytes} bytes`));
      await release();
      controller.close();
      return;
    }
    tail = (tail + Buffer.from(chunk.subarray(-64)).toString('latin1')).slice(-64);
    watch.endMark ||= END_MARK.test(tail);
    controller.enqueue(chunk);
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

/** The first `maxBytes` of a body as text; the rest is not read. */
async function readText(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

/** A JSON document as a stream of one event; undefined when it is not JSON. */
function asEvent(text: string): string | undefined {
  try {
    return `data: ${JSON.stringify(JSON.parse(text))}\n\ndata: [DONE]\n\n`;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

function rewrap(body: string | ReadableStream<Uint8Array>, from: Response, contentType?: string): Response {
  const headers = new Headers(from.headers);
  // They described the packed body.
  headers.delete('content-length');
  headers.delete('content-encoding');
  if (contentType !== undefined) headers.set('content-type', contentType);
  return new Response(body, { status: from.status, statusText: from.statusText, headers });
}
