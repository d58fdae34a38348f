import { setTimeout as pause } from 'node:timers/promises';
import { OpsError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/types.js';
import { deadline, unlessAborted } from '../../lib/deadline.js';
import { isAccepted, newsOf, notAccepted, openPins, type Pins, type Sighting } from '../../lib/mcp-pins.js';
import { launchDigest, type McpServer, type McpTool, startTimeoutMs } from '../../lib/mcp-server.js';
import type { Paths } from '../../lib/paths.js';
import type { CallOptions, CallToolResult, McpClient } from './client.js';
import { explainMcpError, type McpFault } from './errors.js';
import { openServerLog, type ServerLog } from './log.js';
import { refusalOf } from './sightings.js';

export interface McpOptions {
  readonly paths: Pick<Paths, 'config' | 'state'>;
  readonly secret: (name: string) => string;
  /** What a person should know: definitions that changed. */
  readonly notice: (text: string) => void;
  /** Where images and other data of results are kept; the folder is made with the first one. */
  readonly filesFolder?: string;
}

/** What a server has, and how that compares with what was accepted. */
export interface McpLook extends Sighting {
  readonly tools: readonly McpTool[];
  /** What was left out, in words. */
  readonly notes: readonly string[];
}

/** The result of a call, or why there is none. */
export type McpAnswer = { readonly result: CallToolResult } | { readonly fault: McpFault };

/** The connections of a session: one a server, opened when it is first needed, and again when it broke. */
export interface McpConnections {
  readonly options: McpOptions;
  /** Why a tool may not be called, as far as that is known without asking its server. */
  refusal(server: McpServer, tool: string): string | undefined;
  /**
   * Calls a tool, after its definition was compared with the accepted one: `digest`, or else what is pinned. A server that nobody
   * accepted is not started or visited.
   */
  call(
    server: McpServer,
    tool: string,
    digest: string | undefined,
    args: JsonObject,
    options: CallOptions,
  ): Promise<McpAnswer>;
  /** Connects to a server, accepted or not, and asks what it has. @throws OpsError when it does not answer. */
  look(server: McpServer, signal: AbortSignal): Promise<McpLook>;
  /** What the last look at a server has shown in this session. */
  seen(server: McpServer): McpLook | undefined;
  /** Ends all connections and the programs that were started for them. Returns at once. */
  close(): void;
}

interface Connection {
  readonly client: McpClient;
  /** What it has; undefined until it was asked, and after it said that this changed. */
  look: McpLook | undefined;
  /** How often it said so. */
  changes: number;
}

/** What is known of one server, whether there is a connection or not. */
interface Standing {
  opening: Promise<Connection> | undefined;
  connection: Connection | undefined;
  failures: number;
  /** Not before this time, of `performance.now`, is it tried again. */
  notBefore: number;
  log: ServerLog;
  /** Ends a start that is still under way. */
  readonly ended: AbortController;
  /** The names told of in a notice already. */
  told: string;
  lastLook?: McpLook;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** What the connections of a session share. */
interface Host {
  readonly options: McpOptions;
  readonly pins: Pins;
  readonly standings: Map<string, Standing>;
}

/** Makes the connections of a session; none is opened yet. */
export function createMcpConnections(options: McpOptions): McpConnections {
  const host: Host = { options, pins: openPins(options.paths), standings: new Map() };
  return {
    options,
    seen: (server) => standingOf(host, server).lastLook,
    refusal(server, tool) {
      const look = standingOf(host, server).connection?.look;
      return look && refusalOf(server, tool, undefined, look);
    },
    call: (...parameters) => callTool(host, ...parameters),
    async look(server, signal) {
      let connection: Connection | undefined;
      try {
        connection = await connected(host, server, signal);
        return await lookAt(host, server, connection, signal);
      } catch (error) {
        const fault = faultOf(host, error, server, 'tools/list', startTimeoutMs(server), connection);
        throw new OpsError(fault.exit ?? 'unavailable', fault.message, fault.hint);
      }
    },
    close() {
      for (const standing of host.standings.values()) {
        standing.ended.abort();
        void standing.opening?.then(({ client }) => client.close()).catch(() => undefined);
        drop(standing);
        standing.log.close();
      }
    },
  };
}

async function callTool(
  host: Host,
  server: McpServer,
  tool: string,
  digest: string | undefined,
  args: JsonObject,
  options: CallOptions,
): Promise<McpAnswer> {
  let during = 'initialize';
  let connection: Connection | undefined;
  try {
    const pins = await host.pins.read(server.name);
    if (!isAccepted(server, pins))
      return { fault: { message: notAccepted('the MCP server', server.name, pins !== undefined), exit: 'usage' } };
    connection = await connected(host, server, options.signal);
    during = 'tools/list';
    const refusal = refusalOf(server, tool, digest, await lookAt(host, server, connection, options.signal));
    if (refusal !== undefined) return { fault: { message: refusal, exit: 'usage' } };
    during = tool;
    return { result: await connection.client.call(tool, args, options) };
  } catch (error) {
    const timeoutMs = during === tool ? options.timeoutMs : startTimeoutMs(server);
    const fault = faultOf(host, error, server, during, timeoutMs, connection);
    // A program that does not answer may still be at work: it is ended, as a command would be. A broken connection is made anew.
    const hangs = fault.timedOut === true && server.command !== undefined;
    if (!options.signal.aborted && (hangs || (!fault.answered && !fault.timedOut)))
      drop(standingOf(host, server), connection);
    return { fault };
  }
}

function standingOf({ standings, options }: Host, server: McpServer): Standing {
  const key = launchDigest(server);
  const standing = standings.get(key) ?? newStanding(options, server.name);
  standings.set(key, standing);
  return standing;
}

async function connected(host: Host, server: McpServer, signal: AbortSignal): Promise<Connection> {
  const standing = standingOf(host, server);
  if (standing.connection?.client.ending() !== undefined) drop(standing);
  if (standing.connection) return standing.connection;
  const wait = standing.notBefore - performance.now();
  if (wait > 0) await pause(wait, undefined, { signal });
  // One opening for all who wait for it; none of them ends it for the others.
  standing.opening ??= open(server, standing, host.options).finally(() => {
    standing.opening = undefined;
  });
  return unlessAborted(standing.opening, signal);
}

const lookAt = async (host: Host, server: McpServer, connection: Connection, signal: AbortSignal): Promise<McpLook> =>
  connection.look ?? (await unlessAborted(readDefinitions(host, server, connection), signal));

function faultOf(
  host: Host,
  thrown: unknown,
  server: McpServer,
  during: string,
  timeoutMs: number,
  connection?: Connection,
): McpFault {
  if (thrown instanceof OpeningFailed) return thrown.fault;
  const { log } = standingOf(host, server);
  return explainMcpError(thrown, server, during, { timeoutMs, ending: connection?.client.ending(), log: log.path });
}

const newStanding = ({ paths }: McpOptions, name: string): Standing => ({
  opening: undefined,
  connection: undefined,
  failures: 0,
  notBefore: 0,
  log: openServerLog(paths.state, name),
  ended: new AbortController(),
  told: '',
});

/** Ends a connection; one that has taken its place stays. */
function drop(standing: Standing, connection = standing.connection): void {
  connection?.client.close();
  if (standing.connection === connection) standing.connection = undefined;
}

/** A connection could not be opened; those who waited for it share the reason. */
class OpeningFailed extends Error {
  constructor(readonly fault: McpFault) {
    super(fault.message);
  }
}

async function open(server: McpServer, standing: Standing, options: McpOptions): Promise<Connection> {
  const timeoutMs = startTimeoutMs(server);
  const { connectMcp } = await import('./client.js');
  try {
    const onToolsChanged = () => {
      if (!standing.connection) return;
      standing.connection.look = undefined;
      standing.connection.changes += 1;
    };
    const client = await connectMcp(server, {
      log: standing.log,
      secret: options.secret,
      signal: AbortSignal.any([deadline(timeoutMs), standing.ended.signal]),
      timeoutMs,
      onToolsChanged,
    });
    standing.failures = 0;
    standing.connection = { client, look: undefined, changes: 0 };
    return standing.connection;
  } catch (error) {
    standing.failures += 1;
    standing.notBefore = performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** (standing.failures - 1), LONGEST_PAUSE_MS);
    throw new OpeningFailed(explainMcpError(error, server, 'initialize', { timeoutMs, log: standing.log.path }));
  }
}

async function readDefinitions(host: Host, server: McpServer, connection: Connection): Promise<McpLook> {
  const timeoutMs = startTimeoutMs(server);
  const { changes } = connection;
  const { tools, notes } = await connection.client.tools({ signal: deadline(timeoutMs), timeoutMs });
  const look = { ...(await host.pins.see(server, tools)), tools, notes };
  // After a change that was told meanwhile, the next call looks again.
  if (connection.changes === changes) connection.look = look;
  const news = look.pins && newsOf(server.name, look);
  const standing = standingOf(host, server);
  standing.lastLook = look;
  if (news !== undefined && news !== standing.told) host.options.notice(news);
  standing.told = news ?? '';
  return look;
}
