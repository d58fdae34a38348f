import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Not of the public internet: the special-purpose registries of IANA (RFC 6890), multicast included. */
const NETWORKS: readonly (readonly [network: string, bits: number])[] = [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
  ...([
    ['::', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['fc00::', 7],
    ['fe80::', 9],
    ['ff00::', 8],
  ] as const),
];

const list = new BlockList();
for (const [network, bits] of NETWORKS) list.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4');

/** Code of the error when a name leads to such an address. */
export const PRIVATE = 'ERR_PRIVATE_ADDRESS';

/** Whether a host is written as an address of this machine or a private network, IPv4 in IPv6 included. A name is none. */
export function isPrivateAddress(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  // BlockList sees IPv4 in IPv6 (::ffff:a.b.c.d) as what it is.
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * A lookup for sockets that finds public addresses alone: the connection is made to what was checked, so that a name cannot lead
 * elsewhere a moment later. One private address among several is enough to refuse.
 */
export function lookupPublic(hostname: string, options: LookupOptions, done: Done): void {
  dnsLookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const bad = found.find(({ address }) => isPrivateAddress(address));
    if (bad) {
      const refusal = new Error(`${hostname} is at ${bad.address}, which is not public`);
      return done(Object.assign(refusal, { code: PRIVATE }), []);
    }
    if (options.all) return done(null, found);
    done(null, found[0]?.address ?? '', found[0]?.family);
  });
}
