// Counts wrong credentials by address and throttles sign-in.
import { LRUCache } from 'lru-cache';

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export type SignInLimit = {
  /** Seconds until this address may try another credential; 0 if it may now. */
  secondsLeft(address: string): number;
  /** Counts a wrong credential. */
  recordFailure(address: string): void;
};

/**
 * Creates a limit of 10 wrong credentials within a minute for each address; after that the address waits until the
 * minute is over. IPv6 addresses count by their first 64 bits, the usual size of a customer's network. `clock` returns
 * milliseconds.
 */
export function createSignInLimit(clock: () => number = () => performance.now()): SignInLimit {
  const counts = new LRUCache<string, { failures: number; until: number }>({ max: MAX_ADDRESSES });
  return {
    secondsLeft(address) {
      const count = counts.get(networkPrefixOf(address));
      return count && count.failures >= MAX_FAILURES ? Math.max(0, Math.ceil((count.until - clock()) / 1000)) : 0;
    },
    recordFailure(address) {
      const network = networkPrefixOf(address);
      const count = counts.get(network);
      if (count && count.until > clock()) count.failures += 1;
      else counts.set(network, { failures: 1, until: clock() + WINDOW_MS });
    },
  };
}

/** Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address. */
function networkPrefixOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':');
}
