import { BlockList, isIP } from 'node:net';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether the environment names a proxy. */
export const hasProxy = (env: Env): boolean =>
  Boolean(env.HTTPS_PROXY || env.HTTP_PROXY || env.https_proxy || env.http_proxy);

/**
 * The proxy that a request goes through, from HTTPS_PROXY or HTTP_PROXY and not against NO_PROXY; undefined when it goes straight.
 * Names in lower case win, as in curl. A proxy without a scheme is an HTTP proxy.
 */
export function proxyFor(url: URL, env: Env): URL | undefined {
  const plain = env.http_proxy || env.HTTP_PROXY;
  const named = url.protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY || plain : plain;
  if (!named || isExempt(url, env.no_proxy || env.NO_PROXY || '')) return undefined;
  const text = named.includes('://') ? named : `http://${named}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The address of a proxy without its password. */
export const proxyName = (proxy: URL): string => `${proxy.protocol}//${proxy.host}`;

/** NO_PROXY: `*`, names with the names below them, `host:port`, addresses and networks such as 10.0.0.0/8. */
function isExempt(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || isWithin(host, entry) || matchesName(host, port, entry));
}

function matchesName(host: string, port: string, entry: string): boolean {
  const [, name = '', only] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const bare = name.replace(/^\*?\./, '');
  return (only === undefined || only === port) && (host === bare || host.endsWith(`.${bare}`));
}

function isWithin(host: string, entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  const family = isIP(network);
  if (bits === undefined || family === 0 || isIP(host) !== family) return false;
  const length = Number(bits);
  if (!Number.isInteger(length) || length < 0 || length > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, length, type);
  return list.check(host, type);
}
