import type { JsonObject, ToolDefinition } from '../domain/types.js';
import { RISKS } from '../domain/types.js';
import { acceptExecutor } from '../exec/accept.js';
import type { McpConnections } from '../exec/mcp/connections.js';
import { objectAt } from '../lib/json-values.js';
import { openPins } from '../lib/mcp-pins.js';
import { MCP_SERVER_CHOICE, MCP_SERVER_KEYS } from '../lib/mcp-server.js';
import type { Paths } from '../lib/paths.js';
import { toDefinition } from '../tools/definition.js';

const NAME: JsonObject = { type: 'string', minLength: 1 };
const DIGEST: JsonObject = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const closed = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});

const OF_SERVER = closed({ name: NAME, risk: { enum: RISKS }, sha256: DIGEST });
/** `set`: the risk that the tool file gives it instead. */
const DEFINITION: JsonObject = {
  ...OF_SERVER,
  properties: { ...objectAt(OF_SERVER, 'properties'), set: { enum: RISKS } },
};

const tool = (what: string, description: string, parameters: JsonObject): ToolDefinition =>
  toDefinition(
    {
      ...{ name: what, description, parameters, category: 'opsagent', risk_level: 'high' },
      ...{ permissions: [`opsagent:accept:${what}`], run: { kind: 'accept', what }, output: { format: 'text' } },
    },
    {},
    'opsagent itself',
  );

/** The calls of `tools accept`. They are tools of that command's session alone: no model sees them, and none can call them. */
export const ACCEPT_TOOLS: readonly ToolDefinition[] = [
  tool('mcp_connect', 'Connects to an MCP server, which may start it, and asks for its tools.', {
    ...{ type: 'object', required: ['name'], additionalProperties: false },
    ...{ properties: MCP_SERVER_KEYS, oneOf: MCP_SERVER_CHOICE },
  }),
  tool('mcp_accept', 'Accepts definitions of the tools of an MCP server.', {
    ...closed({
      name: NAME,
      tools: { type: 'array', items: DEFINITION },
      gone: { type: 'array', items: NAME },
    }),
  }),
  tool(
    'adapter_accept',
    'Lets the JavaScript module of a vendor adapter run.',
    closed({ name: NAME, path: NAME, sha256: DIGEST }),
  ),
];

/** What runs these calls in a session. */
export const executorFor = (mcp: McpConnections, paths: Pick<Paths, 'config'>) =>
  acceptExecutor({ mcp, pins: openPins(paths) });
