import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Which hosts may be visited. */
export interface HostRules {
  /** Names, `*.example.com` for all below it, or `*`. Absent: every host. */
  readonly lists: readonly (readonly string[] | undefined)[];
}

/** Addresses that belong to this machine or to a private network: RFC 1918, 6598, 3927, 4193, 4291, and what is no single host. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

/** Whether an IP address is one of this machine or of a private network. IPv4 in IPv6 counts as what it holds. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return PRIVATE.check(mapped, 'ipv4');
  return PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The list of hosts in a variable such as `MCP_ALLOWED_DOMAINS`; undefined when it is not set. */
export const hostList = (value: string | undefined): readonly string[] | undefined => {
  const hosts = (value ?? '').split(/[\s,]+/).filter((host) => host !== '');
  return hosts.length > 0 ? hosts : undefined;
};

/**
 * Why a host may not be visited, or undefined. Every list that is there must hold it. A private or local address, also one that a name
 * leads to, must be listed by its name: `*` does not do.
 */
export async function refusedHost(url: URL, { lists }: HostRules): Promise<string | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const given = lists.filter((list) => list !== undefined);
  if (!given.every((list) => list.some((one) => matches(host, one)))) return `${host} is not among the allowed hosts`;
  if (given.some((list) => list.some((one) => one !== '*' && matches(host, one)))) return undefined;
  const addresses = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => []);
  const inside = addresses.find(({ address }) => isPrivateAddress(address));
  return inside && `${host} is a private or local address (${inside.address}), which must be listed explicitly`;
}

function matches(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  if (wanted === '*' || wanted === host) return true;
  return wanted.startsWith('*.') && host.endsWith(wanted.slice(1));
}
