import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import { waited } from './waited.ts';

/** Checkpoints on their way to an address outside. Nobody waits for them, and no write fails because of them. */
export type CheckpointPost = {
  /** Gives the newest checkpoint; one that is still waiting is not needed any more, for the newer one covers what it does. */
  offer(size: number, note: string): void;
  /** Since when none has arrived and why, in words; null while all goes well. */
  late(): { since: Date; why: string } | null;
  /** Tries once more what has not arrived, for at most 2 seconds. */
  close(): Promise<void>;
};

const USUAL = { firstPauseMs: 1_000, longestPauseMs: 60_000, answerMs: 10_000, closeMs: 2_000 };

/**
 * Posts checkpoints, as the text they are, to an address that answers with 2xx; tried again after 1, 2, 4 … 60 seconds until it does. A user
 * and password in the address are sent as basic authentication and never logged. Redirects are failures.
 */
export function checkpointPost(address: string, log: Log, times: Partial<typeof USUAL> = {}): CheckpointPost {
  const { firstPauseMs, longestPauseMs, answerMs, closeMs } = { ...USUAL, ...times };
  const { url, headers } = targetOf(address);
  const closing = new AbortController();
  let newest = { size: 0, note: '' };
  let arrived = 0;
  let late: { since: Date; why: string } | null = null;
  let running: Promise<void> | null = null;

  const run = async () => {
    for (let pause = firstPauseMs; newest.size > arrived; pause = Math.min(2 * pause, longestPauseMs)) {
      const { size, note } = newest;
      const last = closing.signal.aborted;
      const why = await failureOf(() =>
        fetch(url, { method: 'POST', headers, body: note, redirect: 'error', signal: AbortSignal.timeout(answerMs) }),
      );
      if (why === null) {
        if (late) log.info({ url }, 'checkpoints of the audit log arrive outside again');
        [arrived, late, pause] = [size, null, firstPauseMs];
        continue;
      }
      if (!late)
        log.error({ url, reason: why }, 'a checkpoint of the audit log did not arrive outside; it is tried again');
      late = { since: late?.since ?? new Date(), why };
      if (last) return;
      // Cut short when the service stops: then it is tried once more.
      await waited(pause, closing.signal);
    }
  };
  return {
    offer: (size, note) => {
      newest = { size, note };
      running ??= run().finally(() => {
        running = null;
      });
    },
    late: () => late,
    close: async () => {
      closing.abort();
      await Promise.race([running, sleep(closeMs, undefined, { ref: false })]);
    },
  };
}

async function failureOf(post: () => Promise<Response>): Promise<string | null> {
  try {
    const { ok, status, body } = await post();
    await body?.cancel();
    return ok ? null : `it answered ${status}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function targetOf(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  [url.username, url.password] = ['', ''];
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return {
    url: url.href,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...(username ? { authorization: `Basic ${credentials}` } : {}),
    },
  };
}
