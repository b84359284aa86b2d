// Limits concurrent requests of the process, and the long requests (uploads, streams, long polls) of each token.
import type { ServerResponse } from 'node:http';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';

/** A request that may take long; it counts for its token, not as one of the requests of the process. */
export type LongRequest = 'upload' | 'stream';
/** The maximum number of concurrent requests of the process, and of uploads and streams of a token. */
export type MaxConcurrent = { requests: number; uploads: number; streams: number };
/** Ends a request. Further calls have no effect. */
export type Release = () => void;

export type ConcurrencyLimits = {
  /** Starts a request. Throws `unavailable` if the process is at its limit. */
  acquireRequest(): Release;
  /**
   * Starts a long request. Throws `rate_limited` if the token is at its limit. Workers are exempt: their slots share a
   * token.
   */
  acquireLong(kind: LongRequest, actor: Actor): Release;
};

const BUSY_RETRY_SECONDS = 1;
const LONG_RETRY_SECONDS = 5;
const LIMIT_NAMES = { upload: 'uploads', stream: 'streams and long polls' } as const;

/** Creates the limits of this process. */
export function createConcurrencyLimits({ requests, uploads, streams }: MaxConcurrent): ConcurrencyLimits {
  let active = 0;
  const activeLong = new Map<string, number>();
  const maxLong = { upload: uploads, stream: streams };

  return {
    acquireRequest() {
      if (active >= requests)
        throw new DomainError(
          'unavailable',
          `The service is at its limit of ${requests} concurrent requests. Try again in ${BUSY_RETRY_SECONDS} s.`,
          { part: 'api', retryAfter: BUSY_RETRY_SECONDS },
        );
      active += 1;
      return once(() => {
        active -= 1;
      });
    },
    acquireLong(kind, { id, tokenId, role }) {
      if (role === 'worker' || role === 'system') return () => undefined;
      const key = `${kind} ${tokenId ?? id}`;
      const count = activeLong.get(key) ?? 0;
      if (count >= maxLong[kind])
        throw new DomainError(
          'rate_limited',
          `This token already has ${count} ${LIMIT_NAMES[kind]} in progress, the maximum. Wait until one ends.`,
          { limit: LIMIT_NAMES[kind], allowed: maxLong[kind], retryAfter: LONG_RETRY_SECONDS },
        );
      activeLong.set(key, count + 1);
      return once(() => {
        const left = (activeLong.get(key) ?? 1) - 1;
        if (left > 0) activeLong.set(key, left);
        else activeLong.delete(key);
      });
    },
  };
}

/** Calls `release` when the response is complete or its client has disconnected. */
export function releaseOnClose(response: ServerResponse, release: Release): void {
  response.once('close', release);
}

function once(release: Release): Release {
  let held = true;
  return () => {
    if (held) release();
    held = false;
  };
}
