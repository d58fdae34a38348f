import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import type { ServerPins } from '../../src/lib/mcp-pins.js';
import { launchDigest, type McpServer, type McpTool, riskOf, toolDigest } from '../../src/lib/mcp-server.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { mcp } from '../../src/tools/sources/mcp.js';
import type { SourceContext } from '../../src/tools/sources/source.js';
import { aMcpTool } from '../helpers/mcp/scripted.js';

const SERVER = { name: 'shop-db', command: ['shop-mcp', '--stdio'] };
const SOURCE: JsonObject = { kind: 'mcp', ...SERVER };

const pinsOf = (tools: readonly McpTool[], server: McpServer = SERVER): ServerPins => ({
  launch: launchDigest(server),
  tools: Object.fromEntries(tools.map((one) => [one.name, { sha256: toolDigest(one), definition: one }])),
});

interface World {
  readonly known?: ServerPins;
  readonly header?: JsonObject;
}

async function load(world: World, source: JsonObject = SOURCE) {
  const notices: string[] = [];
  const context: SourceContext = {
    file: '/tools.d/shop.yaml',
    line: 3,
    column: 5,
    header: world.header ?? {},
    adapters: {},
    place: '/tools.d/shop.yaml:3',
    path: (relative) => `/tools.d/${relative}`,
    cache: { read: () => undefined, write: () => undefined },
    secret: () => 'secret',
    env: {},
    signal: new AbortController().signal,
    notice: (text) => void notices.push(text),
    pins: { read: async () => world.known, adapters: async () => ({}) },
  };
  const { tools, warnings, accepts } = await mcp.load(source, context);
  return { tools, warnings: warnings.map(({ message }) => message), accepts, notices };
}

describe('which tools there are', () => {
  test('a server that nobody accepted has none, and waits', async () => {
    expect(await load({})).toEqual({
      tools: [],
      warnings: [],
      notices: [],
      accepts: [{ kind: 'server', name: 'shop-db', server: SERVER, state: 'new', risks: {} }],
    });
  });

  test('one that is reached in another way than the accepted one has none either', async () => {
    const known = pinsOf([aMcpTool('list')]);
    expect(await load({ known })).toMatchObject({
      tools: [{ name: 'shop_db_list' }],
      accepts: [{ state: 'accepted' }],
    });
    const moved = await load({ known }, { ...SOURCE, command: ['./shop', '--stdio'] });
    const server = { name: 'shop-db', command: ['/tools.d/./shop', '--stdio'] };
    expect([moved.tools, moved.accepts]).toEqual([
      [],
      [{ kind: 'server', name: 'shop-db', server, state: 'changed', risks: {} }],
    ]);
  });

  test('a tool whose definition changed is there, cannot run, and is told', async () => {
    const tool = aMcpTool('list');
    const known = pinsOf([tool]);
    const offered = { ...known, tools: { list: { ...known.tools.list, offered: aMcpTool('list', { title: 'x' }) } } };
    const { tools, notices } = await load({ known: offered as ServerPins });
    expect(tools[0]?.description).toBe('Does list.');
    expect(tools[0]?.unavailable).toBe(
      'the MCP server shop-db gives another definition of it than the accepted one. Look at it with: opsagent tools accept shop-db/list',
    );
    expect(notices).toEqual([
      'MCP server shop-db: list changed since it was accepted. Not used until you have looked at it: opsagent tools accept shop-db',
    ]);
  });

  test('a schema that cannot be compiled leaves its tool out, and says why', async () => {
    const broken = aMcpTool('broken', { inputSchema: { type: 'object', properties: { x: { type: 'strnig' } } } });
    const { tools, warnings } = await load({ known: pinsOf([broken, aMcpTool('list')]) });
    expect(tools.map(({ name }) => name)).toEqual(['shop_db_list']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^MCP server shop-db: its tool "broken" is left out: The JSON Schema cannot be used/);
  });

  test('names become valid and unique, and long ones stay apart', async () => {
    const long = 'x'.repeat(80);
    const names = ['Get-Pods', 'get_pods', `${long}1`, `${long}2`, '列表'];
    const { tools } = await load({ known: pinsOf(names.map((name) => aMcpTool(name))) });
    expect(tools.every(({ name }) => /^[a-z][a-z0-9_]{0,63}$/.test(name))).toBe(true);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(5);
    expect(tools.slice(0, 2).map(({ name }) => name)).toEqual(['shop_db_get_pods', 'shop_db_get_pods_2']);
  });

  test('include takes some, and a name that is not there is told', async () => {
    const known = pinsOf([aMcpTool('list'), aMcpTool('drop')]);
    const { tools, warnings } = await load({ known }, { ...SOURCE, include: ['list', 'lits'] });
    expect(tools.map(({ name }) => name)).toEqual(['shop_db_list']);
    expect(warnings).toEqual(['MCP server shop-db: there is no accepted tool "lits"']);
  });
});

describe('what a tool becomes', () => {
  test.each([
    ['critical', { destructiveHint: true }],
    ['critical', { destructiveHint: true, readOnlyHint: true }],
    ['low', { readOnlyHint: true }],
    ['high', { readOnlyHint: false, destructiveHint: false }],
    ['high', {}],
    ['high', undefined],
  ])('its risk is %s for %j', (risk, annotations) => {
    expect(riskOf(annotations ? { annotations } : {})).toBe(risk);
  });

  test('the source may say another risk for a tool', async () => {
    const known = pinsOf([aMcpTool('list', { annotations: { readOnlyHint: true } }), aMcpTool('query')]);
    const { tools } = await load({ known }, { ...SOURCE, risk: { list: 'critical', query: 'medium' } });
    expect(tools.map(({ riskLevel }) => riskLevel)).toEqual(['critical', 'medium']);
  });

  test('texts of the server are short and without control characters', async () => {
    const tool = aMcpTool('list', {
      description: `\u001b[2Jlist\u202e ${'x'.repeat(5_000)}`,
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { description: { type: 'string', description: `\u001b]0;title\u0007all ${'y'.repeat(1_000)}` } },
      },
    });
    const [made] = (await load({ known: pinsOf([tool]) })).tools;
    expect(made?.description.slice(0, 6)).toBe('list x');
    expect(made?.description).toHaveLength(2_000);
    expect(made?.parameters).toEqual({
      type: 'object',
      properties: { description: { type: 'string', description: `all ${'y'.repeat(495)}…` } },
      additionalProperties: false,
    });
  });

  test('the rest comes from its file, and its run block says what is called and by which definition', async () => {
    const tool = aMcpTool('list', { title: 'List', outputSchema: { type: 'object' } });
    const header = { system: 'shop', defaults: { timeout_seconds: 5 } };
    const [made] = (await load({ known: pinsOf([tool]), header })).tools;
    expect(made).toMatchObject({
      name: 'shop_db_list',
      displayName: 'List',
      category: 'shop',
      timeoutMs: 5_000,
      output: { format: 'json' },
      idempotent: false,
      requires: [{ command: ['shop-mcp'] }],
      run: { kind: 'mcp', server: SERVER, tool: 'list', sha256: toolDigest(tool) },
      source: '/tools.d/shop.yaml:3',
    });
  });
});

test('the sources of the README are such, and a misspelt key is found', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const text = /^```yaml mcp\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? '';
  const { sources, problems } = loadToolFiles([{ path: 'mcp.yaml', text }], []);
  expect([sources.map(({ source }) => source.name), problems]).toEqual([['everything', 'tickets'], []]);
  const misspelt = loadToolFiles([{ path: 'mcp.yaml', text: text.replace('allow_hosts', 'alow_hosts') }], []);
  expect(misspelt.problems.map(({ line, message }) => [line, message])).toEqual([
    [11, expect.stringContaining('alow_hosts')],
  ]);
});
