import { type Json, type JsonObject, RISKS, type Risk, type ToolDefinition } from '../../domain/types.js';
import { compileSchema } from '../../lib/json-schema.js';
import { isObject, objectAt, textsAt, valueAt } from '../../lib/json-values.js';
import { isAccepted, newsOf, type PinnedTool } from '../../lib/mcp-pins.js';
import { MCP_SERVER_CHOICE, MCP_SERVER_KEYS, type McpServer, riskOf } from '../../lib/mcp-server.js';
import type { Problem } from '../../lib/problems.js';
import { stripTerminal } from '../../lib/visible.js';
import { toDefinition } from '../definition.js';
import { normalise } from '../forms.js';
import { toolNameOf, uniqueNames } from './names.js';
import { type Acceptable, type SourceContext, type SourceKind, type SourceTools, sourceSchema } from './source.js';

/** What the model reads of a tool, and of each of its parameters, in characters: it was written by the server. */
const MAX_DESCRIPTION = 2_000;
const MAX_PART = 500;

/** `kind: mcp`: the tools of an MCP server, by the definitions that were accepted. */
export const mcp: SourceKind = {
  kind: 'mcp',
  specSchema: {
    ...sourceSchema('mcp', ['name'], {
      ...MCP_SERVER_KEYS,
      include: { description: 'Only these tools, by the server’s own names', type: 'array', items: { type: 'string' } },
      risk: {
        description: 'The risk of tools, by the server’s own names, in place of what the server says',
        type: 'object',
        additionalProperties: { enum: RISKS },
      },
    }),
    oneOf: MCP_SERVER_CHOICE,
  },
  load: (source, context) => toolsOfServer(source, serverOf(source, context), context),
};

/** The tools of a server by its accepted definitions; the server itself is not asked. Of one that nobody accepted there are none. */
export async function toolsOfServer(
  source: JsonObject,
  server: McpServer,
  context: SourceContext,
): Promise<SourceTools> {
  const { name } = server;
  const pins = await context.pins.read(name);
  const risks = objectAt(source, 'risk') as Readonly<Record<string, Risk>>;
  const accepted = (state: Acceptable['state']) => ({
    accepts: [{ kind: 'server' as const, name, server, risks, state }],
  });
  if (!isAccepted(server, pins)) return { tools: [], warnings: [], ...accepted(pins ? 'changed' : 'new') };
  const changed = Object.keys(pins.tools).filter((tool) => pins.tools[tool]?.offered !== undefined);
  const news = newsOf(name, { added: [], changed, gone: [] });
  if (news !== undefined) context.notice(news);
  const only = 'include' in source ? textsAt(source, 'include') : undefined;
  const unique = uniqueNames();
  const made = Object.values(pins.tools)
    .filter(({ definition }) => only?.includes(definition.name) ?? true)
    .map((pin) => toolOf(pin, server, unique, source, context));
  const missing = (only ?? []).filter((tool) => !Object.hasOwn(pins.tools, tool));
  return {
    tools: made.filter((one): one is ToolDefinition => 'name' in one),
    warnings: [
      ...made.filter((one): one is Problem => 'message' in one),
      ...missing.map((tool) => problem(server, `there is no accepted tool ${JSON.stringify(tool)}`, context)),
    ],
    ...accepted('accepted'),
  };
}

/** The server of a `kind: mcp` entry; relative paths count from the folder of the tool file. */
export function serverOf(source: JsonObject, { path }: Pick<SourceContext, 'path'>): McpServer {
  const { kind: _kind, prefix: _prefix, include: _include, risk: _risk, ...server } = source as JsonObject & McpServer;
  const [program, ...args] = server.command ?? [];
  return {
    ...server,
    ...(program !== undefined && { command: [/^[.~]/.test(program) ? path(program) : program, ...args] }),
    ...(server.cwd !== undefined && { cwd: path(server.cwd) }),
  };
}

function toolOf(
  { definition, sha256, offered }: PinnedTool,
  server: McpServer,
  unique: (name: string) => string,
  source: JsonObject,
  { header, place, file, line, column }: SourceContext,
): ToolDefinition | Problem {
  const parameters = tidy(definition.inputSchema) as JsonObject;
  try {
    compileSchema(parameters);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return problem(server, `its tool ${JSON.stringify(definition.name)} is left out: ${why}`, { file, line, column });
  }
  const [program] = server.command ?? [];
  const raw: JsonObject = {
    ...(header.system === undefined && { category: server.name }),
    name: unique(toolNameOf(definition.name, server.name.replaceAll('-', '_'))),
    display_name: prose(definition.title ?? definition.name, 80),
    description: prose(definition.description ?? definition.title ?? definition.name, MAX_DESCRIPTION),
    risk_level: valueAt(objectAt(source, 'risk'), [definition.name]) ?? riskOf(definition),
    parameters,
    ...(definition.outputSchema && { output: { ...objectAt(objectAt(header, 'defaults'), 'output'), format: 'json' } }),
    ...(program !== undefined && { requires: [{ command: [program] }] }),
    run: { kind: 'mcp', server: server as unknown as JsonObject, tool: definition.name, sha256 },
  };
  const tool = toDefinition(normalise(raw, undefined, header), header, place);
  const { additionalProperties } = definition.inputSchema;
  return {
    ...tool,
    // A server that takes any argument says so; where it says nothing, a misspelt one is found out.
    ...(additionalProperties !== undefined && { parameters: { ...tool.parameters, additionalProperties } }),
    ...(offered && {
      unavailable: `the MCP server ${server.name} gives another definition of it than the accepted one. Look at it with: opsagent tools accept ${server.name}/${definition.name}`,
    }),
  };
}

/** A schema without what names its dialect, and with texts that a model may read. */
function tidy(value: Json, depth = 0): Json {
  if (Array.isArray(value)) return value.map((one) => tidy(one, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => depth > 0 || (key !== '$schema' && key !== '$id'))
      .map(([key, inner]) => [
        key,
        (key === 'description' || key === 'title') && typeof inner === 'string'
          ? prose(inner, MAX_PART)
          : tidy(inner, depth + 1),
      ]),
  );
}

function prose(text: string, max: number): string {
  const clean = stripTerminal(text).trim();
  return clean.length <= max ? clean : `${clean.slice(0, max - 1)}…`;
}

const problem = (
  { name }: McpServer,
  message: string,
  { file, line, column }: Pick<Problem, 'file' | 'line' | 'column'>,
): Problem => ({ file, line, column, message: `MCP server ${name}: ${message}` });
