const FAILURES = 10;
const WITHIN = 60_000;
const MOST_ADDRESSES = 10_000;

export type SignInLimit = {
  /** Seconds this address has to wait before it may try another credential; 0: none. */
  secondsLeft(address: string): number;
  /** Counts a credential that was wrong. */
  failed(address: string): void;
};

/**
 * Counts wrong credentials by address: after 10 within a minute the address waits until that minute is over. Of IPv6 the first 64 bits
 * count, which is what one customer has. `clock` is milliseconds.
 */
export function signInLimit(clock: () => number = () => performance.now()): SignInLimit {
  const counts = new Map<string, { failures: number; until: number }>();
  return {
    secondsLeft(address) {
      const count = counts.get(networkOf(address));
      return count && count.failures >= FAILURES ? Math.max(0, Math.ceil((count.until - clock()) / 1000)) : 0;
    },
    failed(address) {
      const network = networkOf(address);
      const count = counts.get(network);
      if (count && count.until > clock()) count.failures += 1;
      else {
        counts.delete(network);
        counts.set(network, { failures: 1, until: clock() + WITHIN });
        if (counts.size > MOST_ADDRESSES) counts.delete(counts.keys().next().value ?? '');
      }
    },
  };
}

/** What is counted as one address. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':');
}
