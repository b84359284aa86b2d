// Detects that a client disconnects before its response is complete.
import type { ServerResponse } from 'node:http';
import type { RequestContext } from '../subgraphs/core/work.ts';

/** Returns whether the client has disconnected, and a signal that aborts when it does. */
export const watchClient = (response: ServerResponse): ClientConnection => new ClientConnection(response);

// One is created per request, hence a class, and a signal that is created on first use: for a small request it would be
// the largest cost.
class ClientConnection implements Required<Pick<RequestContext, 'isAborted' | 'signal'>> {
  isAborted: () => boolean;
  #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.isAborted = () => response.closed && !response.writableFinished;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    if (this.isAborted()) controller.abort();
    else
      this.#response.once('close', () => {
        if (this.isAborted()) controller.abort();
      });
    return controller.signal;
  }
}
