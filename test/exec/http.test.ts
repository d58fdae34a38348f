import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { httpExecutor } from '../../src/exec/http.js';
import { runHttp, serve, type TestServer } from './http-servers.js';

const http = httpExecutor();

let server: TestServer;
let other: TestServer;

beforeAll(async () => {
  other = await serve((_request, response) => void response.end('{"who":"other"}'));
  server = await serve((request, response, seen) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const to = searchParams.get('to') ?? '/here';
    if (pathname === '/redirect') response.writeHead(Number(searchParams.get('status')), { location: to }).end('moved');
    else if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (pathname === '/status') {
      const retry = { 'retry-after': '17', 'content-type': 'application/json' };
      response.writeHead(Number(searchParams.get('code')), retry).end('{"error":"why\\u001b[31m it failed"}');
    } else if (pathname === '/login') {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Sign in</title><form></form>');
    } else if (pathname === '/plain') response.writeHead(200, { 'content-type': 'text/plain' }).end('pong');
    else if (pathname === '/nul') response.writeHead(200).end(Buffer.from([1, 0, 2, 255]));
    else if (pathname === '/gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"packed":1}'));
    else if (pathname === '/br')
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('{"packed":2}'));
    else if (pathname === '/zstd') response.writeHead(200, { 'content-encoding': 'zstd' }).end('x');
    else if (pathname === '/broken-gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    else if (pathname === '/bomb')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(4_000_000)));
    else if (pathname === '/empty') response.writeHead(204).end();
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ url: seen.url, method: seen.method }));
  });
});
afterAll(() => Promise.all([server.close(), other.close()]));

const redirect = (status: number, to: string) => `${server.url}/redirect?status=${status}&to=${encodeURIComponent(to)}`;

describe('where a request may go', () => {
  test('a redirect to another host is refused and never visited', async () => {
    const before = other.seen.length;
    const { outcome } = await runHttp({ url: redirect(302, `${other.url}/x?token=1`) });
    expect(outcome).toEqual({
      status: 'failed',
      error: {
        category: 'validation',
        exit: 'unavailable',
        message: `${server.url} redirects (302) to ${other.url}/x, which this tool may not visit. Is it behind a login page?`,
        hint: 'Give the tool credentials (auth in its tool file); or set the address that it redirects to, or add the host to allow_hosts, if you trust it.',
      },
    });
    expect(other.seen.length).toBe(before);
  });

  test('a host outside allow_hosts is refused before anything is sent', async () => {
    const before = server.seen.length;
    const { outcome } = await runHttp({ url: `${server.url}/x`, allow_hosts: ['example.com'] });
    expect(outcome).toMatchObject({ status: 'failed', error: { category: 'validation' } });
    expect(server.seen.length).toBe(before);
  });

  test.each(['file:///etc/passwd', 'ftp://127.0.0.1/x'])('a redirect to %s is refused', async (to) => {
    expect((await runHttp({ url: redirect(302, to) })).outcome).toMatchObject({ error: { category: 'validation' } });
  });

  test.each(['{{ env.PROMETHEUS_URL }}/api', '127.0.0.1:9090/api', 'prometheus:9090/api'])(
    '%s is no address',
    async (url) => {
      const { outcome } = await runHttp({ url });
      expect(outcome).toMatchObject({ status: 'failed', error: { category: 'validation', exit: 'usage' } });
    },
  );

  test('an address with a password is refused without showing it', () => {
    const plan = () =>
      http.plan({ kind: 'http', url: '{{ env.U }}/x' }, {}, { context: {}, env: { U: 'http://me:hunter2@h' } });
    expect(plan).toThrow(OpsError);
    expect(plan).not.toThrow(/hunter2/);
  });

  test('redirects without an end are given up', async () => {
    const { outcome } = await runHttp({ url: `${server.url}/loop` });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { exit: 'unavailable', message: expect.stringContaining('without an end') },
    });
  });
});

describe('what a redirect keeps', () => {
  const body = { a: 1 };

  test.each([301, 302])('a change that is answered %i is not made elsewhere', async (status) => {
    const before = server.seen.length;
    const { outcome } = await runHttp({ method: 'POST', url: redirect(status, '/here'), body });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('nothing was done') },
    });
    expect(server.seen.length).toBe(before + 1);
  });

  test.each([307, 308])('%i repeats method and body', async (status) => {
    await runHttp({ method: 'POST', url: redirect(status, '/here'), body });
    expect(server.seen.at(-1)).toMatchObject({ method: 'POST', url: '/here', body: '{"a":1}' });
  });

  test('303 reads, without the body and its type', async () => {
    await runHttp({ method: 'POST', url: redirect(303, '/here'), body });
    const last = server.seen.at(-1);
    expect(last).toMatchObject({ method: 'GET', url: '/here', body: '' });
    expect(last?.headers['content-type']).toBeUndefined();
  });

  test('credentials and other headers of the tool never reach another origin, not even an allowed one', async () => {
    const auth = { bearer: { secret: 'TOKEN' } };
    const spec = {
      url: redirect(307, `${other.url}/x`),
      headers: { 'X-Api-Key': 'k' },
      auth,
      allow_hosts: ['127.0.0.1'],
    };
    expect((await runHttp(spec)).stdout).toBe('{"who":"other"}');
    expect(server.seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer value-of-TOKEN', 'x-api-key': 'k' });
    expect(Object.keys(other.seen.at(-1)?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
    ]);
  });

  test('on the same origin they stay', async () => {
    await runHttp({ url: redirect(302, '/here'), auth: { bearer: { secret: 'TOKEN' } } });
    expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer value-of-TOKEN');
  });
});

describe('what comes back', () => {
  test.each([
    [400, undefined, 'correct what it says', undefined],
    [401, 'unavailable', 'Set P_TOKEN', undefined],
    [403, 'unavailable', 'may not do this', undefined],
    [404, undefined, 'base path', undefined],
    [429, undefined, 'Try again in 17 s', 'busy'],
    [500, undefined, 'look at its log', 'failing'],
    [501, undefined, 'look at its log', undefined],
    [503, 'unavailable', 'Try again in 17 s', 'failing'],
    [504, 'unavailable', 'too long', 'failing'],
  ])('status %i is a failure with the words of the answer and a next step', async (code, exit, hint, service) => {
    const auth = [{ bearer: { secret: 'P_TOKEN' } }];
    const { outcome, stdout } = await runHttp({ url: `${server.url}/status?code=${code}`, auth });
    expect(outcome).toMatchObject({
      status: 'failed',
      exitCode: code,
      error: { category: 'network', hint: expect.stringContaining(hint) },
    });
    expect(outcome.error?.message).toMatch(/answered \d+: why it failed$/);
    expect([outcome.error?.exit, outcome.service]).toEqual([exit, service]);
    expect(outcome.error?.retryAfterMs).toBe(service ? 17_000 : undefined);
    expect(stdout).toContain('it failed');
  });

  test('a web page instead of JSON asks for a login', async () => {
    const auth = [
      { bearer: { secret: 'P_TOKEN' } },
      { basic: { user: { secret: 'P_USER' }, password: { secret: 'P_PASSWORD' } } },
    ];
    const { outcome } = await runHttp({ url: redirect(302, '/login'), auth }, { format: 'json' });
    expect(outcome).toEqual({
      status: 'failed',
      exitCode: 200,
      error: {
        category: 'network',
        exit: 'unavailable',
        message: `${server.url} answered with a web page "Sign in" instead of JSON (redirected to ${server.url}/login). Is it behind a login page?`,
        hint: 'Set P_TOKEN, or P_USER and P_PASSWORD to what the service accepts, or use an address that needs no login (inside the cluster, a port-forward).',
      },
    });
  });

  test('a tool that wants text gets the page', async () => {
    expect((await runHttp({ url: `${server.url}/login` })).outcome).toEqual({ status: 'ok', exitCode: 200 });
  });

  test('another kind of answer is named', async () => {
    const plain = await runHttp({ url: `${server.url}/plain` }, { format: 'json' });
    expect(plain.outcome.error?.message).toBe(`GET ${server.url}/plain answered text/plain ("pong") instead of JSON`);
    const binary = await runHttp({ url: `${server.url}/nul` }, { format: 'json' });
    expect(binary.outcome.error?.message).toContain('binary data instead of JSON');
  });

  test('nothing is an answer too', async () => {
    expect((await runHttp({ url: `${server.url}/empty` }, { format: 'json' })).outcome).toEqual({
      status: 'ok',
      exitCode: 204,
    });
  });

  test('packed answers are unpacked', async () => {
    expect((await runHttp({ url: `${server.url}/gzip` })).stdout).toBe('{"packed":1}');
    expect((await runHttp({ url: `${server.url}/br` })).stdout).toBe('{"packed":2}');
  });

  test('what cannot be unpacked is named', async () => {
    expect((await runHttp({ url: `${server.url}/zstd` })).outcome.error?.message).toContain('encoding "zstd"');
    expect((await runHttp({ url: `${server.url}/broken-gzip` })).outcome.error?.message).toContain(
      'cannot be unpacked',
    );
  });

  test('the size is limited once unpacked', async () => {
    const { outcome, stdout } = await runHttp({ url: `${server.url}/bomb`, max_response_bytes: 1000 });
    expect(stdout.length).toBe(1000);
    expect(outcome.error).toEqual({
      category: 'network',
      message: `GET ${server.url}/bomb answered more than 1000 bytes; the rest was not read`,
      hint: 'Ask for less: a narrower selector, a shorter range, a limit.',
    });
  });
});
