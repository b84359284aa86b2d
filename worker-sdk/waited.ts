import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after some milliseconds, or when the signal aborts. */
export async function waited(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => 'cut short'); // the only way it fails
}

/** Resolves when one of some deeds has ended, or when the signal aborts; leaves no listener on the signal, which may live as long as the process. */
export function anyEnded(deeds: Iterable<Promise<unknown>>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    for (const deed of deeds) void deed.then(done);
    if (signal.aborted) done();
  });
}
