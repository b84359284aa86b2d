// Applies the time limit of an operation, and aborts its resolvers and subgraph requests.
import { GraphQLError } from 'graphql';
import type { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import { scheduleDeadline } from './deadlines.ts';

export type TimeLimit = {
  /** Undefined: unlimited. A write without an idempotency key is never limited: nobody could ask for its outcome. */
  milliseconds: number | undefined;
  /** Whether to end the operation when the client disconnects. A write continues, so that its outcome is recorded. */
  abortOnDisconnect: boolean;
  /** Whether it ends when the store stops responding: a read that does not wait for anything else. */
  isWatched: boolean;
};

/** Calls its argument if the store stops responding; returns a function that ends the watch. */
export type WatchStore = (onLost: (error: DomainError) => void) => () => void;

/**
 * Runs `work` with a signal that aborts when the client disconnects or the time is up. Calls `stop` before it rejects,
 * so that work in the background sends no further requests. Removes its timer and listener when done. The signal is
 * created on first use, because most operations end without it.
 */
export function withTimeLimit<T>(
  request: RequestContext,
  { milliseconds, abortOnDisconnect: isRead, isWatched }: TimeLimit,
  work: (context: RequestContext) => Promise<T>,
  stop: (reason: GraphQLError) => void,
  watchStore?: WatchStore,
): Promise<T> {
  if (isDisconnected(request)) return Promise.reject(clientDisconnected());
  return new Promise<T>((resolve, reject) => {
    let controller: AbortController | undefined;
    let stopped: GraphQLError | undefined;
    const end = (reason: GraphQLError) => {
      stopped = reason;
      stop(reason);
      reject(reason);
      controller?.abort(reason);
    };
    const onDisconnect = () => (isRead ? end(clientDisconnected()) : controller?.abort(clientDisconnected()));
    const signal = (): AbortSignal => {
      if (controller) return controller.signal;
      controller = new AbortController();
      if (stopped) controller.abort(stopped);
      else if (request.signal.aborted) onDisconnect();
      else request.signal.addEventListener('abort', onDisconnect, { once: true });
      return controller.signal;
    };
    const cancelDeadline =
      milliseconds === undefined || !(isRead || request.idempotency)
        ? undefined
        : scheduleDeadline(milliseconds, () => end(timeoutError(milliseconds, isRead)));
    const endWatch = isWatched
      ? watchStore?.(({ code, message, details }) =>
          end(new GraphQLError(message, { extensions: { ...details, code } })),
        )
      : undefined;
    const settle = () => {
      cancelDeadline?.();
      endWatch?.();
      if (controller) request.signal.removeEventListener('abort', onDisconnect);
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

/** Whether the client of a request has disconnected. */
export const isDisconnected = (request: RequestContext): boolean =>
  request.isAborted ? request.isAborted() : request.signal.aborted;

type RequestContextFields = { [K in keyof Required<RequestContext>]: RequestContext[K] };

// One is created per operation, hence a class: a getter on a prototype is free, one in an object literal costs as much
// as ten fields. Spread copies have no signal; transactions use them and need none. The constructor copies field by
// field because a spread would create the signal.
class OperationRequest implements RequestContextFields {
  actor: RequestContextFields['actor'];
  requestId: RequestContextFields['requestId'];
  ip: RequestContextFields['ip'];
  route: RequestContextFields['route'];
  isAborted: RequestContextFields['isAborted'];
  idempotency: RequestContextFields['idempotency'];
  expected: RequestContextFields['expected'];
  currentTagIfStale: RequestContextFields['currentTagIfStale'];
  ifMatch: RequestContextFields['ifMatch'];
  written: RequestContextFields['written'];
  #signal: () => AbortSignal;

  constructor(request: RequestContext, signal: () => AbortSignal) {
    this.actor = request.actor;
    this.requestId = request.requestId;
    this.ip = request.ip;
    this.route = request.route;
    this.isAborted = request.isAborted;
    this.idempotency = request.idempotency;
    this.expected = request.expected;
    this.currentTagIfStale = request.currentTagIfStale;
    this.ifMatch = request.ifMatch;
    this.written = undefined;
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal();
  }
}

function timeoutError(milliseconds: number, isRead: boolean): GraphQLError {
  const advice = isRead
    ? 'Try again, or request less.'
    : 'The write may still take effect. Repeat the request with the same Idempotency-Key, which returns the outcome.';
  return new GraphQLError(`The operation did not end within ${milliseconds / 1000} seconds. ${advice}`, {
    extensions: { code: 'timeout', milliseconds, retryAfter: 1 },
  });
}

/** Creates the error of an operation whose client has disconnected. */
export function clientDisconnected(): GraphQLError {
  return new GraphQLError('The client disconnected before the response was complete.', {
    extensions: { code: 'client_left' },
  });
}
