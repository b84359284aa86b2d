// Guards outgoing connections against DNS rebinding and against access to internal addresses.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../domain/access/network-address.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<string[]>;

type Rejection = { reason: string; isInternal: boolean };

/**
 * Returns the one address to connect to, or why the host is rejected; `isInternal` if only because of its network. A
 * name is resolved once and rejected if any of its addresses is neither public nor in an allowed network, so that a
 * second DNS response cannot redirect the connection.
 */
export async function pinnedAddress(
  host: string,
  networks: readonly string[],
  resolve: Resolve = lookupAll,
): Promise<{ address: string } | Rejection> {
  const addresses = isIP(host) ? [host] : await resolve(host).catch((error: unknown) => lookupFailure(host, error));
  if ('reason' in addresses) return addresses;
  const [first] = addresses;
  if (!first) return { reason: `the host ${host} has no address`, isInternal: false };
  const internal = addresses.find((address) => !isPublicAddress(address, networks));
  return internal === undefined
    ? { address: first }
    : { reason: `${host} resolves to ${internal}, which is not a public address`, isInternal: true };
}

async function lookupAll(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

function lookupFailure(host: string, error: unknown): Rejection {
  const code = error instanceof Error && 'code' in error ? error.code : error;
  return { reason: `the host ${host} cannot be resolved (${code})`, isInternal: false };
}
