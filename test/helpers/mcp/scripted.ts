import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunContext, RunOutcome } from '../../../src/domain/ports.js';
import type { JsonObject } from '../../../src/domain/types.js';
import { createMcpConnections, type McpConnections } from '../../../src/exec/mcp/connections.js';
import { mcpExecutor } from '../../../src/exec/mcp.js';
import { openPins } from '../../../src/lib/mcp-pins.js';
import type { McpServer, McpTool } from '../../../src/lib/mcp-server.js';
import { aClearedCall, aRunContext } from '../run-context.js';

/** What the scripted server does; see answers.mjs and stdio-server.mjs. */
export interface Scenario {
  readonly tools?: readonly McpTool[];
  readonly silent?: readonly string[];
  readonly protocol?: string;
  readonly pageSize?: number;
  readonly endless?: boolean;
  readonly garbage?: string;
  readonly stderr?: string;
  readonly stubborn?: boolean;
  readonly exit?: number;
}

export const aMcpTool = (name: string, more: Partial<McpTool> = {}): McpTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { bytes: { type: 'integer' }, text: { type: 'string' } } },
  ...more,
});

const NAMES = ['echo', 'die', 'hang', 'big', 'fail', 'refuse', 'image', 'mixed', 'structured', 'progress', 'ask'];
const DEFAULT_TOOLS = [...NAMES, 'environment', 'notify'].map((name) => aMcpTool(name));

/** A scripted server and a home for what opsagent keeps of it. */
export interface Scripted {
  readonly folder: string;
  readonly server: McpServer;
  readonly scenarioPath: string;
  readonly notices: string[];
  readonly connections: McpConnections;
  /** Accepts the tools that the scenario began with; `run` does, unless it was told otherwise. */
  accept(): Promise<void>;
  /** Changes what the server does from now on. */
  rewrite(scenario: Scenario): void;
  /** What the server was sent, in order. */
  received(): JsonObject[];
  /** Process ids of the server and of a child of it. */
  pids(): number[];
  /** Forgets the connections, as a new session would. */
  again(): McpConnections;
  run(
    tool: string,
    args?: JsonObject,
    context?: Partial<RunContext>,
  ): Promise<RunOutcome & { out: string; err: string }>;
}

/** Makes a folder with a scenario, and connections to a server that plays it; nothing is started yet. */
export function scripted(scenario: Scenario = {}, more: Partial<McpServer> = {}, unaccepted = false): Scripted {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-mcp-'));
  const [scenarioPath, record, pidFile] = ['scenario.json', 'record.jsonl', 'pids'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const rewrite = (next: Scenario) =>
    writeFileSync(scenarioPath, JSON.stringify({ tools: DEFAULT_TOOLS, record, pidFile, ...next }));
  rewrite(scenario);
  writeFileSync(record, '');
  // Connections are closed at once, and their programs end a little later: the process of the tests may be ended before that.
  onTestFinished(() => {
    for (const pid of startsIn(pidFile).flat()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended, as it should.
      }
    }
  });
  const notices: string[] = [];
  const server: McpServer = {
    name: 'scripted',
    command: [process.execPath, join(import.meta.dirname, 'stdio-server.mjs'), scenarioPath],
    start_timeout_seconds: 10,
    ...more,
  };
  const open = () =>
    createMcpConnections({
      paths: { config: join(folder, 'config'), state: join(folder, 'state') },
      secret: (name) => `value-of-${name}`,
      notice: (text) => void notices.push(text),
      filesFolder: join(folder, 'files'),
    });
  let connections = open();
  const { tools = DEFAULT_TOOLS } = scenario;
  let accepted: Promise<void> | undefined;
  const accept = () => {
    accepted ??= openPins({ config: join(folder, 'config') }).accept(server, tools, []);
    return accepted;
  };
  return {
    folder,
    server,
    scenarioPath,
    notices,
    get connections() {
      return connections;
    },
    accept,
    rewrite,
    received: () =>
      readFileSync(record, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as JsonObject),
    pids: () => startsIn(pidFile).at(-1) ?? [],
    again() {
      connections.close();
      connections = open();
      return connections;
    },
    async run(tool, args = {}, overrides = {}) {
      if (!unaccepted) await accept();
      const executor = mcpExecutor(connections);
      const action = executor.plan({ kind: 'mcp', server: server as unknown as JsonObject, tool }, args, {
        context: {},
        env: {},
      });
      const context = aRunContext(overrides);
      const outcome = await executor.run(aClearedCall(action), context);
      return { ...outcome, out: context.seen.stdout, err: context.seen.stderr };
    },
  };
}

/** The server and its child, of each start. */
const startsIn = (pidFile: string): number[][] =>
  existsSync(pidFile)
    ? readFileSync(pidFile, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ').map(Number))
    : [];

/** Whether a process is there. A zombie counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
