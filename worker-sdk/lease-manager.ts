import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './heartbeat-thread.ts';
import type { AbortReason, Job } from './job.ts';

export type Lease = {
  /** Aborts with a JobAbortedError when the job must be stopped. */
  signal: AbortSignal;
  /** Why the job must be stopped; null while it may continue. */
  reason(): AbortReason | null;
  log(line: string): void;
  progress(percent: number, step: string): void;
  abort(reason: AbortReason): void;
  /** Stops the heartbeats. Returns the last log lines, which no heartbeat has carried. */
  end(): Promise<string[]>;
};
export type LeaseManager = {
  /** Starts sending heartbeats for a job. */
  hold(job: Job): Lease;
  close(): Promise<void>;
};

type Entry = { controller: AbortController; resolve(lines: string[]): void; lines: Promise<string[]> };

const MAX_STEP_LENGTH = 200;
// TypeScript in the repository, JavaScript in the published package.
const THREAD = new URL(`./heartbeat-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** Starts a thread that keeps the leases of this worker's jobs even while their handlers block the event loop. */
export function startLeaseManager(data: ThreadData): LeaseManager {
  const thread = new Worker(THREAD, { workerData: data, name: 'pdm heartbeats' });
  const entries = new Map<number, Entry>();
  let lastKey = 0;
  let threadError: Error | null = null;
  const post = (message: ToThread) => thread.postMessage(message);

  thread.on('message', (message: FromThread) => {
    const entry = entries.get(message.key);
    if (message.type === 'ended') entry?.resolve(message.lines);
    else if (entry) abort(entry, message.reason);
  });
  // Without heartbeats every lease expires.
  thread.on('error', (error: Error) => {
    threadError = error;
    for (const entry of entries.values()) {
      abort(entry, 'lease_lost');
      entry.resolve([]);
    }
  });

  return {
    hold: (job) => {
      if (threadError) throw new Error('the heartbeat thread has ended', { cause: threadError });
      lastKey += 1;
      const key = lastKey;
      const { promise: lines, resolve } = Promise.withResolvers<string[]>();
      const entry: Entry = { controller: new AbortController(), resolve, lines };
      entries.set(key, entry);
      const { id, attempt, leaseSeconds, heartbeatSeconds } = job;
      post({ type: 'start', key, job: { id, attempt, leaseSeconds, heartbeatSeconds } });
      const { signal } = entry.controller;
      return {
        signal,
        reason: () => (signal.aborted ? (signal.reason.reason as AbortReason) : null),
        log: (line) => post({ type: 'log', key, line: String(line) }),
        progress: (percent, step) =>
          post({ type: 'progress', key, percent: Number(percent) || 0, step: String(step).slice(0, MAX_STEP_LENGTH) }),
        abort: (reason) => abort(entry, reason),
        end: async () => {
          if (!threadError) post({ type: 'end', key });
          const last = await lines;
          entries.delete(key);
          return last;
        },
      };
    },
    close: async () => void (await thread.terminate()),
  };
}

/** The abort reason of a job's signal. It is an Error, so that a handler can throw it. */
export class JobAbortedError extends Error {
  override readonly name = 'JobAbortedError';
  readonly reason: AbortReason;
  constructor(reason: AbortReason) {
    super(MESSAGES[reason]);
    this.reason = reason;
  }
}

const MESSAGES: Record<AbortReason, string> = {
  lease_lost: 'this worker no longer holds the job',
  cancelled: 'the job was cancelled',
  shutdown: 'the worker is shutting down',
};

function abort({ controller }: Entry, reason: AbortReason): void {
  if (!controller.signal.aborted) controller.abort(new JobAbortedError(reason));
}
