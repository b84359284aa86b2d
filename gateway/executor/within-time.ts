// The one clock of an operation: its signal goes to every resolver and every request to a subgraph.
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';

export type TimeLimit = {
  /** Undefined: as long as it takes. */
  milliseconds: number | undefined;
  /** Answer at once when the client leaves; a write is waited for instead, so that its caller knows how it ended. */
  leaveWithClient: boolean;
};

/**
 * Runs work under a context of its own, whose signal is aborted when the client leaves or the time is up. `stop` is told before the
 * promise is rejected, so that work that goes on in the background fetches nothing more. Leaves no timer and no listener behind.
 */
export function withinTime<T>(
  request: RequestContext,
  { milliseconds, leaveWithClient }: TimeLimit,
  work: (context: RequestContext) => Promise<T>,
  stop: (reason: GraphQLError) => void,
): Promise<T> {
  if (request.signal.aborted) return Promise.reject(clientLeft());
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const end = (reason: GraphQLError) => {
      stop(reason);
      reject(reason);
      controller.abort(reason);
    };
    const onLeave = () => (leaveWithClient ? end(clientLeft()) : controller.abort(clientLeft()));
    const timer = milliseconds === undefined ? undefined : setTimeout(() => end(tooLate(milliseconds)), milliseconds);
    request.signal.addEventListener('abort', onLeave, { once: true });
    const settle = () => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onLeave);
    };
    work({ ...request, signal: controller.signal }).then(
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

function tooLate(milliseconds: number): GraphQLError {
  return new GraphQLError(
    `The operation did not end within ${milliseconds / 1000} seconds. A write may have been done all the same: read before you repeat it.`,
    {
      extensions: { code: 'timeout', milliseconds },
    },
  );
}

function clientLeft(): GraphQLError {
  return new GraphQLError('The client left before the answer was ready.', { extensions: { code: 'client_left' } });
}
