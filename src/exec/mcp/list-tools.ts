import { OpsError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/types.js';
import type { McpTool } from '../../lib/mcp-server.js';

/** Tools of one server that are looked at. */
const MAX_TOOLS = 2_000;
const MAX_PAGES = 200;
/** The definition of one tool, as JSON, in characters. */
const MAX_DEFINITION = 64 * 1024;

interface Page {
  readonly tools: readonly object[];
  readonly nextCursor?: string | undefined;
}

/**
 * Reads the list of tools to its end, at most 2,000, and says what was left out.
 * @throws OpsError unavailable when the pages have no end.
 */
export async function readTools(
  page: (cursor: string | undefined) => Promise<Page>,
): Promise<{ tools: McpTool[]; notes: string[] }> {
  const byName = new Map<string, McpTool>();
  const notes: string[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { tools, nextCursor } = await page(cursor);
    for (const tool of tools.map(definitionOf)) {
      const why = byName.has(tool.name)
        ? 'there are two of that name'
        : JSON.stringify(tool).length > MAX_DEFINITION
          ? `its definition is longer than ${MAX_DEFINITION / 1024} KiB`
          : undefined;
      if (why === undefined) byName.set(tool.name, tool);
      else notes.push(`its tool ${JSON.stringify(tool.name.slice(0, 80))} is left out: ${why}`);
      if (byName.size === MAX_TOOLS) break;
    }
    if (byName.size === MAX_TOOLS) notes.push(`it has more than ${MAX_TOOLS - 1} tools, and the rest is left out`);
    if (nextCursor === undefined || byName.size === MAX_TOOLS) return { tools: [...byName.values()], notes };
    if (cursors.has(nextCursor)) break;
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  throw new OpsError('unavailable', 'its list of tools has no end');
}

/** The parts of a definition that are pinned; what else a server adds says nothing about what the tool does. */
function definitionOf(raw: object): McpTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = raw as McpTool;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as JsonObject,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
}
