// The one clock of an operation: its signal goes to every resolver and every request to a subgraph.
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import { atTheLatest } from './deadlines.ts';

export type TimeLimit = {
  /** Undefined: as long as it takes. */
  milliseconds: number | undefined;
  /** Answer at once when the client leaves; a write is waited for instead, so that its caller knows how it ended. */
  leaveWithClient: boolean;
};

/**
 * Runs work under a context of its own, whose signal is aborted when the client leaves or the time is up. `stop` is told before the
 * promise is rejected, so that work that goes on in the background fetches nothing more. Leaves no timer and no listener behind.
 * Most operations are done before anybody looks at their signal: it is made for the first who does, and the client is listened to from then on.
 */
export function withinTime<T>(
  request: RequestContext,
  { milliseconds, leaveWithClient }: TimeLimit,
  work: (context: RequestContext) => Promise<T>,
  stop: (reason: GraphQLError) => void,
): Promise<T> {
  if (hasLeft(request)) return Promise.reject(clientLeft());
  return new Promise<T>((resolve, reject) => {
    let own: AbortController | undefined;
    let over: GraphQLError | undefined;
    const end = (reason: GraphQLError) => {
      over = reason;
      stop(reason);
      reject(reason);
      own?.abort(reason);
    };
    const onLeave = () => (leaveWithClient ? end(clientLeft()) : own?.abort(clientLeft()));
    const signal = (): AbortSignal => {
      if (own) return own.signal;
      own = new AbortController();
      if (over) own.abort(over);
      else if (request.signal.aborted) onLeave();
      else request.signal.addEventListener('abort', onLeave, { once: true });
      return own.signal;
    };
    const disarm = milliseconds === undefined ? undefined : atTheLatest(milliseconds, () => end(tooLate(milliseconds)));
    const settle = () => {
      disarm?.();
      if (own) request.signal.removeEventListener('abort', onLeave);
    };
    work(new OperationRequest(request, signal)).then(
      (result) => {
        settle();
        resolve(result);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

/** Nothing more is to be done for this request. */
export const hasLeft = (request: RequestContext): boolean =>
  request.hasLeft ? request.hasLeft() : request.signal.aborted;

type Fields = { [K in keyof Required<RequestContext>]: RequestContext[K] };

// A class, as one is made per operation: a getter on a prototype costs nothing, one in an object as much as ten fields. Copies of it have no signal; they
// are made for transactions, which take none. Field by field, as to copy the whole request would be to look at its signal.
class OperationRequest implements Fields {
  actor: Fields['actor'];
  requestId: Fields['requestId'];
  ip: Fields['ip'];
  route: Fields['route'];
  hasLeft: Fields['hasLeft'];
  once: Fields['once'];
  seen: Fields['seen'];
  stale: Fields['stale'];
  ifMatch: Fields['ifMatch'];
  #signal: () => AbortSignal;

  constructor(request: RequestContext, signal: () => AbortSignal) {
    this.actor = request.actor;
    this.requestId = request.requestId;
    this.ip = request.ip;
    this.route = request.route;
    this.hasLeft = request.hasLeft;
    this.once = request.once;
    this.seen = request.seen;
    this.stale = request.stale;
    this.ifMatch = request.ifMatch;
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal();
  }
}

function tooLate(milliseconds: number): GraphQLError {
  return new GraphQLError(
    `The operation did not end within ${milliseconds / 1000} seconds. A write may have been done all the same: read before you repeat it.`,
    {
      extensions: { code: 'timeout', milliseconds },
    },
  );
}

/** Why nothing more is done for a client that is gone. */
export function clientLeft(): GraphQLError {
  return new GraphQLError('The client left before the answer was ready.', { extensions: { code: 'client_left' } });
}
