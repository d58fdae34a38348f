import {
  type CallToolResult,
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../../domain/types.js';
import type { McpServer, McpTool } from '../../lib/mcp-server.js';
import { packageVersion } from '../../lib/package-root.js';
import { ConnectFailed } from './errors.js';
import { guardedFetch } from './guarded-fetch.js';
import { readTools } from './list-tools.js';
import type { ServerLog } from './log.js';
import { stdioTransport } from './stdio.js';

export type { CallToolResult };

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (text: string) => void;
}

/** A connection to one server. What its methods throw is for `explainMcpError`. */
export interface McpClient {
  /** Every tool, page by page, and what had to be left out, in words. */
  tools(options: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<{ tools: McpTool[]; notes: string[] }>;
  call(tool: string, args: JsonObject, options: CallOptions): Promise<CallToolResult>;
  /** Why the connection is at its end; undefined while it stands. */
  ending(): string | undefined;
  /** Ends the connection, and with it a program that was started for it. Returns at once. */
  close(): void;
}

export interface ConnectOptions {
  readonly log: ServerLog;
  readonly secret: (name: string) => string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The server says that its tools are others now. */
  readonly onToolsChanged: () => void;
}

/** Connects to a server: starts its program, or visits its address, with SSE for servers of the time before streamable HTTP. */
export async function connectMcp(server: McpServer, options: ConnectOptions): Promise<McpClient> {
  if (server.command) {
    const transport = stdioTransport(server, options.log);
    const client = newClient(options);
    try {
      await client.connect(transport, { signal: options.signal, timeout: options.timeoutMs });
    } catch (error) {
      const [ending, garbage] = [transport.ending(), transport.garbage()];
      await transport.close();
      const closed = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
      throw new ConnectFailed(error, closed ? ending : undefined, garbage);
    }
    return wrap(client, transport, transport.ending);
  }
  const url = new URL(server.url ?? '');
  const init = { fetch: guardedFetch(server), requestInit: { headers: headersOf(server, options.secret) } };
  try {
    return await connectHttp(new StreamableHTTPClientTransport(url, init), options);
  } catch (error) {
    // What the specification says of servers that speak only HTTP with SSE (2024-11-05).
    if (!(error instanceof SdkHttpError) || ![400, 404, 405].includes(error.status)) throw error;
    return await connectHttp(new SSEClientTransport(url, init), options).catch(() => {
      throw error;
    });
  }
}

async function connectHttp(transport: Transport, options: ConnectOptions): Promise<McpClient> {
  const client = newClient(options);
  let ending: string | undefined;
  client.onclose = () => {
    ending ??= 'was closed';
  };
  // The SSE transport waits for its first event without an end of its own.
  const late = new Promise<never>((_, reject) =>
    options.signal.addEventListener('abort', () => reject(new SdkError(SdkErrorCode.RequestTimeout, 'late')), {
      once: true,
    }),
  );
  try {
    await Promise.race([client.connect(transport, { signal: options.signal, timeout: options.timeoutMs }), late]);
  } catch (error) {
    await transport.close();
    throw error;
  }
  return wrap(client, transport, () => ending);
}

function newClient({ onToolsChanged, log }: ConnectOptions): Client {
  const client = new Client({ name: 'opsagent', version: packageVersion() }, { capabilities: { roots: {} } });
  client.setRequestHandler('roots/list', () => ({ roots: [] }));
  // Sampling, elicitation, and whatever else a server may want of us.
  client.fallbackRequestHandler = async ({ method }) => {
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `opsagent does not answer ${method}.`);
  };
  client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged);
  client.onerror = (error) => log.write(`opsagent: ${error.message}\n`);
  return client;
}

function wrap(client: Client, transport: Transport, ending: McpClient['ending']): McpClient {
  return {
    tools: ({ signal, timeoutMs }) =>
      readTools((cursor) =>
        client.request(
          { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
          { signal, timeout: timeoutMs },
        ),
      ),
    call: (name, args, { signal, timeoutMs, onProgress }) =>
      client.callTool(
        { name, arguments: args },
        {
          signal,
          timeout: timeoutMs,
          onprogress: ({ progress, total, message }) =>
            onProgress(
              [total === undefined ? `${progress}` : `${progress} of ${total}`, message ?? ''].join(' ').trim(),
            ),
        },
      ),
    ending,
    close() {
      // A server on HTTP is told that its session is over; nobody waits for its answer.
      const told = transport instanceof StreamableHTTPClientTransport ? transport.terminateSession() : undefined;
      void Promise.race([told, new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
        .catch(() => undefined)
        .then(() => client.close());
      if (!told) void transport.close();
    },
  };
}

const headersOf = ({ headers = {} }: McpServer, secret: (name: string) => string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `${value.prefix ?? ''}${secret(value.secret)}`,
    ]),
  );
