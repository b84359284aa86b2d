import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after `milliseconds`, or when the signal aborts. Never rejects. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => 'aborted');
}
