import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after some milliseconds, or when the signal aborts. */
export async function waited(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => 'cut short'); // the only way it fails
}
