import type { Executor, RunContext, RunOutcome } from '../domain/ports.js';
import type { ClearedCall, JsonObject } from '../domain/types.js';
import { MCP_SERVER_CHOICE, MCP_SERVER_KEYS, type McpServer, placeOfServer } from '../lib/mcp-server.js';
import { defineExecutor, runSchema } from './define.js';
import type { McpAnswer, McpConnections } from './mcp/connections.js';

interface McpSpec {
  readonly server: McpServer;
  readonly tool: string;
  /** Digest of the definition that the tool was made from; another one is not called. */
  readonly sha256?: string;
}

interface McpPayload extends McpSpec {
  readonly arguments: JsonObject;
}

const SPEC_SCHEMA = runSchema('mcp', ['server', 'tool'], {
  server: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    oneOf: MCP_SERVER_CHOICE,
    properties: MCP_SERVER_KEYS,
  },
  tool: { description: 'The server’s own name of the tool', type: 'string', minLength: 1 },
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
});

/** Where the limits of a progress message lie, in characters. */
const MAX_PROGRESS = 200;

/** `kind: mcp`: a tool of an MCP server. Without `connections` it can be planned, not run. */
export const mcpExecutor = (connections?: McpConnections): Executor =>
  defineExecutor<McpSpec, McpPayload>({
    kind: 'mcp',
    specSchema: SPEC_SCHEMA,
    plan: ({ server, tool, sha256 }, args) => ({
      kind: 'mcp',
      tokens: ['mcp', server.name, tool],
      display: `${tool} ${JSON.stringify(args)}\nof the MCP server ${server.name} (${placeOfServer(server)})`,
      payload: { server, tool, arguments: args, ...(sha256 !== undefined && { sha256 }) },
    }),
    async run(call, payload, context) {
      if (!connections) throw new Error('bug: a call of an MCP tool without connections');
      const { server, tool, sha256 } = payload;
      const args = JSON.parse(context.reveal(JSON.stringify(payload.arguments), encodeInJson)) as JsonObject;
      const answer = await connections.call(server, tool, sha256, args, {
        signal: context.signal,
        timeoutMs: context.timeoutMs,
        onProgress: (text) => context.progress?.(text.slice(0, MAX_PROGRESS)),
      });
      return outcomeOf(call, payload, answer, context, connections.options.filesFolder);
    },
    unavailable: ({ server, tool }) => connections?.refusal(server, tool),
  });

const encodeInJson = (value: string): string => JSON.stringify(value).slice(1, -1);

async function outcomeOf(
  call: ClearedCall,
  { server, tool }: McpPayload,
  answer: McpAnswer,
  context: RunContext,
  filesFolder: string | undefined,
): Promise<RunOutcome> {
  if ('result' in answer) {
    const { renderResult } = await import('./mcp/render.js');
    const text = renderResult(answer.result, call.tool.output.format === 'json', filesFolder);
    context.write(text);
    if (!answer.result.isError) return { status: 'ok' };
    const said = text.trim().split('\n', 1)[0]?.slice(0, 300);
    const message = `${tool} of the MCP server ${server.name} failed${said ? `: ${said}` : ''}`;
    return { status: 'failed', error: { category: 'execution', message } };
  }
  if (context.signal.aborted)
    return { status: 'cancelled', error: { category: 'cancelled', message: `${tool} was interrupted` } };
  const { message, hint, service, timedOut, detail, exit } = answer.fault;
  if (detail !== undefined) context.writeError(detail);
  return {
    status: timedOut ? 'timed-out' : 'failed',
    ...(service && { service }),
    error: {
      category: service ? 'network' : exit === 'usage' ? 'validation' : 'execution',
      message,
      ...(hint !== undefined && { hint }),
      ...(exit && { exit }),
    },
  };
}
