import type { ServerResponse } from 'node:http';
import type { RequestContext } from '../subgraphs/core/work.ts';

/**
 * The client that waits for an answer: whether it has left, and a signal that ends when it does. The signal is made for the first who looks at it; most
 * requests are answered before anybody does, and it would be the dearest thing of a small one.
 */
export function clientOf(answer: ServerResponse): Required<Pick<RequestContext, 'hasLeft' | 'signal'>> {
  const hasLeft = () => answer.closed && !answer.writableFinished;
  let gone: AbortController | undefined;
  return {
    hasLeft,
    get signal() {
      if (gone) return gone.signal;
      const made = new AbortController();
      gone = made;
      if (hasLeft()) made.abort();
      else
        answer.once('close', () => {
          if (hasLeft()) made.abort();
        });
      return made.signal;
    },
  };
}
