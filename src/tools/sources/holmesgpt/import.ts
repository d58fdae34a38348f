import type { ToolDefinition } from '../../../domain/types.js';
import { loadBash, type ParseBash } from '../../../lib/bash.js';
import type { Problem } from '../../../lib/problems.js';
import { uniqueNames } from '../names.js';
import type { SourceContext, SourceTools } from '../source.js';
import { type RawToolset, readToolsetFiles, type ToolsetFile } from './files.js';
import { importToolset } from './toolset.js';

/** What toolset files hold: tools, and MCP servers, which go by what was accepted of them. */
export interface ImportedToolsets extends SourceTools {
  readonly servers: readonly RawToolset[];
}

/** The tools of toolset files. Pure but for the files of the grammar. Never throws for what a file holds. */
export async function importToolsets(
  files: readonly ToolsetFile[],
  context: Pick<SourceContext, 'header'>,
): Promise<ImportedToolsets> {
  const { toolsets, servers, warnings } = readToolsetFiles(files);
  const options = { parse: remembering(await loadBash()), header: context.header };
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
  return { tools, warnings: said, servers };
}

/** Most texts of an import are read several times. */
function remembering(parse: ParseBash): ParseBash {
  const known = new Map<string, ReturnType<ParseBash>>();
  return (text) => {
    if (!known.has(text)) known.set(text, parse(text));
    return known.get(text);
  };
}
