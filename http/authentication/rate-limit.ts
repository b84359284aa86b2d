// Limits the request rate of each token with a token bucket.
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';

/**
 * Counts a request and returns the RateLimit headers of its response. Throws `rate_limited` with `retryAfter` in
 * seconds.
 */
export type RateLimiter = (actor: Actor) => Record<string, string>;

/** Sustained requests per second, and the size of a burst. */
export type Rate = { perSecond: number; burst: number };

const MAX_BUCKETS = 10_000;

/** Parses a setting like `50/200`; null for `off`. Throws if it is neither. */
export function parseRate(setting: string): Rate | null {
  if (setting === 'off') return null;
  const [, perSecond, burst] = /^(\d{1,6})\/(\d{1,6})$/.exec(setting)?.map(Number) ?? [];
  if (!perSecond || !burst)
    throw new Error(`is "${setting}"; it must be requests per second and burst size, e.g. 50/200, or off`);
  return { perSecond, burst };
}

/**
 * Creates a rate limit for each token (for each user of an identity provider): a bucket of `burst` requests, refilled
 * at `perSecond`. Workers and the service itself are exempt. Buckets are local to this process; above 10,000 the least
 * recently used one is dropped. `clock` returns milliseconds.
 */
export function createRateLimit(rate: Rate | null, clock: () => number = () => performance.now()): RateLimiter {
  if (!rate) return () => ({});
  const { perSecond, burst } = rate;
  const policy = `"token";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: MAX_BUCKETS });

  return ({ id, tokenId, role }): Record<string, string> => {
    if (role === 'worker' || role === 'system') return {};
    const key = tokenId ?? id;
    const now = clock();
    const { left, at } = buckets.get(key) ?? { left: burst, at: now };
    const filled = Math.min(burst, left + ((now - at) / 1000) * perSecond);
    buckets.set(key, { left: filled < 1 ? filled : filled - 1, at: now });
    if (filled < 1) {
      const retryAfter = Math.max(1, Math.ceil((1 - filled) / perSecond));
      throw new DomainError(
        'rate_limited',
        `This token is limited to ${perSecond} requests per second with bursts of ${burst}. Try again in ${retryAfter} s.`,
        { retryAfter },
      );
    }
    const remaining = Math.floor(filled - 1);
    return {
      'ratelimit-policy': policy,
      ratelimit: `"token";r=${remaining};t=${Math.ceil((burst - remaining) / perSecond)}`,
    };
  };
}
