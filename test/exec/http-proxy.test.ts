import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeAuthority } from './http-certificates.js';
import { keep, runHttp, serve, serveTcp } from './http-servers.js';

afterEach(() => vi.unstubAllEnvs());

describe('a proxy', () => {
  /** Answers plain requests itself, and joins tunnels to the port of `target`. */
  async function proxyTo(target: number, status = 200) {
    const tunnels: string[] = [];
    const proxy = await keep(serve((_request, response) => void response.writeHead(status).end('by proxy')));
    const raw = await keep(
      serveTcp((socket) => {
        socket.once('data', (data) => {
          const line = data.toString().split('\r\n')[0] ?? '';
          tunnels.push(line);
          if (!line.startsWith('CONNECT') || status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
          const upstream = connect(target, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
          upstream.on('error', () => socket.destroy());
          socket.pipe(upstream).pipe(socket);
        });
      }),
    );
    return { proxy, raw, tunnels };
  }

  test('takes requests to http, by names that only it knows', async () => {
    const { proxy } = await proxyTo(0);
    vi.stubEnv('HTTP_PROXY', proxy.url.replace('http://', 'http://user:pw@'));
    const run = await runHttp({ url: 'http://prometheus.invalid:9090/api?x=1', auth: { bearer: { secret: 'T' } } });
    expect(run.stdout).toBe('by proxy');
    expect(proxy.seen[0]).toMatchObject({
      url: 'http://prometheus.invalid:9090/api?x=1',
      headers: {
        host: 'prometheus.invalid:9090',
        authorization: 'Bearer value-of-T',
        'proxy-authorization': `Basic ${Buffer.from('user:pw').toString('base64')}`,
      },
    });
  });

  test('tunnels https, which it cannot read', async () => {
    const authority = makeAuthority();
    const target = await keep(
      serve((_request, response) => void response.end('secret'), authority.issue('t', 'DNS:prometheus.invalid', -1, 9)),
    );
    const { raw, tunnels } = await proxyTo(target.port);
    vi.stubEnv('SSL_CERT_FILE', authority.caFile);
    vi.stubEnv('HTTPS_PROXY', raw.url);
    expect((await runHttp({ url: 'https://prometheus.invalid/x' })).stdout).toBe('secret');
    expect(tunnels).toEqual(['CONNECT prometheus.invalid:443 HTTP/1.1']);
    authority.remove();
  });

  test.each(['127.0.0.1', '*', 'example.org, 127.0.0.0/8'])('is left out for NO_PROXY %s', async (noProxy) => {
    const { url } = await keep(serve((_request, response) => void response.end('straight')));
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
    vi.stubEnv('NO_PROXY', noProxy);
    expect((await runHttp({ url })).stdout).toBe('straight');
  });

  test.each([
    [407, /wants a user name and password \(407\)/],
    [403, /refused to connect to it \(403\)/],
  ])('that answers %i to a tunnel is named, without its password', async (status, message) => {
    const { raw } = await proxyTo(0, status);
    vi.stubEnv('HTTPS_PROXY', raw.url.replace('http://', 'http://user:pw@'));
    const { outcome } = await runHttp({ url: 'https://prometheus.invalid/x' });
    expect(outcome.error?.message).toMatch(message);
    expect(outcome.error?.message).toContain(raw.url);
    expect(JSON.stringify(outcome)).not.toContain('user:pw');
  });

  test('that is not there is named', async () => {
    vi.stubEnv('http_proxy', '127.0.0.1:1');
    const { outcome } = await runHttp({ url: 'http://prometheus.invalid/x' });
    expect(outcome.error).toMatchObject({
      exit: 'unavailable',
      message: expect.stringContaining('the request goes through the proxy http://127.0.0.1:1'),
      hint: expect.stringContaining('NO_PROXY'),
    });
  });
});
