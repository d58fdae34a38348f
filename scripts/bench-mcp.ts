import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createIo } from '../src/cli/io.js';
import { openSession } from '../src/cli/session.js';
import { createMcpConnections } from '../src/exec/mcp/connections.js';
import { openPins } from '../src/lib/mcp-pins.js';
import { startPlainUi } from '../src/ui/plain.js';

/** What opsagent adds to a call of an MCP tool, against the SDK alone. Prints one JSON line. */
const [, , rounds, everything = ''] = process.argv;
const CALLS = Number(rounds ?? 20) * 10;
const home = process.env.OPSAGENT_STATE_DIR ?? '';
const command = [process.execPath, everything];
const server = { name: 'all', command };
const tools = join(home, 'mcp-tools');
mkdirSync(tools, { recursive: true });
writeFileSync(join(tools, 'bench.yaml'), JSON.stringify({ sources: [{ kind: 'mcp', ...server }] }));

const transport = new StdioClientTransport({ command: process.execPath, args: [everything], stderr: 'ignore' });
const client = new Client({ name: 'bench', version: '1' });
await client.connect(transport);

const io = createIo({ noColour: true, controller: new AbortController() });
const connections = createMcpConnections({ paths: io.paths, secret: String, notice: () => undefined });
await openPins(io.paths).accept(server, (await connections.look(server, io.signal)).tools, []);
const ui = startPlainUi({ write: () => undefined, color: false });
const session = await openSession(io, { toolDirs: [tools], policyDirs: [] }, ui);

const args = { message: 'hello' };
const options = { signal: io.signal, timeoutMs: 10_000, onProgress: () => undefined };
const subjects = {
  sdkMs: () => client.callTool({ name: 'echo', arguments: args }),
  clientMs: () => connections.call(server, 'echo', undefined, args, options),
  callMs: () => session.call('all_echo', args),
};
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
const times = Object.entries(subjects).map(([name, work]) => ({ name, work, list: [] as number[] }));
for (let i = -5; i < CALLS; i++) {
  for (const { work, list } of times) {
    const start = performance.now();
    await work();
    if (i >= 0) list.push(performance.now() - start);
  }
}
await client.close();
connections.close();
session.close();
console.log(JSON.stringify(Object.fromEntries(times.map(({ name, list }) => [name, median(list)]))));
