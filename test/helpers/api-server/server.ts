import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import { ApiFailure, badRequest, statusBody, unauthorized } from './failures.js';
import { decodeProtobuf } from './protobuf-body.js';
import type { ApiRequest, Reply } from './reply.js';
import { answer } from './router.js';

/** One request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON or protobuf, the text when it is neither; undefined without a body. */
  readonly body: unknown;
  readonly userAgent: string;
}

/** A trouble for matching requests. `times` counts down, without it the trouble stays; the first that matches is used. */
export interface Fault {
  readonly method?: string;
  /** Tested against the path without the query. */
  readonly path?: RegExp;
  times?: number;
  readonly effect:
    | { readonly kind: 'status'; readonly code: number; readonly message?: string }
    /** Answers after this long. */
    | { readonly kind: 'delay'; readonly delayMs: number }
    /** Sends half of the answer, then cuts the connection. */
    | { readonly kind: 'truncate' }
    /** Cuts the connection without an answer. */
    | { readonly kind: 'reset' }
    /** Never answers. */
    | { readonly kind: 'hang' };
}

/** How requests are received. */
export interface Reception {
  readonly cluster: Cluster;
  readonly token: string;
  readonly latencyMs: number;
  readonly faults: readonly Fault[];
  readonly requests: RecordedRequest[];
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const MAX_BODY_BYTES = 8 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const buffer: Buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > MAX_BODY_BYTES) throw badRequest('the request body is too large');
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}

function parseBody(bytes: Buffer, contentType: string): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  try {
    return contentType.startsWith(PROTOBUF) ? decodeProtobuf(bytes) : JSON.parse(text);
  } catch (error) {
    return error instanceof ApiFailure ? error : text;
  }
}

function faultFor(faults: readonly Fault[], method: string, path: string): Fault['effect'] | undefined {
  const fault = faults.find(
    (item) =>
      (item.method === undefined || item.method === method) &&
      (item.path === undefined || item.path.test(path)) &&
      (item.times === undefined || item.times > 0),
  );
  if (fault?.times !== undefined) fault.times -= 1;
  return fault?.effect;
}

function send(response: ServerResponse, code: number, contentType: string, body: string | Uint8Array): void {
  const bytes = Buffer.from(body);
  response.writeHead(code, { 'content-type': contentType, 'content-length': bytes.length });
  response.end(bytes);
}

function sendWatch(response: ServerResponse, reply: Extract<Reply, { kind: 'watch' }>): void {
  response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
  response.flushHeaders();
  const stop = reply.start((event) => response.write(`${JSON.stringify(event)}\n`));
  const timer = setTimeout(() => response.end(), Math.min(reply.timeoutMs, 2 ** 31 - 1));
  response.on('close', () => {
    clearTimeout(timer);
    stop();
  });
}

function sendReply(response: ServerResponse, reply: Reply): void {
  if (reply.kind === 'watch') sendWatch(response, reply);
  else if (reply.kind === 'text') send(response, reply.code, 'text/plain; charset=utf-8', reply.text);
  else if (reply.kind === 'bytes') send(response, 200, reply.contentType, reply.bytes);
  else send(response, reply.code, reply.contentType ?? 'application/json', JSON.stringify(reply.body));
}

function sendFailure(response: ServerResponse, failure: ApiFailure): void {
  send(response, failure.code, 'application/json', JSON.stringify(statusBody(failure)));
}

async function respond(reception: Reception, request: ApiRequest, response: ServerResponse): Promise<void> {
  const effect = faultFor(reception.faults, request.method, request.path);
  if (reception.latencyMs > 0) await sleep(reception.latencyMs);
  if (effect?.kind === 'hang') return;
  if (effect?.kind === 'reset') {
    response.destroy();
    return;
  }
  if (effect?.kind === 'delay') await sleep(effect.delayMs);
  if (effect?.kind === 'status') {
    const reason = effect.code >= 500 ? 'InternalError' : 'BadRequest';
    throw new ApiFailure(
      effect.code,
      reason,
      effect.message ?? 'an error on the server ("") has prevented the request',
    );
  }
  const reply = answer(reception.cluster, request);
  if (effect?.kind === 'truncate' && reply.kind === 'json') {
    const body = Buffer.from(JSON.stringify(reply.body));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
    return;
  }
  sendReply(response, reply);
}

/** Notes a request among those of the reception, and gives it back as the handlers see it. */
export function recordRequest(reception: Reception, incoming: IncomingMessage, body: unknown): ApiRequest {
  const url = new URL(incoming.url ?? '/', 'https://127.0.0.1');
  const method = incoming.method ?? 'GET';
  reception.requests.push({
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body,
    userAgent: incoming.headers['user-agent'] ?? '',
  });
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    accept: incoming.headers.accept ?? '',
    contentType: incoming.headers['content-type'] ?? '',
    body,
  };
}

/** Receives one request: records it, checks the token, answers it. Never throws; a bug of the helper becomes a 500. */
export async function receive(
  reception: Reception,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const bytes = await readBody(incoming);
    const contentType = incoming.headers['content-type'] ?? '';
    const request = recordRequest(reception, incoming, parseBody(bytes, contentType));
    if (request.body instanceof ApiFailure) throw request.body;
    if (incoming.headers.authorization !== `Bearer ${reception.token}`) throw unauthorized();
    await respond(reception, request, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else if (error instanceof ApiFailure) sendFailure(response, error);
    else sendFailure(response, new ApiFailure(500, 'InternalError', `test API server: ${String(error)}`));
  }
}
