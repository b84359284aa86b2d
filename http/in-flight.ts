// How much may go on at once: requests in all, and of each token what goes on for long (uploads; streams and long polls), which is outside of that number.

import type { ServerResponse } from 'node:http';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';

/** What goes on for long. */
export type Lasting = 'upload' | 'stream';
/** The most there may be at once: requests in all, uploads and streams of one token. */
export type MostAtOnce = { requests: number; uploads: number; streams: number };
/** Gives a place back; the second time it does nothing. */
export type Leave = () => void;

export type InFlight = {
  /** Takes one of the places of all. Refuses with `unavailable` while there is none. */
  enter(): Leave;
  /** Takes one of the places that a token has for what goes on for long. Refuses with `rate_limited`. Workers, whose slots work at once, are not counted. */
  hold(what: Lasting, actor: Actor): Leave;
};

const BUSY_SECONDS = 1;
const LASTING_SECONDS = 5;
const WORDS = { upload: 'uploads', stream: 'streams and long polls' } as const;

/** Counts what goes on in this process. */
export function inFlight({ requests, uploads, streams }: MostAtOnce): InFlight {
  let entered = 0;
  const held = new Map<string, number>();
  const most = { upload: uploads, stream: streams };

  return {
    enter() {
      if (entered >= requests)
        throw new DomainError(
          'unavailable',
          `The service works on ${requests} requests, which is as many as it takes at once. Try again in a moment.`,
          {
            part: 'api',
            retryAfter: BUSY_SECONDS,
          },
        );
      entered += 1;
      return once(() => {
        entered -= 1;
      });
    },
    hold(what, { id, tokenId, role }) {
      if (role === 'worker' || role === 'system') return () => undefined;
      const key = `${what} ${tokenId ?? id}`;
      const now = held.get(key) ?? 0;
      if (now >= most[what])
        throw new DomainError(
          'rate_limited',
          `This token has ${now} ${WORDS[what]} under way, as many as it may have at once. Wait for one to end.`,
          {
            limit: WORDS[what],
            allowed: most[what],
            retryAfter: LASTING_SECONDS,
          },
        );
      held.set(key, now + 1);
      return once(() => {
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      });
    },
  };
}

/** Gives the place back when the answer is through, or its client has left. */
export function untilAnswered(answer: ServerResponse, leave: Leave): void {
  answer.once('close', leave);
}

function once(leave: Leave): Leave {
  let there = true;
  return () => {
    if (there) leave();
    there = false;
  };
}
