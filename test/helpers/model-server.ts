import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerCall {
  readonly name: string;
  /** An object is sent as JSON, a string as it is: it may be broken. */
  readonly arguments: string | object;
  readonly id?: string;
}

/** One answer of the server: a chat completion, with or without a fault. Fields combine. */
export interface ServerAnswer {
  readonly text?: string;
  readonly calls?: readonly ServerCall[];
  /** finish_reason; `tool_calls` with calls, else `stop`; null sends none. */
  readonly finish?: string | null;
  /** Prompt and completion tokens, and those of the prompt that were cached; [10, 5]; false sends none. */
  readonly usage?: readonly [number, number, number?] | false;
  /** Sends tool names in two pieces. */
  readonly splitNames?: boolean;
  /** Leaves the ids of tool calls out. */
  readonly missingIds?: boolean;
  /** `[x]` sends x as the index of every tool call; `[undefined]` leaves it out. */
  readonly weirdIndex?: readonly [unknown];
  /** Sends no `data: [DONE]`. */
  readonly noDone?: boolean;
  /** One JSON completion instead of a stream. */
  readonly json?: boolean;
  /** These frames instead of text and calls: strings as they are, anything else as JSON. */
  readonly frames?: readonly unknown[];
  /** A frame that is no JSON, after the first one. */
  readonly garbage?: string;
  /** A text frame of this many bytes. */
  readonly hugeFrame?: number;
  /** Breaks the connection after this many bytes of the body. */
  readonly cut?: number;
  /** Waits this many ms after the first frame. */
  readonly stall?: number;
  /** Waits this many ms before the status line. */
  readonly delay?: number;
  /** Waits this many ms before the last frame, `[DONE]` or not. */
  readonly lateEnd?: number;
  /** Waits this many ms before each frame. */
  readonly drip?: number;
  readonly html?: boolean;
  /** Status, headers and body as they are; an object becomes JSON. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

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

/** One chunk of a stream. */
export const chunkOf = (delta: object, finish: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'test',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const finishOf = (answer: ServerAnswer): string | null =>
  answer.finish === undefined ? (answer.calls?.length ? 'tool_calls' : 'stop') : answer.finish;

function usageOf(answer: ServerAnswer): object | undefined {
  if (answer.usage === false) return undefined;
  const [prompt, completion, cached] = answer.usage ?? [10, 5];
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details };
}

function framesOf(answer: ServerAnswer): unknown[] {
  const end = answer.noDone ? [] : ['[DONE]'];
  if (answer.frames !== undefined) return [...answer.frames, ...end];
  const usage = usageOf(answer);
  return [
    chunkOf({ role: 'assistant', content: '' }),
    ...(answer.garbage === undefined ? [] : [answer.garbage]),
    ...(answer.hugeFrame === undefined ? [] : [chunkOf({ content: 'x'.repeat(answer.hugeFrame) })]),
    ...piecesOf(answer.text ?? '').map((content) => chunkOf({ content })),
    ...(answer.calls ?? []).flatMap((call, index) => framesOfCall(call, index, answer)),
    chunkOf({}, finishOf(answer)),
    ...(usage === undefined ? [] : [{ ...chunkOf({}), choices: [], usage }]),
    ...end,
  ];
}

function framesOfCall(call: ServerCall, position: number, answer: ServerAnswer): object[] {
  const index = answer.weirdIndex === undefined ? position : answer.weirdIndex[0];
  const id = answer.missingIds ? undefined : (call.id ?? `call_srv_${position}`);
  const half = answer.splitNames ? Math.ceil(call.name.length / 2) : call.name.length;
  const frame = (rest: object): object => chunkOf({ tool_calls: [{ index, ...rest }] });
  return [
    frame({ id, type: 'function', function: { name: call.name.slice(0, half), arguments: '' } }),
    ...(answer.splitNames ? [frame({ function: { name: call.name.slice(half) } })] : []),
    ...piecesOf(argumentsOf(call)).map((piece) => frame({ function: { arguments: piece } })),
  ];
}

const argumentsOf = (call: ServerCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);

/** Cuts into small pieces, a long text into at most 1,000; by code points, so that every piece is a text of its own. */
function piecesOf(text: string): string[] {
  const points = [...text];
  const length = Math.max(7, Math.ceil(points.length / 1_000));
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += length) pieces.push(points.slice(at, at + length).join(''));
  return pieces;
}

const wholeCompletion = (answer: ServerAnswer): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'test',
  choices: [
    {
      index: 0,
      finish_reason: finishOf(answer),
      message: {
        role: 'assistant',
        content: answer.text ?? null,
        tool_calls: answer.calls?.map((call, position) => ({
          ...(answer.missingIds ? {} : { id: call.id ?? `call_srv_${position}` }),
          type: 'function',
          function: { name: call.name, arguments: argumentsOf(call) },
        })),
      },
    },
  ],
  usage: usageOf(answer),
});
