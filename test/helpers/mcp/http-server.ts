import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createAnswers } from './answers.mjs';

export interface McpHttpServer {
  readonly url: string;
  readonly seen: { readonly method: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** Forgets all sessions, as a server does that was started anew. */
  forget(): void;
  close(): Promise<void>;
}

interface HttpOptions {
  /** `streamable`, or the transport of the time before it: a stream of events, and messages to another address. */
  readonly kind: 'streamable' | 'sse';
  /** Answers a request by itself; true when it did. */
  readonly first?: (response: ServerResponse, method: string) => boolean;
}

/** The scripted server over HTTP. */
export async function serveMcp(scenarioPath: string, { kind, first }: HttpOptions): Promise<McpHttpServer> {
  const seen: McpHttpServer['seen'] = [];
  const sockets = new Set<Socket>();
  let sessions = 0;
  let current = '';
  let events: ServerResponse | undefined;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', headers } = request;
      const body = Buffer.concat(chunks).toString();
      seen.push({ method, headers, body });
      if (first?.(response, method)) return;
      if (kind === 'sse') return overSse(method, body, response);
      return overStreamable(method, headers, body, response);
    });
  });

  function overStreamable(method: string, headers: IncomingHttpHeaders, body: string, response: ServerResponse): void {
    if (method !== 'POST') return void response.writeHead(method === 'DELETE' ? 200 : 405).end();
    const message = JSON.parse(body);
    if (message.method === 'initialize') current = `session-${++sessions}`;
    else if (headers['mcp-session-id'] !== current) return void response.writeHead(404).end('no such session');
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
    const answer = createAnswers(scenarioPath, (reply: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': current });
      response.end(JSON.stringify(reply));
    });
    void answer(message);
  }

  function overSse(method: string, body: string, response: ServerResponse): void {
    if (method === 'GET') {
      events = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages\n\n');
      return;
    }
    if (!events) return void response.writeHead(405).end();
    response.writeHead(202).end();
    const stream = events;
    const answer = createAnswers(scenarioPath, (reply: unknown) => {
      stream.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
    });
    void answer(JSON.parse(body));
  }

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    forget: () => {
      current = '';
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
