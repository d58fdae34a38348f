import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/types.js';
import { openPins } from '../../../src/lib/mcp-pins.js';
import { loadSources } from '../../../src/tools/sources/load.js';
import { aMcpTool } from '../../helpers/mcp/scripted.js';

/** Loads toolset files, each as a source of its own. */
async function load(texts: readonly string[], env: Record<string, string> = {}, folder = newFolder()) {
  const entries = texts.map((text, index) => {
    const path = join(folder, `${index + 1}.yaml`);
    writeFileSync(path, text);
    const source: JsonObject = { kind: 'holmesgpt', path };
    return {
      kind: 'holmesgpt',
      source,
      file: join(folder, 'tools.yaml'),
      line: 3,
      column: 5,
      header: {},
      adapters: {},
    };
  });
  const loaded = await loadSources(entries, [], {
    cacheDir: join(folder, 'cache'),
    ...{ env, secret: () => '', signal: new AbortController().signal, confined: () => false },
    pins: openPins({ config: folder }),
  });
  const warnings = [...loaded.warnings, ...loaded.failures].map(({ message }) => message);
  const servers = loaded.accepts.flatMap((one) => (one.kind === 'server' ? [one.server] : []));
  return { ...loaded, folder, warnings, servers };
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'holmesgpt-servers-'));

describe('an entry of mcp_servers that cannot be used is said, and leaves the others working', () => {
  test.each([
    ['{ enabled: false, config: { url: "https://x.example" } }', 'it is turned off (enabled: false).'],
    ['{ config: {} }', 'the MCP server is left out: it has neither config.url nor config.command.'],
    ['{ config: { url: "{{ env.NO }}" } }', 'the MCP server is left out: the variable NO is not set.'],
    [
      '{ config: { command: x, env: { A: "{{ env.B }}" } } }',
      'the MCP server is left out: A can only be {{ env.A }} or a plain value.',
    ],
    [
      '{ config: { url: "https://x.example", headers: { X: "{{ env.A }}:{{ env.B }}" } } }',
      'the MCP server is left out: the header X holds more than one value behind its beginning.',
    ],
  ])('%s', async (entry, message) => {
    const { servers, warnings } = await load([`mcp_servers:\n  s: ${entry}\n  good: { config: { command: good } }`]);
    expect([servers, warnings]).toEqual([[{ name: 'good', command: ['good'] }], [`s: ${message}`]]);
  });

  test('of two files that name the same one otherwise, the first counts', async () => {
    const texts = ['mcp_servers: { s: { config: { command: a } } }', 'mcp_servers: { s: { config: { command: b } } }'];
    const { servers, warnings } = await load(texts);
    expect(servers).toEqual([{ name: 's', command: ['a'] }]);
    expect(warnings).toEqual([
      's is the name of another MCP server or adapter too, and only that one can be accepted.',
    ]);
  });
});

describe('an entry of mcp_servers', () => {
  test('is an MCP server that waits to be accepted', async () => {
    const text = `
mcp_servers:
  Shop Server:
    description: x
    llm_instructions: Ask it first.
    config: { url: "https://mcp.example/{{ env.PART }}", mode: streamable-http, headers: { Authorization: "Bearer {{ env.SHOP }}", X: "{{env.Y}}", Z: z } }
  events: { url: "https://events.example" }
toolsets:
  local: { type: mcp, config: { mode: stdio, command: npx, args: [-y, server], env: { A: "1", B: "{{ env.B }}" } } }
`;
    const { tools, accepts, servers, warnings } = await load([text], { PART: 'mcp' });
    expect([tools, accepts.map(({ state }) => state)]).toEqual([[], ['new', 'new', 'new']]);
    expect(servers).toEqual([
      {
        name: 'shop_server',
        url: 'https://mcp.example/mcp',
        headers: { Authorization: { secret: 'SHOP', prefix: 'Bearer ' }, X: { secret: 'Y' }, Z: 'z' },
      },
      { name: 'events', url: 'https://events.example/sse' },
      { name: 'local', command: ['env', 'A=1', 'npx', '-y', 'server'], env: ['B'] },
    ]);
    expect(warnings).toEqual([
      'Shop Server: llm_instructions are not given to the model.',
      'events: url belongs into config.',
    ]);
  });

  test('gives the accepted tools, those that it restricts at least high', async () => {
    const text = `
mcp_servers:
  shop: { config: { command: shop }, restricted_tools: ["get_*"], approval_required_tools: [list] }
`;
    const reads = { annotations: { readOnlyHint: true } };
    const { folder, servers } = await load([text]);
    const [server] = servers;
    if (!server) throw new Error('there is no server');
    const known = [aMcpTool('get_it', reads), aMcpTool('list', reads), aMcpTool('count', reads)];
    const drop = aMcpTool('get_rid', { annotations: { destructiveHint: true } });
    await openPins({ config: folder }).accept(server, [...known, drop], []);
    const { tools, accepts } = await load([text], {}, folder);
    expect(tools.map(({ name, riskLevel }) => [name, riskLevel])).toEqual([
      ['shop_get_it', 'high'],
      ['shop_list', 'high'],
      ['shop_count', 'low'],
      ['shop_get_rid', 'critical'],
    ]);
    expect(accepts.map(({ state }) => state)).toEqual(['accepted']);
  });
});
