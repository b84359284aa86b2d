import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../core/domain/network-address.ts';
import { GitFault } from './run-git.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<string[]>;

/**
 * The one address that a connection to a host is bound to. A name is resolved once: when any of its addresses is not public nor in an allowed
 * network it is refused, and the connection cannot be led elsewhere by a second answer.
 */
export async function pinnedAddress(host: string, networks: readonly string[], resolve: Resolve = everyAddress): Promise<string> {
  const addresses = isIP(host) ? [host] : await resolve(host);
  const [first] = addresses;
  if (!first) throw new GitFault(`the host ${host} has no address`);
  for (const address of addresses)
    if (!isPublicAddress(address, networks))
      throw new GitFault(`${host} leads to ${address}, which is not an address of the public internet (PDM_GIT_ALLOW_PRIVATE)`);
  return first;
}

async function everyAddress(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  } catch (error) {
    throw new GitFault(`the host ${host} is not known (${error instanceof Error && 'code' in error ? error.code : error})`);
  }
}
