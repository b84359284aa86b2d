import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';

/** Counts a request; answers with the headers that tell what is left. Refuses with `rate_limited`, which says when to try again. */
export type Admit = (actor: Actor) => Record<string, string>;

/** Requests a second, and how many at once after a rest. */
export type Rate = { perSecond: number; burst: number };

const MOST_BUCKETS = 10_000;

/** The rate of a setting like `50/200`; null for `off`. Throws when it is neither. */
export function rateOf(setting: string): Rate | null {
  if (setting === 'off') return null;
  const [, perSecond, burst] = /^(\d{1,6})\/(\d{1,6})$/.exec(setting)?.map(Number) ?? [];
  if (!perSecond || !burst)
    throw new Error(`is "${setting}"; it must be requests a second and a burst, like 50/200, or off`);
  return { perSecond, burst };
}

/**
 * A limit for each token (of an identity provider: for each user): a bucket of `burst` requests that fills with `perSecond`. Workers and the
 * service itself are not counted. Buckets live in this process; of those beyond 10,000 the one that was used longest ago is forgotten, which
 * is a full one again. `clock` is milliseconds.
 */
export function rateLimit(rate: Rate | null, clock: () => number = () => performance.now()): Admit {
  if (!rate) return () => ({});
  const { perSecond, burst } = rate;
  const policy = `"token";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  const buckets = new Map<string, { left: number; at: number }>();

  return ({ id, tokenId, role }): Record<string, string> => {
    if (role === 'worker' || role === 'system') return {};
    const key = tokenId ?? id;
    const now = clock();
    const { left, at } = buckets.get(key) ?? { left: burst, at: now };
    const filled = Math.min(burst, left + ((now - at) / 1000) * perSecond);
    buckets.delete(key);
    buckets.set(key, { left: filled < 1 ? filled : filled - 1, at: now });
    if (buckets.size > MOST_BUCKETS) buckets.delete(buckets.keys().next().value ?? '');
    if (filled < 1) {
      const retryAfter = Math.max(1, Math.ceil((1 - filled) / perSecond));
      throw new DomainError(
        'rate_limited',
        `This token may ask ${perSecond} times a second, ${burst} at once. Try again in ${retryAfter} s.`,
        {
          retryAfter,
        },
      );
    }
    const remaining = Math.floor(filled - 1);
    return {
      'ratelimit-policy': policy,
      ratelimit: `"token";r=${remaining};t=${Math.ceil((burst - remaining) / perSecond)}`,
    };
  };
}
