// Slows down addresses that send wrong credentials.
import { LRUCache } from 'lru-cache';
import { networkPrefixOf } from '../request/network-prefix.ts';

const MAX_PROMPT_FAILURES = 10;
const WINDOW_MS = 60_000;
const DELAY_MS = 1_000;
const MAX_ADDRESSES = 10_000;

/** Counts a wrong credential of an address. Returns how long its response has to wait, in milliseconds. */
export type SignInDelay = (address: string) => number;

/**
 * Creates a delay: the first 10 wrong credentials of an address within a minute are answered at once, further ones after
 * a second. IPv6 addresses count by their first 64 bits, the usual size of a customer's network. `clock` returns
 * milliseconds.
 */
export function createSignInDelay(clock: () => number = () => performance.now()): SignInDelay {
  const counts = new LRUCache<string, { failures: number; until: number }>({ max: MAX_ADDRESSES });
  return (address) => {
    const network = networkPrefixOf(address);
    const count = counts.get(network);
    if (!count || count.until <= clock()) {
      counts.set(network, { failures: 1, until: clock() + WINDOW_MS });
      return 0;
    }
    count.failures += 1;
    return count.failures > MAX_PROMPT_FAILURES ? DELAY_MS : 0;
  };
}
