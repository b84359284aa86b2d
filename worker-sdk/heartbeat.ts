import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './heartbeat-thread.ts';
import type { Job, Reason } from './job.ts';

export type Held = {
  /** Aborts when the job must be let go of; `reason` says why. */
  signal: AbortSignal;
  reason(): Reason | null;
  log(line: string): void;
  progress(percent: number, step: string): void;
  stopFor(reason: Reason): void;
  /** Ends the heartbeats; answers the last log lines, which none of them has carried. */
  end(): Promise<string[]>;
};
export type Heart = {
  /** Keeps the lease of a job from now on. */
  hold(job: Job): Held;
  close(): Promise<void>;
};

type Entry = { letGo: AbortController; ended(lines: string[]): void; lines: Promise<string[]> };

const STEP_LENGTH = 200;
// As written here while it is TypeScript, as built once it is published.
const THREAD = new URL(`./heartbeat-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** A thread that keeps the leases of this worker's jobs, whatever their handlers do to the event loop here. */
export function startHeart(data: ThreadData): Heart {
  const thread = new Worker(THREAD, { workerData: data, name: 'pdm heartbeats' });
  const held = new Map<number, Entry>();
  let keys = 0;
  let fault: Error | null = null;
  const send = (message: ToThread) => thread.postMessage(message);

  thread.on('message', (message: FromThread) => {
    const entry = held.get(message.key);
    if (message.say === 'ended') entry?.ended(message.lines);
    else if (entry) stop(entry, message.reason);
  });
  // Without heartbeats no job can be kept.
  thread.on('error', (error: Error) => {
    fault = error;
    for (const entry of held.values()) {
      stop(entry, 'lease_lost');
      entry.ended([]);
    }
  });

  return {
    hold: (job) => {
      if (fault) throw new Error('the thread of the heartbeats has ended', { cause: fault });
      keys += 1;
      const key = keys;
      const { promise: lines, resolve: ended } = Promise.withResolvers<string[]>();
      const entry: Entry = { letGo: new AbortController(), ended, lines };
      held.set(key, entry);
      const { id, attempt, leaseSeconds, heartbeatSeconds } = job;
      send({ say: 'hold', key, job: { id, attempt, leaseSeconds, heartbeatSeconds } });
      const { signal } = entry.letGo;
      return {
        signal,
        reason: () => (signal.aborted ? (signal.reason.reason as Reason) : null),
        log: (line) => send({ say: 'log', key, line: String(line) }),
        progress: (percent, step) =>
          send({ say: 'progress', key, percent: Number(percent) || 0, step: String(step).slice(0, STEP_LENGTH) }),
        stopFor: (reason) => stop(entry, reason),
        end: async () => {
          if (!fault) send({ say: 'end', key });
          const last = await lines;
          held.delete(key);
          return last;
        },
      };
    },
    close: async () => void (await thread.terminate()),
  };
}

/** What a job's signal aborts with: an Error, so that whoever throws the reason throws something that can be read. */
export class LetGo extends Error {
  override readonly name = 'LetGo';
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(SAYS[reason]);
    this.reason = reason;
  }
}

const SAYS: Record<Reason, string> = {
  lease_lost: 'the job is no longer in the hands of this worker',
  cancel: 'the job was cancelled',
  shutdown: 'the worker is being stopped',
};

function stop({ letGo }: Entry, reason: Reason): void {
  if (!letGo.signal.aborted) letGo.abort(new LetGo(reason));
}
