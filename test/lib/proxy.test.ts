import { describe, expect, test } from 'vitest';
import { proxyFor, proxyName } from '../../src/lib/proxy.js';

const ENV = { HTTP_PROXY: 'http://plain:3128', HTTPS_PROXY: 'http://me:pw@secure:3129' };
const host = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.host;

describe('the proxy of a request', () => {
  test('none is named, or the name is no address', () => {
    expect([
      host('http://a', {}),
      host('http://a', { HTTP_PROXY: '' }),
      host('http://a', { HTTP_PROXY: 'http://[' }),
    ]).toEqual([undefined, undefined, undefined]);
  });

  test('each scheme has its own; https falls back to that of http; lower case wins', () => {
    expect([host('http://a', ENV), host('https://a', ENV)]).toEqual(['plain:3128', 'secure:3129']);
    expect(host('https://a', { HTTP_PROXY: 'plain:3128' })).toBe('plain:3128');
    expect(host('http://a', { ...ENV, http_proxy: 'lower:1' })).toBe('lower:1');
  });

  test.each([
    ['http://api.corp.example/x', 'corp.example', true],
    ['http://api.corp.example/x', '.corp.example', true],
    ['http://api.corp.example/x', '*.corp.example', true],
    ['http://notcorp.example/x', 'corp.example', false],
    ['http://a:9090/x', 'a:9090', true],
    ['http://a:9091/x', 'a:9090', false],
    ['http://a/x', 'a:80', true],
    ['http://10.2.3.4/x', 'b, 10.0.0.0/8', true],
    ['http://11.2.3.4/x', '10.0.0.0/8', false],
    ['http://10.2.3.4/x', '10.0.0.0/99', false],
    ['http://[::1]:9090/x', '::1', true],
    ['http://[fd00::1]/x', 'fd00::/8', true],
    ['http://a/x', '*', true],
    ['http://a/x', '', false],
  ])('%s with NO_PROXY %j goes straight: %s', (url, noProxy, straight) => {
    expect(proxyFor(new URL(url), { ...ENV, NO_PROXY: noProxy }) === undefined).toBe(straight);
  });

  test('its name holds no password', () => {
    const proxy = proxyFor(new URL('https://a'), ENV);
    expect(proxy && proxyName(proxy)).toBe('http://secure:3129');
  });
});
