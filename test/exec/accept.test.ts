import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunContext } from '../../src/domain/ports.js';
import type { JsonObject } from '../../src/domain/types.js';
import { acceptExecutor } from '../../src/exec/accept.js';
import { openPins, textDigest } from '../../src/lib/mcp-pins.js';
import { launchDigest, toolDigest } from '../../src/lib/mcp-server.js';
import { aMcpTool, type Scripted, scripted } from '../helpers/mcp/scripted.js';
import { aClearedCall, aRunContext } from '../helpers/run-context.js';

const opened: Scripted[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.connections.close();
});

const ECHO = aMcpTool('echo', { annotations: { readOnlyHint: true } });

function world() {
  const one = scripted({ tools: [ECHO, aMcpTool('image')] }, {}, true);
  opened.push(one);
  const pins = openPins({ config: join(one.folder, 'config') });
  const executor = acceptExecutor({ mcp: one.connections, pins });
  const call = async (what: string, args: JsonObject, more: Partial<RunContext> = {}) => {
    const action = executor.plan({ kind: 'accept', what }, args, { context: {}, env: {} });
    const context = aRunContext(more);
    const { status, error } = await executor.run(aClearedCall(action), context);
    return { status, said: error?.message ?? context.seen.stdout };
  };
  const connect = () => call('mcp_connect', one.server as unknown as JsonObject);
  const accept = (more: JsonObject = {}) =>
    call('mcp_accept', {
      name: 'scripted',
      tools: [{ name: 'echo', risk: 'low', sha256: toolDigest(ECHO), ...more }],
      gone: [],
    });
  return { ...one, pins, call, connect, accept };
}

describe('nothing is accepted', () => {
  test('of a server that was not connected to in this session, which is not started for it', async () => {
    const { accept, received, pins } = world();
    expect(await accept()).toEqual({
      status: 'failed',
      said: 'nothing was heard of the MCP server scripted in this session.',
    });
    expect([received(), await pins.read('scripted')]).toEqual([[], undefined]);
  });

  test.each([
    ['another definition', { sha256: 'a'.repeat(64) }],
    ['another risk', { risk: 'medium' }],
    ['another name', { name: 'image' }],
  ])('when the server says %s than was shown', async (_what, more: JsonObject) => {
    const { connect, accept, pins } = world();
    expect(await connect()).toEqual({ status: 'ok', said: 'It answers, and has 2 tools.' });
    expect(await accept(more)).toEqual({
      status: 'failed',
      said: `the MCP server scripted gives another definition of ${more.name ?? 'echo'} now.`,
    });
    expect(await pins.read('scripted')).toBeUndefined();
  });

  test('of a module that is another than the one that was shown, or not there', async () => {
    const { call, pins } = world();
    const path = join(mkdtempSync(join(tmpdir(), 'module-')), 'x.mjs');
    const accept = () => call('adapter_accept', { name: 'x', path, sha256: textDigest('shown') });
    expect((await accept()).said).toContain(`${path} cannot be read: ENOENT`);
    writeFileSync(path, 'other');
    expect(await accept()).toEqual({ status: 'failed', said: `${path} has changed since it was shown.` });
    expect(await pins.adapters()).toEqual({});
    writeFileSync(path, 'shown');
    expect(await accept()).toEqual({ status: 'ok', said: `Accepted: x (${path})` });
    expect(await pins.adapters()).toEqual({ [path]: { sha256: textDigest('shown'), text: 'shown' } });
  });

  test('by connecting alone', async () => {
    const { connect, pins } = world();
    await connect();
    expect(await pins.read('scripted')).toBeUndefined();
  });
});

test('what was shown is accepted, and nothing else of the server', async () => {
  const { connect, accept, pins, server } = world();
  await connect();
  expect((await accept()).status).toBe('ok');
  expect(await pins.read('scripted')).toEqual({
    launch: launchDigest(server),
    tools: { echo: { sha256: toolDigest(ECHO), definition: ECHO } },
  });
});

test('a value that was hidden is put back when it starts', async () => {
  const { call, server, received } = world();
  const [program = '', script = '', scenario = ''] = server.command ?? [];
  const hidden = { name: 'scripted', command: [program, script, '<secret:1>'] };
  const reveal = (text: string, encode = (value: string) => value) => text.replace('<secret:1>', encode(scenario));
  expect((await call('mcp_connect', hidden, { reveal })).status).toBe('ok');
  expect(received().length).toBeGreaterThan(0);
});

test('the action says exactly what would start, be visited or be accepted', () => {
  const plan = (what: string, args: JsonObject) => {
    const { tokens, display } = acceptExecutor().plan({ kind: 'accept', what }, args, { context: {}, env: {} });
    return { tokens, display };
  };
  expect(plan('mcp_connect', { name: 'a', command: ['npx', 'a b'], cwd: '/x', env: ['T'] })).toEqual({
    tokens: ['mcp_connect', 'a', 'npx', 'a b'],
    display: "start the MCP server a, and ask for its tools: npx 'a b'\nin the folder /x\nwith the variables T",
  });
  expect(
    plan('mcp_connect', {
      name: 'a',
      url: 'https://a.example/mcp?x=1',
      headers: { X: { secret: 'T' } },
      allow_hosts: ['h'],
    }),
  ).toEqual({
    tokens: ['mcp_connect', 'a', 'https://a.example/mcp?x=1'],
    display:
      'connect to the MCP server a, and ask for its tools: https://a.example/mcp?x=1\nallowed hosts: h\nwith the headers {"X":{"secret":"T"}}',
  });
  expect(plan('mcp_accept', { name: 'a', tools: [{ name: 't', risk: 'high', sha256: 'x' }], gone: ['u'] })).toEqual({
    tokens: ['mcp_accept', 'a', 't'],
    display: 'use the MCP server a, with 1 tool as shown:\n  t (high)\n  u: gone',
  });
  expect(plan('mcp_connect', { name: 'a', command: ['npx'] }).display).toBe(
    'start the MCP server a, and ask for its tools: npx\nin the home folder',
  );
  const lines = { name: 'wipe (low)\n  echo', risk: 'critical', sha256: 'x' };
  expect(plan('mcp_accept', { name: 'a', tools: [lines], gone: ['u\nv'] }).display).toBe(
    'use the MCP server a, with 1 tool as shown:\n  wipe (low)␊  echo (critical)\n  u␊v: gone',
  );
  const definition = { name: 't', risk: 'low', set: 'high', sha256: 'x' };
  expect(plan('mcp_accept', { name: 'a', tools: [definition], gone: [] })).toMatchObject({
    display: 'use the MCP server a, with 1 tool as shown:\n  t (high; the server says low)',
  });
  expect(plan('adapter_accept', { name: 'v', path: '/v.mjs', sha256: 'x' })).toEqual({
    tokens: ['adapter_accept', 'v', '/v.mjs'],
    display: 'let the module of adapter v run: /v.mjs\nsha256 x',
  });
});
