import { type McpServer, toolDigest } from '../../lib/mcp-server.js';
import type { McpLook } from './connections.js';

/** Why a tool may not be called: its definition is not the accepted one. */
export function refusalOf(
  server: McpServer,
  tool: string,
  digest: string | undefined,
  look: McpLook,
): string | undefined {
  const now = look.tools.find(({ name }) => name === tool);
  if (!now) return `the MCP server ${server.name} has no tool ${tool} any more.`;
  const known = look.pins?.tools ?? {};
  const accepted = Object.hasOwn(known, tool) ? known[tool] : undefined;
  const isAccepted = accepted !== undefined && accepted.offered === undefined;
  if (isAccepted && (digest === undefined || digest === toolDigest(now))) return undefined;
  return `the MCP server ${server.name} gives another definition of ${tool} than the accepted one. Look at it with: opsagent tools accept ${server.name}/${tool}`;
}
