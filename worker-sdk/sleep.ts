import { setTimeout } from 'node:timers/promises';

/** Resolves after the given time, or earlier when the signal aborts. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined); // rejects only on abort
}

/**
 * Resolves when one of the promises is fulfilled or the signal aborts. Removes its listener, because the signal may
 * live as long as the process.
 */
export function waitForAny(promises: Iterable<Promise<unknown>>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    for (const promise of promises) void promise.then(done);
    if (signal.aborted) done();
  });
}
