import { messageOf } from '../../../domain/errors.js';
import type { JsonObject, ToolDefinition } from '../../../domain/types.js';
import { loadBash, type ParseBash } from '../../../lib/bash.js';
import { compileSchema } from '../../../lib/json-schema.js';
import { isObject, objectAt } from '../../../lib/json-values.js';
import type { Problem } from '../../../lib/problems.js';
import { uniqueNames } from '../names.js';
import type { SourceContext, SourceTools } from '../source.js';
import { type RawToolset, readToolsetFiles, type ToolsetFile } from './files.js';
import { importToolset } from './toolset.js';

/** The tools of toolset files. Never throws for what a file holds. */
export async function importToolsets(files: readonly ToolsetFile[], context: SourceContext): Promise<SourceTools> {
  const { toolsets, warnings } = readToolsetFiles(files);
  const options = { parse: remembering(await loadBash()), defaults: objectAt(context.header, 'defaults') };
  const tools: ToolDefinition[] = [];
  const said: Problem[] = [...warnings];
  const unique = uniqueNames();
  for (const toolset of toolsets) {
    const made = await importToolset(toolset, options);
    said.push(...made.warnings);
    for (const tool of made.tools) {
      const name = unique(tool.name);
      tools.push({ ...tool, name });
      if (name !== tool.name)
        said.push({
          ...toolset.place,
          message: `${toolset.name}: another toolset has a tool ${tool.name} too; this one is called ${name}.`,
        });
    }
  }
  return { tools, warnings: said };
}

/** Most texts of an import are read several times. */
function remembering(parse: ParseBash): ParseBash {
  const known = new Map<string, ReturnType<ParseBash>>();
  return (text) => {
    if (!known.has(text)) known.set(text, parse(text));
    return known.get(text);
  };
}

/** The tools of the MCP servers that toolset files name; they are asked every time. */
export async function importServers(files: readonly ToolsetFile[], context: SourceContext): Promise<SourceTools> {
  const made = await Promise.all(readToolsetFiles(files).servers.map((server) => importServer(server, context)));
  return { tools: made.flatMap(({ tools }) => tools), warnings: made.flatMap(({ warnings }) => warnings) };
}

/** An entry of `mcp_servers` becomes a source of kind mcp. */
async function importServer({ name, raw, place }: RawToolset, context: SourceContext): Promise<SourceTools> {
  const warn = (message: string): SourceTools => ({
    tools: [],
    warnings: [{ ...place, message: `${name}: ${message}` }],
  });
  if (raw.enabled === false) return warn('it is turned off (enabled: false).');
  const { SOURCE_KINDS } = await import('../index.js');
  const mcp = SOURCE_KINDS.find(({ kind }) => kind === 'mcp');
  if (!mcp) return warn('MCP servers of toolset files are not connected to by this version.');
  const source = serverSource(name, raw);
  if (compileSchema(mcp.specSchema)(source).length > 0)
    return warn('its settings do not fit a source of kind mcp; write one under sources: yourself.');
  try {
    return await mcp.load(source, context);
  } catch (error) {
    return warn(messageOf(error));
  }
}

function serverSource(name: string, raw: JsonObject): JsonObject {
  const config = objectAt(raw, 'config');
  const { url = raw.url, command, args, headers, env } = config;
  const words = typeof command === 'string' ? [command, ...(Array.isArray(args) ? args : [])] : command;
  return {
    ...{ kind: 'mcp', name },
    ...(words === undefined ? url !== undefined && { url } : { command: words }),
    ...(isObject(headers) && { headers }),
    ...(isObject(env) && { env }),
  };
}
