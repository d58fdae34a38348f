import { afterEach, describe, expect, test, vi } from 'vitest';
import type { McpServer } from '../../src/lib/mcp-server.js';
import { type McpHttpServer, serveMcp } from '../helpers/mcp/http-server.js';
import { type Scripted, scripted } from '../helpers/mcp/scripted.js';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  delete process.env.MCP_ALLOWED_DOMAINS;
  for (const one of opened.splice(0)) await one.close();
});

type World = Scripted & { readonly http: McpHttpServer };

async function start(
  options: Parameters<typeof serveMcp>[1] = { kind: 'streamable' },
  more: Partial<McpServer> = { allow_hosts: ['127.0.0.1'] },
): Promise<World> {
  const world = scripted();
  const http = await serveMcp(world.scenarioPath, options);
  Reflect.deleteProperty(world.server, 'command');
  Object.assign(world.server, { url: http.url, ...more });
  opened.push(world.connections, http);
  return Object.assign(world, { http });
}

describe('hosts', () => {
  const refused = (why: string) => ({
    category: 'validation',
    message: `The MCP server scripted: it is not visited: ${why}`,
    hint: 'Add the host to allow_hosts of its source, and to MCP_ALLOWED_DOMAINS where that is set.',
    exit: 'usage',
  });

  test.each([
    ['without a list', {}, '127.0.0.1 is a private or local address, which must be listed by name'],
    [
      'by a list of all',
      { allow_hosts: ['*'] },
      '127.0.0.1 is a private or local address, which must be listed by name',
    ],
    ['when others are listed', { allow_hosts: ['example.com'] }, '127.0.0.1 is not among the allowed hosts'],
  ])('a local address is not visited %s', async (_case, more, why) => {
    const one = await start({ kind: 'streamable' }, more);
    expect((await one.run('echo')).error).toEqual(refused(why));
    expect(one.http.seen).toEqual([]);
  });

  test('MCP_ALLOWED_DOMAINS holds beside the list of the source', async () => {
    const one = await start();
    process.env.MCP_ALLOWED_DOMAINS = 'example.com,*.example.org';
    expect((await one.run('echo')).error).toEqual(refused('127.0.0.1 is not among the allowed hosts'));
    expect(one.http.seen).toEqual([]);
  });

  test('a name that leads to a local address is not visited', async () => {
    const one = await start({ kind: 'streamable' }, { allow_hosts: ['*'] });
    Object.assign(one.server, { url: one.http.url.replace('127.0.0.1', 'localhost') });
    expect((await one.run('echo')).error?.message).toContain('which is not public and must be listed by name');
    expect(one.http.seen).toEqual([]);
  });

  test('a redirect to another host is not followed', async () => {
    const elsewhere = await serveMcp('/nowhere', { kind: 'streamable' });
    opened.push(elsewhere);
    const one = await start({
      kind: 'streamable',
      first: (response) => {
        response.writeHead(307, { location: elsewhere.url }).end();
        return true;
      },
    });
    expect((await one.run('echo')).status).toBe('failed');
    expect(elsewhere.seen).toEqual([]);
  });
});

describe('streamable HTTP', () => {
  test('a call goes out with the headers of the source, whose secrets stand in no action', async () => {
    const one = await start(
      { kind: 'streamable' },
      {
        allow_hosts: ['127.0.0.1'],
        headers: { Authorization: { secret: 'TOKEN', prefix: 'Bearer ' }, 'X-Team': 'shop' },
      },
    );
    expect((await one.run('echo', { text: 'hello' })).out).toBe('echo {"text":"hello"}');
    const headers = one.http.seen.map((request) => request.headers);
    expect(headers.every((each) => each.authorization === 'Bearer value-of-TOKEN')).toBe(true);
    expect(headers.every((each) => each['x-team'] === 'shop')).toBe(true);
  });

  test('after a server was started anew the call fails once, and the next one has a new session', async () => {
    const one = await start();
    await one.run('echo');
    one.http.forget();
    expect((await one.run('echo')).error?.message).toBe(
      'The MCP server scripted answered HTTP 404: Error POSTing to endpoint: no such session',
    );
    expect((await one.run('echo')).status).toBe('ok');
  });

  test('the server is told when the session ends', async () => {
    const one = await start();
    await one.run('echo');
    one.connections.close();
    await vi.waitFor(() =>
      expect(one.http.seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-1' } }),
    );
  });

  test('a server that wants a credential gets a hint for its reader', async () => {
    const one = await start({
      kind: 'streamable',
      first: (response) => {
        response.writeHead(401).end('who are you?');
        return true;
      },
    });
    expect((await one.run('echo')).error).toEqual({
      category: 'validation',
      message: 'The MCP server scripted answered HTTP 401: Error POSTing to endpoint: who are you?',
      hint: 'Give it a credential in headers: of its source, as { secret: NAME }.',
      exit: 'usage',
    });
  });

  test('nobody listens', async () => {
    const one = await start();
    await one.http.close();
    const { service, error } = await one.run('echo');
    expect(service).toBe('unreachable');
    expect(error?.message).toMatch(/^The MCP server scripted: connect ECONNREFUSED 127\.0\.0\.1:\d+\.$/);
  });

  test('a server that never answers is given up', async () => {
    const one = await start(
      { kind: 'streamable', first: () => true },
      { allow_hosts: ['127.0.0.1'], start_timeout_seconds: 0.3 },
    );
    const { status, error } = await one.run('echo');
    expect(status).toBe('timed-out');
    expect(error?.message).toBe('The MCP server scripted did not answer initialize within 0.3 s.');
  });

  test('an answer that is too large is not read to its end', async () => {
    const one = await start();
    const { status, error } = await one.run('big', { bytes: 20 * 1024 * 1024 });
    expect(status).toBe('failed');
    expect(error?.message).toBe('The MCP server scripted: a message of more than 16 MiB.');
  });
});

describe('HTTP with SSE, of servers of the time before', () => {
  test('is used when the server knows nothing else', async () => {
    const one = await start({ kind: 'sse' });
    expect((await one.run('echo', { text: 'old' })).out).toBe('echo {"text":"old"}');
  });

  test('a stream that never says where messages go is given up', async () => {
    const one = await start(
      {
        kind: 'sse',
        first: (response, method) => {
          if (method === 'GET') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
          else response.writeHead(405).end();
          return true;
        },
      },
      { allow_hosts: ['127.0.0.1'], start_timeout_seconds: 0.3 },
    );
    expect((await one.run('echo')).error?.message).toMatch(/^The MCP server scripted answered HTTP 405/);
  });
});
