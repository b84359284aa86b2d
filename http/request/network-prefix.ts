// The network of a client's address.

/**
 * Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address, the usual size of a customer's network.
 */
export function networkPrefixOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':');
}
