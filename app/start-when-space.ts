// Starts a role that has to write as soon as the disk has space.
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import { errorMessage } from '../subgraphs/core/domain/text/error-message.ts';
import { sleep } from '../subgraphs/core/platform/sleep.ts';

const CHECK_INTERVAL_MS = 2_000;

type Stoppable = { stop(): Promise<void> | void };
type Options<T> = { isFull(): boolean; start(): Promise<T>; onFatal(reason: string): void };

/**
 * Checks every two seconds whether the disk has space, and then starts the role. `current` returns it once it has
 * started. Any error of the start other than another full disk is fatal, as in a start with space.
 */
export function startWhenSpace<T extends Stoppable>({
  isFull,
  start,
  onFatal,
}: Options<T>): {
  current(): T | null;
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let started: T | null = null;
  const waiting = (async () => {
    while (!started) {
      await sleep(CHECK_INTERVAL_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      if (!isFull()) started = await start().catch(nullIfFull);
    }
  })().catch((error: unknown) => onFatal(errorMessage(error)));
  return {
    current: () => started,
    async stop() {
      stopping.abort();
      await waiting;
      await started?.stop();
    },
  };
}

function nullIfFull(error: unknown): null {
  if (error instanceof DomainError && error.code === 'storage_full') return null;
  throw error;
}
