import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { framesOf, type ServerAnswer, wholeCompletion } from './model-answer.js';

export type { ServerAnswer, ServerCall } from './model-answer.js';

export interface ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ServerRequestBody;
}

/** A chat completion request as it came; nothing in it is checked. */
export interface ServerRequestBody {
  readonly model?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
  readonly stream?: boolean;
  readonly stream_options?: object;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

export type ServerScript =
  | readonly (ServerAnswer | ((request: ServerRequest) => ServerAnswer))[]
  | ((request: ServerRequest) => ServerAnswer);

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Every request so far, in order. */
  readonly requests: readonly ServerRequest[];
  /** Resolves when a client has closed its connection before the answer was complete. */
  readonly hungUp: Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on 127.0.0.1 that plays an OpenAI-compatible model: `POST /v1/chat/completions`, streamed.
 * Each request takes the next answer of the script; one more is answered with 400. A function answers them all.
 */
export async function startModelServer(script: ServerScript): Promise<ModelServer> {
  const requests: ServerRequest[] = [];
  let reportHangUp = (): void => undefined;
  const hungUp = new Promise<void>((resolve) => {
    reportHangUp = resolve;
  });
  const server = createServer(async (incoming, response) => {
    response.on('close', () => {
      if (!response.writableFinished) reportHangUp();
    });
    const request = await readRequest(incoming);
    requests.push(request);
    const path = new URL(request.url, 'http://127.0.0.1').pathname;
    await send(response, path.endsWith('/v1/chat/completions') ? choose(script, requests) : notFound(path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    hungUp,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function choose(script: ServerScript, requests: readonly ServerRequest[]): ServerAnswer {
  const request = requests.at(-1);
  const next = typeof script === 'function' ? script : script[requests.length - 1];
  if (next === undefined || request === undefined) {
    return {
      status: 400,
      body: { error: { message: `The script of the model server ends before request ${requests.length}.` } },
    };
  }
  return typeof next === 'function' ? next(request) : next;
}

const notFound = (path: string): ServerAnswer => ({ status: 404, body: { detail: `Not Found: ${path}` } });

async function readRequest(incoming: IncomingMessage): Promise<ServerRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    headers: incoming.headers,
    body: text === '' ? {} : JSON.parse(text),
  };
}

async function send(response: ServerResponse, answer: ServerAnswer): Promise<void> {
  if (answer.delay !== undefined) await sleep(answer.delay);
  if (answer.html) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><html><head><title>Welcome</title></head><body>Hello</body></html>');
  } else if (answer.status !== undefined) {
    const isText = typeof answer.body === 'string';
    response.writeHead(answer.status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...answer.headers,
    });
    response.end(isText ? answer.body : JSON.stringify(answer.body ?? {}));
  } else if (answer.json) {
    response.writeHead(200, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(wholeCompletion(answer)));
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...answer.headers });
    await sendFrames(response, answer);
  }
}

async function sendFrames(response: ServerResponse, answer: ServerAnswer): Promise<void> {
  const frames = framesOf(answer).map(
    (frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`,
  );
  let left = answer.cut ?? Number.POSITIVE_INFINITY;
  for (const [position, frame] of frames.entries()) {
    if (position === 1 && answer.stall !== undefined) await sleep(answer.stall);
    if (position === frames.length - 1 && answer.lateEnd !== undefined) await sleep(answer.lateEnd);
    if (answer.drip !== undefined) await sleep(answer.drip);
    if (response.destroyed) return;
    const bytes = Buffer.from(frame).subarray(0, left);
    left -= bytes.byteLength;
    await new Promise<void>((resolve) => response.write(bytes, () => resolve()));
    if (left <= 0) {
      // Gives what was written the time to arrive: a reset may overtake it.
      await sleep(20);
      response.destroy();
      return;
    }
  }
  response.end();
}
