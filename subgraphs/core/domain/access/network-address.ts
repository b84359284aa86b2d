// Which addresses belong to the public internet: what the service may connect to when somebody else names the host.
import { BlockList, isIP } from 'node:net';

// What is assigned to the public internet: all of IPv4, and of IPv6 the global unicast addresses (RFC 4291). A mapped IPv4 address
// (::ffff:10.0.0.1) is matched by the rows of IPv4, here and below.
const ASSIGNED = ['0.0.0.0/0', '2000::/3'];

// Special-purpose networks within it, of RFC 6890 and its successors.
const NOT_PUBLIC = [
  ...[
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
  ],
  ...[
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
];

const assigned = listOf(ASSIGNED);
const notPublic = listOf(NOT_PUBLIC);

/** Whether an IP address is one of the public internet, or in one of the networks that are allowed all the same (`10.1.0.0/16`, `::1`). */
export function isPublicAddress(address: string, allowed: readonly string[] = []): boolean {
  const family = isIP(address);
  if (!family) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  return (assigned.check(address, type) && !notPublic.check(address, type)) || listOf(allowed).check(address, type);
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (type === 'ipv6' ? 128 : 32)), type);
  }
  return list;
}
