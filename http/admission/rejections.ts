// Slows down clients that repeat rejected requests without the wait that Retry-After asks for.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';

const MAX_WAIT_MS = 1_000;

export type Rejections = {
  /** Records that a request was rejected with `retryAfter` in its details. */
  record(caller: string, response: ServerResponse, error: DomainError): void;
  /**
   * Waits until the last rejected request of the caller on this connection may be repeated, at most a second. Throws
   * `request_timeout` if the client disconnects meanwhile.
   */
  waitBeforeRepeat(caller: string, response: ServerResponse): Promise<void>;
};

/** Creates the record of rejected requests, by connection and caller: proxies send requests of many callers. */
export function createRejections(): Rejections {
  const repeatAt = new WeakMap<Socket, { caller: string; at: number }>();

  return {
    record(caller, { socket }, { details }) {
      const at = performance.now() + Math.min(Number(details.retryAfter) * 1_000, MAX_WAIT_MS);
      if (socket) repeatAt.set(socket, { caller, at });
    },

    async waitBeforeRepeat(caller, response) {
      const rejection = response.socket ? repeatAt.get(response.socket) : undefined;
      const ms = rejection?.caller === caller ? rejection.at - performance.now() : 0;
      if (ms <= 0) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      const onClose = () =>
        reject(new DomainError('request_timeout', 'The client disconnected before the request ran.'));
      response.once('close', onClose);
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        response.off('close', onClose);
      }
    },
  };
}
