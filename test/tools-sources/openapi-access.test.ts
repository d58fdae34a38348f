import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { isPrivateAddress, lookupPublic } from '../../src/lib/public-address.js';
import { serve, type TestServer } from '../exec/http-servers.js';
import { description, faultsOf, loadApi, runTool, toolsOf } from './openapi-helpers.js';

const answers = { responses: { 200: { description: 'ok', content: { 'application/json': {} } } } };
const paths: JsonObject = {
  '/a': { get: { operationId: 'a', ...answers }, post: { operationId: 'open', security: [], ...answers } },
};

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const serving = async (answer: Parameters<typeof serve>[0]) => {
  const server = await serve(answer);
  servers.push(server);
  return server;
};
const echo: Parameters<typeof serve>[0] = (_request, response) =>
  response.setHeader('content-type', 'application/json').end('{}');

describe('a host that only the description names', () => {
  test.each([
    ['127.0.0.1', 'an address of this machine'],
    ['[::ffff:127.0.0.1]', 'the same in IPv6'],
    ['169.254.169.254', 'the metadata service of clouds'],
    ['localhost', 'a name that leads to this machine'],
  ])('is not visited at %s: %s', async (host) => {
    const server = await serving(echo);
    const spec = description(paths, { servers: [{ url: `http://${host}:${server.port}` }] });
    const [tool] = await toolsOf(spec);
    const { outcome } = await runTool(tool, {});
    expect(outcome.error).toEqual({
      category: 'validation',
      message: expect.stringContaining(
        'is at an address of a private network or of this machine, and nobody listed it by name',
      ),
      hint: 'If that is meant, add the host to allow_hosts, or give its address as base_url.',
    });
    expect(server.seen).toEqual([]);
  });

  test('is visited when the tool file lists it, or gives it as base_url', async () => {
    const server = await serving(echo);
    const spec = description(paths, { servers: [{ url: server.url }] });
    for (const source of [{ allow_hosts: ['127.0.0.1'] }, { base_url: server.url }]) {
      const { outcome } = await runTool((await toolsOf(spec, source))[0], {});
      expect(outcome).toEqual({ status: 'ok', exitCode: 200 });
    }
  });

  test('must be the one that the description came from, when it came by network', async () => {
    const spec = description(paths, { servers: [{ url: 'https://evil.example.com' }] });
    const server = await serving((_request, response) => response.end(JSON.stringify(spec)));
    const source = { spec: `${server.url}/openapi.json` };
    expect((await faultsOf(source)).lines).toEqual([
      'The openapi source: it comes from 127.0.0.1:' +
        `${server.port}, but leads to evil.example.com. → If that is meant, add base_url: https://evil.example.com/ or allow_hosts: [evil.example.com].`,
    ]);
    expect((await faultsOf({ ...source, allow_hosts: ['evil.example.com'] })).names).toEqual(['a', 'open']);
  });

  test('is not asked for an operation that has a server elsewhere; another path at the same one is', async () => {
    const at = (url: string): JsonObject => ({ servers: [{ url }], get: { responses: {} } });
    const spec = description(
      {
        '/a': { get: { responses: {} } },
        '/up': at('https://uploads.example.com/x'),
        '/v2': at('/v2/'),
        '/c': { ...at('/v2'), get: { responses: {}, servers: [{ url: 'https://shop.example.com/v3' }] } },
      },
      { servers: [{ url: 'https://shop.example.com/v1' }] },
    );
    const urls = ({ tools }: { tools: readonly ToolDefinition[] }) => tools.map(({ run }) => run.url);
    const found = await loadApi({ spec });
    expect(urls(found)).toEqual([
      'https://shop.example.com/v1/a',
      'https://shop.example.com/v2/v2',
      'https://shop.example.com/v3/c',
    ]);
    expect((await faultsOf({ spec })).lines).toEqual([
      'GET /up is left out: it has a server of its own, https://uploads.example.com, and not the one of the API. → Give such operations a source of their own, with include: and base_url: https://uploads.example.com/x',
    ]);
    // A tool file that says itself where the API is means all of it.
    expect(urls(await loadApi({ spec, base_url: 'https://staging.example.com' }))).toEqual(
      ['/a', '/up', '/v2', '/c'].map((path) => `https://staging.example.com${path}`),
    );
  });

  test.each([
    ['10.1.2.3', true],
    ['172.31.0.1', true],
    ['192.168.1.1', true],
    ['100.64.0.1', true],
    ['0.0.0.0', true],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['::1', true],
    ['[fd00::1]', true],
    ['fe80::1', true],
    ['::ffff:10.0.0.1', true],
    ['64:ff9b::a00:1', true],
    ['8.8.8.8', false],
    ['172.32.0.1', false],
    ['2606:4700::1111', false],
    ['example.com', false],
  ])('%s is private: %s', (address, isPrivate) => {
    expect(isPrivateAddress(address)).toBe(isPrivate);
  });

  test('the lookup refuses a name that leads to a private address, for one address and for all', async () => {
    for (const options of [{}, { all: true }]) {
      const error = await new Promise((resolve) => lookupPublic('localhost', options, resolve));
      expect(error).toMatchObject({ code: 'ERR_PRIVATE_ADDRESS' });
    }
  });
});

describe('redirects', () => {
  test('to another host, also of this machine, are refused, and credentials stay', async () => {
    const other = await serving(echo);
    const server = await serving((_request, response) => response.writeHead(307, { location: `${other.url}/x` }).end());
    const source = { base_url: server.url, auth: { bearer: { secret: 'TOKEN' } } };
    const { outcome } = await runTool((await toolsOf(description(paths), source))[0], {});
    expect(outcome.error?.message).toContain(`redirects (307) to ${other.url}/x, which this tool may not visit`);
    expect(other.seen).toEqual([]);
  });

  test('to a host of a pattern lead to public addresses alone', async () => {
    const other = await serving(echo);
    const away = other.url.replace('127.0.0.1', 'x.localhost');
    const server = await serving((_request, response) => response.writeHead(302, { location: away }).end());
    const source = { base_url: server.url, allow_hosts: ['*.localhost'] };
    const { outcome } = await runTool((await toolsOf(description(paths), source))[0], {});
    expect(outcome.error?.message).toMatch(
      /x\.localhost:\d+ (?:is at an address of a private network|could not be reached)/,
    );
    expect(other.seen).toEqual([]);
  });
});

describe('OPENAPI_ALLOWED_DOMAINS', () => {
  const spec = description(paths);
  test.each([
    ['example.com', []],
    ['other.org, shop.example.com', []],
    ['*', []],
    ['', []],
    [
      'ample.com',
      ['The openapi source: shop.example.com is not among OPENAPI_ALLOWED_DOMAINS. → Add it there, if you trust it.'],
    ],
    [
      'shop.example.com.evil.org',
      ['The openapi source: shop.example.com is not among OPENAPI_ALLOWED_DOMAINS. → Add it there, if you trust it.'],
    ],
  ])('%j', async (OPENAPI_ALLOWED_DOMAINS, lines) => {
    expect((await faultsOf({ spec }, { env: { OPENAPI_ALLOWED_DOMAINS } })).lines).toEqual(lines);
  });

  test('fences hosts of allow_hosts, the description itself and the token address too', async () => {
    const env = { OPENAPI_ALLOWED_DOMAINS: 'example.com' };
    const { tools } = await loadApi({ spec, allow_hosts: ['evil.org', 'cdn.example.com', '*.evil.org'] }, { env });
    expect(tools[0]?.run).toMatchObject({ allow_hosts: ['cdn.example.com'], public_hosts: ['shop.example.com'] });
    expect((await faultsOf({ spec: 'https://evil.org/spec' }, { env })).lines[0]).toContain('evil.org is not among');
    const oauth2 = { token_url: 'https://evil.org/token', client_id: 'x', client_secret: { secret: 'S' } };
    expect((await faultsOf({ spec, auth: { oauth2 } }, { env })).lines[0]).toContain('evil.org is not among');
  });
});

describe('authentication', () => {
  const asked = async (auth: JsonObject | JsonObject[], name = 'a') => {
    const server = await serving(echo);
    const tools = await toolsOf(description(paths), { base_url: server.url, auth });
    const { action, outcome } = await runTool(
      tools.find((tool) => tool.name === name),
      {},
    );
    expect(outcome.status).toBe('ok');
    // No secret stands in what is shown, judged and recorded.
    expect(JSON.stringify(action)).not.toContain('value-of');
    const { url, headers } = server.seen.at(-1) ?? {};
    return { url, authorization: headers?.authorization, cookie: headers?.cookie, key: headers?.['x-key'] };
  };
  const basic = `Basic ${Buffer.from('me:value-of-P').toString('base64')}`;
  test.each<[JsonObject, object]>([
    [{ bearer: { secret: 'T' } }, { url: '/a', authorization: 'Bearer value-of-T' }],
    [{ basic: { user: 'me', password: { secret: 'P' } } }, { url: '/a', authorization: basic }],
    [{ header: { name: 'X-Key', value: { secret: 'K' } } }, { url: '/a', key: 'value-of-K' }],
    [{ query: { name: 'api key', value: { secret: 'K' } } }, { url: '/a?api%20key=value-of-K' }],
    [{ cookie: { name: 'sid', value: { secret: 'K' } } }, { url: '/a', cookie: 'sid=value-of-K' }],
  ])('%j', async (auth, seen) => {
    expect(await asked(auth)).toEqual({ authorization: undefined, cookie: undefined, key: undefined, ...seen });
  });

  test('an operation that needs none sends none', async () => {
    expect(await asked({ bearer: { secret: 'T' } }, 'open')).toMatchObject({ authorization: undefined });
  });

  test('client credentials: one token for several calls, a new one after 401, none of it shown', async () => {
    const accepted = new Set(['t1']);
    const server = await serving((request, response, seen) => {
      if (request.url !== '/token')
        return response.writeHead(accepted.has(`${request.headers.authorization?.slice(7)}`) ? 200 : 401).end('{}');
      const count = server.seen.filter(({ url }) => url === '/token').length;
      expect(seen).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials&scope=read+write' });
      expect(seen.headers.authorization).toBe(`Basic ${Buffer.from('id:value-of-S').toString('base64')}`);
      return response.end(JSON.stringify({ access_token: `t${count}`, token_type: 'bearer', expires_in: 3600 }));
    });
    const oauth2 = {
      token_url: `${server.url}/token`,
      client_id: 'id',
      client_secret: { secret: 'S' },
      scopes: ['read', 'write'],
    };
    const [tool] = await toolsOf(description(paths), { base_url: server.url, auth: { oauth2 } });
    const codes = [];
    for (const _ of [1, 2]) codes.push((await runTool(tool, {})).outcome.exitCode);
    accepted.clear();
    accepted.add('t2');
    for (const _ of [3, 4]) codes.push((await runTool(tool, {})).outcome.exitCode);
    expect(codes).toEqual([200, 200, 401, 200]);
    expect(server.seen.filter(({ url }) => url === '/token')).toHaveLength(2);
  });

  test('a token that is refused is said, without a request to the service', async () => {
    const server = await serving((_request, response) => response.writeHead(400).end('{"error":"invalid_client"}'));
    const oauth2 = { token_url: `${server.url}/token`, client_id: 'other', client_secret: { secret: 'S' } };
    const [tool] = await toolsOf(description(paths), { base_url: server.url, auth: { oauth2 } });
    const { outcome } = await runTool(tool, {});
    expect(outcome.error).toMatchObject({
      exit: 'unavailable',
      message: `No token from ${server.url}/token: it answered 400.`,
    });
    expect(server.seen.map(({ url }) => url)).toEqual(['/token']);
  });
});
