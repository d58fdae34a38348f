import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { makeAuthority } from './http-certificates.js';
import { keep, runHttp, serve, serveTcp } from './http-servers.js';

afterEach(() => vi.unstubAllEnvs());

describe('a server that misbehaves', () => {
  const tcp = (answer: string, end: (socket: Socket) => void = () => undefined) =>
    keep(
      serveTcp((socket) => {
        socket.once('data', () => {
          socket.write(answer);
          end(socket);
        });
      }),
    );

  test('that is not there: what to check', async () => {
    const { outcome } = await runHttp({ url: 'http://127.0.0.1:1/x' });
    expect(outcome).toEqual({
      status: 'failed',
      service: 'unreachable',
      error: {
        category: 'network',
        exit: 'unavailable',
        message: 'http://127.0.0.1:1 could not be reached: the connection was refused: nothing listens there',
        hint: 'Is the address right, and the service running?',
      },
    });
  });

  test('whose name is unknown', async () => {
    const { outcome } = await runHttp({ url: 'http://opsagent-no-such-host.invalid/x' }, { timeoutMs: 5000 });
    expect(outcome.error?.message).toMatch(/host name (?:is not known|could not be looked up)/);
    expect(outcome.error?.exit).toBe('unavailable');
  });

  test('that accepts and says nothing', async () => {
    const { url } = await tcp('');
    const { outcome } = await runHttp({ url: `${url}/x` }, { timeoutMs: 300 });
    expect(outcome).toMatchObject({
      status: 'timed-out',
      error: { exit: 'unavailable', message: `GET ${url}/x: no answer within 0.3 s` },
    });
  });

  test('that never finishes the TLS handshake', async () => {
    const { port } = await keep(serveTcp(() => undefined));
    const { outcome } = await runHttp({ url: `https://127.0.0.1:${port}/x` }, { timeoutMs: 800 });
    expect(outcome.status).toBe('timed-out');
    expect(outcome.error?.message).toMatch(/no (?:connection|answer) within 0\.8 s/);
  });

  test('that stops in the middle of the body', async () => {
    const { url } = await tcp('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    const { outcome, stdout } = await runHttp({ url: `${url}/x` }, { timeoutMs: 700 });
    expect(outcome.status).toBe('timed-out');
    expect(outcome.error?.message).toMatch(/4 bytes/);
    expect(stdout).toBe('half');
  });

  test('that drips its body for ever', async () => {
    const drip = (socket: Socket) => {
      const timer = setInterval(() => socket.write('1\r\n.\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    const { url } = await tcp('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', drip);
    const { outcome } = await runHttp({ url: `${url}/x` }, { timeoutMs: 500 });
    expect(outcome).toMatchObject({
      status: 'timed-out',
      error: { message: expect.stringMatching(/had not ended after 0\.5 s/) },
    });
  });

  test('that floods without an end is cut at the limit', async () => {
    const { url } = await keep(
      serve((_request, response) => {
        const more = () => {
          while (response.write(Buffer.alloc(65_536, 'x'))) if (response.destroyed) return;
        };
        response.on('drain', more);
        more();
      }),
    );
    const { outcome, stdout } = await runHttp({ url, max_response_bytes: 300_000 });
    expect(outcome.error?.message).toContain('answered more than 293 KiB');
    expect(stdout.length).toBe(300_000);
  });

  test('that hangs up before it answers, and in the middle', async () => {
    const before = await tcp('', (socket) => socket.destroy());
    expect((await runHttp({ url: before.url })).outcome.error?.message).toMatch(
      /closed the connection before it had answered/,
    );
    const within = await tcp('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', (socket) => socket.end());
    const { outcome } = await runHttp({ url: within.url });
    expect(outcome).toMatchObject({ status: 'failed', error: { exit: 'unavailable' } });
    expect(outcome.error?.message).toMatch(/could not be read while it answered, after 4 bytes/);
  });

  test('whose packed answer is cut off', async () => {
    const half = gzipSync('{"a":1,"b":"something longer"}').subarray(0, 20);
    const { url } = await keep(
      serve((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(half)),
    );
    expect((await runHttp({ url })).outcome.error?.message).toMatch(/cannot be unpacked/);
  });

  test('that does not speak HTTP', async () => {
    const { url } = await tcp('SSH-2.0-OpenSSH_9.2\r\n');
    expect((await runHttp({ url })).outcome.error?.message).toMatch(/what it answered is not HTTP/);
  });

  test('an interruption ends it at once', async () => {
    const { url } = await tcp('');
    const { outcome } = await runHttp({ url }, { signal: AbortSignal.timeout(100) });
    expect(outcome).toEqual({ status: 'cancelled', error: { category: 'cancelled', message: 'interrupted' } });
  });
});

describe('TLS', () => {
  const authority = makeAuthority();
  afterAll(authority.remove);
  const good = authority.issue('good', 'IP:127.0.0.1', -1, 10);
  const hello = (tls: { key: string; cert: string }) =>
    keep(serve((_request, response) => void response.end('hello'), tls));

  test.each([
    [
      'self-signed',
      authority.selfSigned('self', 'IP:127.0.0.1'),
      /is self-signed.*DEPTH_ZERO/,
      /that certificate in NODE_EXTRA_CA_CERTS/,
    ],
    ['of an unknown authority', good, /authority that this machine does not know/, /NODE_EXTRA_CA_CERTS/],
  ])('a certificate that is %s', async (_, certificate, message, hint) => {
    const { url } = await hello(certificate);
    const { outcome } = await runHttp({ url });
    expect(outcome).toMatchObject({ status: 'failed', error: { category: 'network', exit: 'unavailable' } });
    expect(outcome.error?.message).toMatch(message);
    expect(outcome.error?.hint).toMatch(hint);
  });

  test.each([
    ['has expired', authority.issue('old', 'IP:127.0.0.1', -20, -10), /has expired/, /Renew/],
    ['is not valid yet', authority.issue('new', 'IP:127.0.0.1', 5, 10), /is not valid yet/, /clock/],
    [
      'is for another name',
      authority.issue('name', 'DNS:example.org', -1, 10),
      /for another host name/,
      /name that the certificate is for/,
    ],
  ])('a certificate that %s, of a known authority', async (_, certificate, message, hint) => {
    vi.stubEnv('SSL_CERT_FILE', authority.caFile);
    const { url } = await hello(certificate);
    const { outcome } = await runHttp({ url });
    expect(outcome.error?.message).toMatch(message);
    expect(outcome.error?.hint).toMatch(hint);
  });

  test('SSL_CERT_FILE adds an authority', async () => {
    vi.stubEnv('SSL_CERT_FILE', authority.caFile);
    const { url } = await hello(good);
    expect((await runHttp({ url })).stdout).toBe('hello');
  });

  test('a certificate file that is not there is a mistake of the set-up', async () => {
    vi.stubEnv('SSL_CERT_FILE', '/nowhere/ca.pem');
    expect((await runHttp({ url: 'https://127.0.0.1:1/' })).outcome).toMatchObject({
      status: 'failed',
      error: { exit: 'usage', message: expect.stringContaining('SSL_CERT_FILE cannot be read') },
    });
  });

  test('http and https mixed up', async () => {
    const plain = await keep(serve((_request, response) => void response.end()));
    const { outcome } = await runHttp({ url: `https://127.0.0.1:${plain.port}/` });
    expect(outcome.error).toMatchObject({ hint: expect.stringMatching(/begin with http:\/\//), exit: 'unavailable' });
  });

  test('a redirect from https to http is not followed', async () => {
    vi.stubEnv('SSL_CERT_FILE', authority.caFile);
    const plain = await keep(serve((_request, response) => void response.end('plain')));
    const secure = await keep(
      serve((_request, response) => void response.writeHead(302, { location: plain.url }).end(), good),
    );
    const { outcome } = await runHttp({ url: secure.url, allow_hosts: ['127.0.0.1'] });
    expect(outcome).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('not encrypted') } });
    expect(plain.seen).toEqual([]);
  });
});
