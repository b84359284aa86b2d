// Runs background work on notifications and at intervals.
import type { Topic } from '../../core/platform/dispatch.ts';
import type { Services } from '../../core/work.ts';

export type PollLoop = { stop(): Promise<void> };

/**
 * Runs `work` repeatedly: at a notification of one of the topics, at least every `everyMs()`, and immediately if it
 * resolved to true because there is more to do. Failures are logged and retried. `stop` aborts the signal, waits for the current run and calls `onStop`.
 */
export function startPollLoop(
  { dispatch, log }: Pick<Services, 'dispatch' | 'log'>,
  { name, topics, everyMs }: { name: string; topics: readonly Topic[]; everyMs: () => number },
  work: (stopping: AbortSignal) => Promise<boolean>,
  onStop: () => Promise<void> = async () => {},
): PollLoop {
  const stopping = new AbortController();
  let failing = false;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Subscribes first, so that no notification during the work is missed.
      const notified = dispatch.waitFor(topics, everyMs(), stopping.signal);
      let more = false;
      try {
        more = await work(stopping.signal);
        failing = false;
      } catch (error) {
        log[failing ? 'debug' : 'warn']({ err: error }, `${name} failed; retrying`);
        failing = true;
      }
      if (!more) await notified;
      // After the dispatch is closed, waitFor returns immediately, so the loop must end.
      if (dispatch.closed.aborted) break;
    }
    await onStop();
  })();
  running.catch((error: unknown) => log.warn({ err: error }, `${name} did not shut down cleanly`));
  return {
    stop: async () => {
      stopping.abort();
      await running.catch(() => undefined); // logged
    },
  };
}
