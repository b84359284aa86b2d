import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../domain/access/network-address.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<string[]>;

/**
 * The one address that a connection to a host is bound to, or why there is none. A name is resolved once: when any of its addresses is not public nor
 * in an allowed network it is refused, and the connection cannot be led elsewhere by a second answer.
 */
export async function pinnedAddress(
  host: string,
  networks: readonly string[],
  resolve: Resolve = everyAddress,
): Promise<{ address: string } | { refused: string }> {
  const addresses = isIP(host) ? [host] : await resolve(host).catch((error: unknown) => unknownHost(host, error));
  if ('refused' in addresses) return addresses;
  const [first] = addresses;
  if (!first) return { refused: `the host ${host} has no address` };
  const inside = addresses.find((address) => !isPublicAddress(address, networks));
  return inside === undefined
    ? { address: first }
    : { refused: `${host} leads to ${inside}, which is not an address of the public internet` };
}

async function everyAddress(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

function unknownHost(host: string, error: unknown): { refused: string } {
  return {
    refused: `the host ${host} is not known (${error instanceof Error && 'code' in error ? error.code : error})`,
  };
}
