import type { ServerResponse } from 'node:http';
import type { RequestContext } from '../subgraphs/core/work.ts';

/** The client that waits for an answer: whether it has left, and a signal that ends when it does. */
export const clientOf = (answer: ServerResponse): Client => new Client(answer);

// A class, as one is made per request. The signal is made for the first who looks at it: most requests are answered before anybody does, and it would be
// the dearest thing of a small one.
class Client implements Required<Pick<RequestContext, 'hasLeft' | 'signal'>> {
  hasLeft: () => boolean;
  #answer: ServerResponse;
  #gone: AbortController | undefined;

  constructor(answer: ServerResponse) {
    this.#answer = answer;
    this.hasLeft = () => answer.closed && !answer.writableFinished;
  }

  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = new AbortController();
    this.#gone = gone;
    if (this.hasLeft()) gone.abort();
    else
      this.#answer.once('close', () => {
        if (this.hasLeft()) gone.abort();
      });
    return gone.signal;
  }
}
