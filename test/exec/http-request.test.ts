import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { httpExecutor } from '../../src/exec/http.js';
import { readSecret } from '../../src/lib/secrets.js';
import { runHttp, serve, type TestServer } from './http-servers.js';

const http = httpExecutor();

let server: TestServer;
beforeAll(async () => {
  server = await serve((_request, response, { url, method }) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ url, method })),
  );
});
afterAll(() => server.close());

describe('what is asked', () => {
  test('parameters are encoded in the path and the query, and a base may end in slashes', async () => {
    const spec = { url: '{{ env.BASE }}/a/{{ p }}', query: { q: '{{ q }}', none: '{{ missing }}', l: '{{ l }}' } };
    const run = await runHttp(spec, {
      args: { p: '../x?y', q: 'a&b=c', l: [1, 2] },
      env: { BASE: `${server.url}/base//` },
    });
    expect(JSON.parse(run.stdout)).toEqual({ url: '/base/a/..%2Fx%3Fy?q=a%26b%3Dc&l=1&l=2', method: 'GET' });
  });

  test('times become RFC 3339, only where the tool file says so', async () => {
    const body = { at: { $ago: '{{ at }}' }, none: { $ahead: '{{ missing }}' }, kept: {}, value: '{{ value }}' };
    const args = { at: '1769846400', value: { $ago: '1h' } };
    await runHttp({ method: 'POST', url: `${server.url}/t`, body }, { args });
    expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toEqual({
      at: '2026-01-31T08:00:00.000Z',
      kept: {},
      value: { $ago: '1h' },
    });
  });

  test('a time that means nothing is a mistake of the call', () => {
    const plan = () =>
      http.plan({ kind: 'http', url: 'http://h', query: { t: { $ago: 'soon' } } }, {}, { context: {}, env: {} });
    expect(plan).toThrow(/"soon" is not a time/);
  });

  test('a secret reaches the header and never the action', async () => {
    const spec = {
      method: 'POST',
      url: `${server.url}/s`,
      body: { a: '{{ a }}' },
      auth: { bearer: { secret: 'TOKEN' } },
    };
    const run = await runHttp(spec, { args: { a: 1 } });
    expect(server.seen.at(-1)).toMatchObject({
      url: '/s',
      body: '{"a":1}',
      headers: { authorization: 'Bearer value-of-TOKEN' },
    });
    expect(JSON.stringify(run.action)).not.toContain('value-of-TOKEN');
  });

  const optional = [{ bearer: { secret: 'T' } }, { basic: { user: { secret: 'U' }, password: { secret: 'P' } } }];
  test.each([
    [{ T: ' t ' }, 'Bearer t'],
    [{ U: 'u', P: 'p' }, `Basic ${Buffer.from('u:p').toString('base64')}`],
    [{ U: 'u' }, undefined],
    [{}, undefined],
  ])('of several ways the first whose secrets are set is used: %j', async (env, authorization) => {
    await runHttp({ url: `${server.url}/a`, auth: optional }, { secret: (name) => readSecret(name, env, '/nowhere') });
    expect(server.seen.at(-1)?.headers.authorization).toBe(authorization);
  });

  test('a secret that is needed and not set, and one that cannot be read, end the call', async () => {
    const before = server.seen.length;
    const unset = (name: string) => readSecret(name, {}, '/nowhere');
    const needed = await runHttp({ url: `${server.url}/a`, auth: { bearer: { secret: 'T' } } }, { secret: unset });
    expect(needed.outcome).toMatchObject({
      status: 'failed',
      error: { exit: 'usage', message: 'The secret T is not set.' },
    });
    const open = () => {
      throw new OpsError('usage', '.env may be read by others');
    };
    const unsafe = await runHttp({ url: `${server.url}/a`, auth: optional }, { secret: open });
    expect(unsafe.outcome).toMatchObject({ status: 'failed', error: { exit: 'usage' } });
    expect(server.seen.length).toBe(before);
  });

  test('a secret with a line break cannot add a header', async () => {
    const before = server.seen.length;
    const spec = { url: `${server.url}/a`, headers: { 'X-Key': '{{ secret.K }}' } };
    const { outcome } = await runHttp(spec, { secret: () => 'a\r\nX-Admin: 1' });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { exit: 'usage', message: expect.stringContaining('cannot be sent') },
    });
    expect(server.seen.length).toBe(before);
  });
});
