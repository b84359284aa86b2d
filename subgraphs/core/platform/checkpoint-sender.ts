// Posts checkpoints of the audit log to a URL outside of the installation.
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../domain/text/error-message.ts';
import type { Log } from './log.ts';
import { sleep } from './sleep.ts';

/** Sends checkpoints in the background. No write waits for it or fails because of it. */
export type CheckpointSender = {
  /** Sends this checkpoint next. It replaces one that has not been sent yet, because it covers the same records. */
  send(size: number, note: string): void;
  /** The time since which sending has failed, and the last reason; null if the last checkpoint was sent. */
  failure(): { since: Date; reason: string } | null;
  /** Tries once more to send a checkpoint that has not been sent, for at most 2 seconds. */
  close(): Promise<void>;
};

const DEFAULTS = { firstPauseMs: 1_000, maxPauseMs: 60_000, timeoutMs: 10_000, closeMs: 2_000 };

/**
 * Posts checkpoints as plain text to `address` and retries after 1, 2, 4 … 60 seconds until the response is 2xx. A user
 * and password in the address are sent as basic authentication and never logged. Redirects are failures.
 */
export function createCheckpointSender(
  address: string,
  log: Log,
  options: Partial<typeof DEFAULTS> = {},
): CheckpointSender {
  const { firstPauseMs, maxPauseMs, timeoutMs, closeMs } = { ...DEFAULTS, ...options };
  const { url, headers } = parseTarget(address);
  const closing = new AbortController();
  let newest = { size: 0, note: '' };
  let sentSize = 0;
  let failure: { since: Date; reason: string } | null = null;
  let running: Promise<void> | null = null;

  const run = async () => {
    for (let pause = firstPauseMs; newest.size > sentSize; pause = Math.min(2 * pause, maxPauseMs)) {
      const { size, note } = newest;
      const isLastAttempt = closing.signal.aborted;
      const reason = await failureOf(() =>
        fetch(url, { method: 'POST', headers, body: note, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }),
      );
      if (reason === null) {
        if (failure) log.info({ url }, 'sending audit log checkpoints works again');
        [sentSize, failure, pause] = [size, null, firstPauseMs];
        continue;
      }
      if (!failure) log.error({ url, reason }, 'could not send an audit log checkpoint; retrying');
      failure = { since: failure?.since ?? new Date(), reason };
      if (isLastAttempt) return;
      // close() interrupts the pause for one last attempt
      await sleep(pause, closing.signal);
    }
  };
  return {
    send: (size, note) => {
      newest = { size, note };
      running ??= run().finally(() => {
        running = null;
      });
    },
    failure: () => failure,
    close: async () => {
      closing.abort();
      await Promise.race([running, delay(closeMs, undefined, { ref: false })]);
    },
  };
}

async function failureOf(post: () => Promise<Response>): Promise<string | null> {
  try {
    const { ok, status, body } = await post();
    await body?.cancel();
    return ok ? null : `the response status was ${status}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return errorMessage(cause);
  }
}

function parseTarget(address: string): { url: string; headers: Record<string, string> } {
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
