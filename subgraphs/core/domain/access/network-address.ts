// Decides whether an IP address is public, to prevent server-side request forgery.

import { BlockList, isIP } from 'node:net';

// The public internet: all of IPv4, and the global unicast addresses of IPv6 (RFC 4291). BlockList matches IPv4-mapped
// addresses (::ffff:10.0.0.1) against the IPv4 networks.
const ASSIGNED = ['0.0.0.0/0', '2000::/3'];

// Special-purpose networks within these (RFC 6890 and its successors).
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];

const assigned = blockListOf(ASSIGNED);
const notPublic = blockListOf(NOT_PUBLIC);

/** Returns whether an IP address is public or in one of the allowed networks, e.g. `10.1.0.0/16` or `::1`. */
export function isPublicAddress(address: string, allowed: readonly string[] = []): boolean {
  const family = isIP(address);
  if (!family) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  return (
    (assigned.check(address, type) && !notPublic.check(address, type)) || blockListOf(allowed).check(address, type)
  );
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (type === 'ipv6' ? 128 : 32)), type);
  }
  return list;
}
