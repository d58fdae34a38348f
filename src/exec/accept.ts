import { messageOf, OpsError } from '../domain/errors.js';
import type { Executor, RunContext, RunOutcome } from '../domain/ports.js';
import type { Json, JsonObject, Risk } from '../domain/types.js';
import { ACCEPTANCES, MAX_ADAPTER_BYTES, type Pins, textDigest } from '../lib/mcp-pins.js';
import { type McpServer, placeOfServer, riskInForce, riskOf, toolDigest } from '../lib/mcp-server.js';
import { quoteArgv } from '../lib/quote.js';
import { readRegularFile } from '../lib/regular-file.js';
import { visibleLine } from '../lib/visible.js';
import { defineExecutor, runSchema } from './define.js';
import type { McpConnections } from './mcp/connections.js';

type Acceptance = (typeof ACCEPTANCES)[number];

interface AcceptSpec {
  readonly what: Acceptance;
}

/** What `mcp_accept` takes: definitions that the person has seen, by their digests. */
interface Definitions {
  readonly name: string;
  readonly tools: readonly {
    readonly name: string;
    readonly risk: Risk;
    readonly set?: Risk;
    readonly sha256: string;
  }[];
  readonly gone: readonly string[];
}

interface Module {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
}

interface AcceptPayload extends AcceptSpec {
  readonly arguments: JsonObject;
}

/** What acceptance works with. */
export interface AcceptHost {
  readonly mcp: McpConnections;
  readonly pins: Pins;
}

/**
 * `kind: accept`: connecting to an MCP server that nobody knows yet, and writing down what was accepted. No tool file can name this
 * kind, and no session with a model has it. Without `host` its calls can be planned, not run.
 */
export function acceptExecutor(host?: AcceptHost): Executor {
  const connected = new Map<string, McpServer>();
  return defineExecutor<AcceptSpec, AcceptPayload>({
    kind: 'accept',
    specSchema: runSchema('accept', ['what'], { what: { enum: [...ACCEPTANCES] } }),
    plan: ({ what }, args) => ({ kind: 'accept', ...shown(what, args), payload: { what, arguments: args } }),
    async run(_call, payload, context) {
      if (!host) throw new Error('bug: a call of acceptance without what it works with');
      const meant = JSON.parse(context.reveal(JSON.stringify(payload.arguments), encodeInJson)) as Json;
      if (payload.what === 'mcp_connect') return connect(host, connected, meant as unknown as McpServer, context);
      if (payload.what === 'adapter_accept') return acceptModule(host, meant as unknown as Module, context);
      return acceptDefinitions(host, connected, meant as unknown as Definitions, context);
    },
  });
}

const encodeInJson = (value: string): string => JSON.stringify(value).slice(1, -1);

/** Exactly what would be started, visited or accepted. */
function shown(what: Acceptance, args: JsonObject): { tokens: string[]; display: string } {
  if (what === 'mcp_connect') {
    const server = args as unknown as McpServer;
    const { name, command, url = '', cwd, env = [], headers = {}, allow_hosts: hosts = [] } = server;
    const lines = [
      command
        ? `start the MCP server ${name}, and ask for its tools: ${quoteArgv(command)}`
        : `connect to the MCP server ${name}, and ask for its tools: ${url}`,
      ...(command ? [cwd === undefined ? 'in the home folder' : `in the folder ${cwd}`] : []),
      ...(env.length > 0 ? [`with the variables ${env.join(', ')}`] : []),
      ...(hosts.length > 0 ? [`allowed hosts: ${hosts.join(', ')}`] : []),
      ...(Object.keys(headers).length > 0 ? [`with the headers ${JSON.stringify(headers)}`] : []),
    ];
    return { tokens: [what, name, ...(command ?? [url])], display: lines.join('\n') };
  }
  if (what === 'adapter_accept') {
    const { name, path, sha256 } = args as unknown as Module;
    return { tokens: [what, name, path], display: `let the module of adapter ${name} run: ${path}\nsha256 ${sha256}` };
  }
  const { name, tools, gone } = args as unknown as Definitions;
  const lines = [
    `use the MCP server ${name}, with ${count(tools.length)} as shown:`,
    // A server chooses these names: one of several lines would look like several tools.
    ...tools.map(({ name, risk, set }) => `  ${visibleLine(name)} (${riskInForce(risk, set)})`),
    ...gone.map((tool) => `  ${visibleLine(tool)}: gone`),
  ];
  return { tokens: [what, name, ...tools.map((tool) => tool.name)], display: lines.join('\n') };
}

async function connect(
  { mcp }: AcceptHost,
  connected: Map<string, McpServer>,
  server: McpServer,
  { signal, write }: RunContext,
): Promise<RunOutcome> {
  try {
    const { tools, notes } = await mcp.look(server, signal);
    connected.set(server.name, server);
    write([`It answers, and has ${count(tools.length)}.`, ...notes].join('\n'));
    return { status: 'ok' };
  } catch (error) {
    if (!(error instanceof OpsError)) throw error;
    const { message, hint } = error;
    if (signal.aborted) return { status: 'cancelled', error: { category: 'cancelled', message: 'interrupted' } };
    const exit = error.exit === 'usage' ? 'usage' : 'unavailable';
    return { status: 'failed', error: { category: 'network', message, exit, ...(hint !== undefined && { hint }) } };
  }
}

async function acceptDefinitions(
  { mcp, pins }: AcceptHost,
  connected: ReadonlyMap<string, McpServer>,
  { name, tools, gone }: Definitions,
  { write }: RunContext,
): Promise<RunOutcome> {
  const server = connected.get(name);
  const now = server && mcp.seen(server)?.tools;
  if (!server || !now) return refused(`nothing was heard of the MCP server ${name} in this session.`);
  const seen = tools.map((tool) => now.find((one) => one.name === tool.name && toolDigest(one) === tool.sha256));
  const other = tools.find((tool, index) => {
    const one = seen[index];
    return !one || riskOf(one) !== tool.risk;
  });
  if (other) return refused(`the MCP server ${name} gives another definition of ${other.name} now.`);
  await pins.accept(
    server,
    seen.filter((one) => one !== undefined),
    gone,
  );
  write(`Accepted: ${name} (${placeOfServer(server)})`);
  return { status: 'ok' };
}

async function acceptModule({ pins }: AcceptHost, { name, path, sha256 }: Module, { write }: RunContext) {
  let text: string;
  try {
    text = (await readRegularFile(path, MAX_ADAPTER_BYTES)).toString('utf8');
  } catch (error) {
    return refused(`${path} cannot be read: ${messageOf(error)}`);
  }
  if (textDigest(text) !== sha256) return refused(`${path} has changed since it was shown.`);
  await pins.acceptAdapter(path, text);
  write(`Accepted: ${name} (${path})`);
  return { status: 'ok' as const };
}

const count = (tools: number): string => (tools === 1 ? '1 tool' : `${tools} tools`);

const refused = (message: string): RunOutcome => ({
  status: 'failed',
  error: { category: 'validation', message, hint: 'Look at it again: opsagent tools accept', exit: 'usage' },
});
