import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { httpExecutor } from '../../src/exec/http.js';
import { aClearedCall, aRunContext } from '../helpers/run-context.js';

const http = httpExecutor();

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  readonly close: () => Promise<void>;
}

type Answer = (...parameters: [...Parameters<RequestListener>, Seen]) => void;

/** A server on a free port of this machine that remembers what it was asked. */
export function serve(answer: Answer, tls?: { readonly key: string; readonly cert: string }): Promise<TestServer> {
  const seen: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      answer(request, response, one);
    });
  };
  const server = tls ? createHttpsServer(tls, listener) : createServer(listener);
  return listen(server, tls ? 'https' : 'http', seen);
}

/** A server below HTTP: what it does with a connection is the test's business. */
export function serveTcp(onConnection: (socket: Socket) => void): Promise<TestServer> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      onConnection(socket);
    }),
    'http',
    [],
  );
}

async function listen(server: Server | TcpServer, scheme: string, seen: Seen[]): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { url: `${scheme}://127.0.0.1:${port}`, port, seen, close };
}

export interface HttpRunOptions {
  readonly args?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly format?: 'json' | 'text';
  readonly secret?: (name: string) => string;
}

/** Plans and runs one `kind: http` call. */
export async function runHttp(spec: JsonObject, options: HttpRunOptions = {}) {
  const { args = {}, env = {}, format = 'text', ...overrides } = options;
  const action = http.plan({ kind: 'http', ...spec }, args, { context: {}, env });
  const context = aRunContext(overrides);
  const call = aClearedCall(action, { output: { format, keep: 'both', maxBytes: 16_384 } });
  const outcome = await http.run(call, context);
  return { outcome, action, ...context.seen };
}

/** The server; it is closed when the test is over. */
export async function keep(server: Promise<TestServer>): Promise<TestServer> {
  const { close } = await server;
  onTestFinished(close);
  return server;
}
