import { randomUUID } from 'node:crypto';
import type { Topic } from '../../core/platform/dispatch.ts';
import type { Services } from '../../core/work.ts';

export type PollLoop = { stop(): Promise<void> };

/**
 * Does a piece of work again and again: when one of the bells rings, at the latest after `everyMs`, and at once again as long as it says that there
 * is more. A failure is logged and tried again. `stop` waits for what has begun, which the signal tells to come to an end.
 */
export function startPollLoop(
  { dispatch, log }: Pick<Services, 'dispatch' | 'log'>,
  { what: name, bells: topics, everyMs }: { what: string; bells: readonly Topic[]; everyMs: number },
  work: (holder: string, stopping: AbortSignal) => Promise<boolean>,
  ended: (holder: string) => Promise<void> = async () => {},
): PollLoop {
  const stopping = new AbortController();
  const holder = randomUUID();
  let told = false;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Before the work, so that no ring during it is missed.
      const bell = dispatch.waitFor(topics, everyMs, stopping.signal);
      let more = false;
      try {
        more = await work(holder, stopping.signal);
        told = false;
      } catch (error) {
        log[told ? 'debug' : 'warn']({ err: error }, `${name} could not go on; it is tried again`);
        told = true;
      }
      if (!more) await bell;
      // closed, the bell would never wait
      if (dispatch.closed.aborted) break;
    }
    await ended(holder);
  })();
  running.catch((error: unknown) => log.warn({ err: error }, `${name} did not end in order`));
  return {
    stop: async () => {
      stopping.abort();
      await running.catch(() => undefined); // logged
    },
  };
}
