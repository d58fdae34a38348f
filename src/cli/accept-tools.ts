import { join, resolve } from 'node:path';
import { type ExitName, OpsError } from '../domain/errors.js';
import type { McpLook } from '../exec/mcp/connections.js';
import { openConfig } from '../lib/config.js';
import { lineDiff } from '../lib/line-diff.js';
import { openPins } from '../lib/mcp-pins.js';
import { type McpServer, type McpTool, placeOfServer } from '../lib/mcp-server.js';
import { didYouMean } from '../lib/nearest.js';
import { readSecret } from '../lib/secrets.js';
import { visible, visibleLine } from '../lib/visible.js';
import { stringifyYaml } from '../lib/yaml.js';
import { pathFrom } from '../tools/sources/load.js';
import { riskOf, serverOf } from '../tools/sources/mcp.js';
import type { Io } from './io.js';
import { loadToolbox } from './toolbox.js';

interface AcceptOptions {
  readonly tools?: readonly string[];
  readonly yes?: string | boolean;
}

/** What one server would change, of what was asked for. */
interface Pending {
  readonly server: McpServer;
  readonly tools: readonly McpTool[];
  readonly gone: readonly string[];
}

/**
 * `tools accept [SERVER[/TOOL]]`: asks the MCP servers for their tools, shows what differs from the accepted definitions, and accepts
 * it when the person says yes. A server that was never seen is pinned and shown.
 */
export async function acceptTools(io: Io, which: string | undefined, options: AcceptOptions): Promise<ExitName> {
  const [, wanted, tool] = /^([^/]*)(?:\/(.+))?$/s.exec(which ?? '') ?? [];
  const servers = (await serversIn(io, options)).filter(({ name }) => !wanted || name === wanted);
  if (servers.length === 0)
    throw new OpsError('usage', `No tool file names an MCP server${wanted ? ` ${visibleLine(wanted)}` : ''}.`);
  const { createMcpConnections } = await import('../exec/mcp/connections.js');
  const secret = (name: string) => readSecret(name, io.env, io.paths.config);
  const connections = createMcpConnections({ paths: io.paths, secret, notice: () => undefined });
  try {
    const looks = await Promise.allSettled(servers.map((server) => connections.look(server, io.signal)));
    const pending: Pending[] = [];
    let exit: ExitName = 'ok';
    for (const [index, look] of looks.entries()) {
      const server = servers[index] as McpServer;
      if (look.status === 'rejected') {
        if (!(look.reason instanceof OpsError)) throw look.reason;
        io.say(visible(`${look.reason.message}${look.reason.hint ? `\n${look.reason.hint}` : ''}\n`));
        exit = look.reason.exit;
      } else pending.push(show(io, server, look.value, tool));
    }
    const open = pending.filter(({ tools, gone }) => tools.length + gone.length > 0);
    if (open.length === 0) return exit;
    if (!options.yes && !(await agrees(io))) return 'unconfirmed';
    for (const { server, tools, gone } of open) await openPins(io.paths).accept(server, tools, gone);
    io.say('Accepted.\n');
    return exit;
  } finally {
    connections.close();
  }
}

/** The MCP servers of all tool files; of two with the same name and way, one. */
async function serversIn(io: Io, options: AcceptOptions): Promise<McpServer[]> {
  const config = await openConfig(io.paths.config);
  const box = await loadToolbox({ ...io, config, dirs: options.tools ?? [], withoutSources: true });
  const project = `${join(io.cwd, '.opsagent')}/`;
  const servers = box.sources
    .filter(({ kind }) => kind === 'mcp')
    .map(({ source, file }) => {
      const confined = resolve(io.cwd, file).startsWith(project);
      return serverOf(source, { path: pathFrom(file, io.env, confined) });
    });
  return [...new Map(servers.map((server) => [JSON.stringify(server), server])).values()];
}

/** Prints what differs, and gives it back. */
function show(io: Io, server: McpServer, look: McpLook, tool: string | undefined): Pending {
  const isWanted = (name: string) => tool === undefined || name === tool;
  io.out(visible(`MCP server ${server.name} (${placeOfServer(server)})\n`));
  const names = look.tools.map(({ name }) => name);
  if (tool !== undefined && !names.includes(tool) && !look.gone.includes(tool))
    throw new OpsError('usage', `It has no tool ${visibleLine(tool)}.${didYouMean(tool, names)}`);
  if (look.first) {
    io.out(`  new: its ${look.tools.length} tools are pinned as they are now\n`);
    for (const one of look.tools) io.out(`  ${visibleLine(one.name)} (${riskOf(one)})\n`);
    return { server, tools: [], gone: [] };
  }
  const changed = look.tools.filter(({ name }) => look.changed.includes(name) && isWanted(name));
  const added = look.tools.filter((one) => look.added.includes(one) && isWanted(one.name));
  const gone = look.gone.filter(isWanted);
  for (const one of changed) printTool(io, 'changed', one, look.pins.tools[one.name]?.definition);
  for (const one of added) printTool(io, 'new', one, undefined);
  for (const name of gone) io.out(`\n  gone: ${visibleLine(name)}\n`);
  if (changed.length + added.length + gone.length === 0) io.out('  nothing has changed\n');
  return { server, tools: [...changed, ...added], gone };
}

function printTool(io: Io, what: string, now: McpTool, before: McpTool | undefined): void {
  const was = before && riskOf(before) !== riskOf(now) ? `, was ${riskOf(before)}` : '';
  io.out(`\n  ${what}: ${visibleLine(now.name)} (${riskOf(now)}${was})\n`);
  const lines = before ? lineDiff(asText(before), asText(now)) : asText(now).trimEnd().split('\n');
  for (const line of lines) io.out(`    ${visible(line)}\n`);
}

const asText = (tool: McpTool): string => stringifyYaml(JSON.parse(JSON.stringify(tool)));

async function agrees(io: Io): Promise<boolean> {
  if (!io.canAsk) {
    io.say('Nothing was accepted. Accept it on a terminal, or with --yes.\n');
    return false;
  }
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const answer = await lines.question('\nAccept these definitions? [y/N] ', { signal: io.signal });
    if (/^y(es)?$/i.test(answer.trim())) return true;
    io.say('Nothing was accepted.\n');
    return false;
  } finally {
    lines.close();
  }
}
