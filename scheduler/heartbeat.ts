import { ApiRefusal, waited } from './http-client.ts';
import { logLines } from './log-lines.ts';
import { type HeldJob, lostIt, type WorkerApi } from './worker-api.ts';

/** Why a job must be let go of. */
export type Reason = 'lease_lost' | 'cancel' | 'shutdown';

export type Heartbeat = {
  /** Aborts when the job must be let go of; `reason` says why. */
  signal: AbortSignal;
  reason(): Reason | null;
  log(line: string): void;
  progress(percent: number, step: string): void;
  /** How far the job is, for the status page. */
  state(): { percent: number | null; step: string | null; leaseUntil: Date };
  /** Tells now what was not told yet. */
  flush(): Promise<void>;
  stopFor(reason: Reason): void;
  /** Ends the beats; answers the last log lines, which no beat has carried. */
  end(): Promise<string[]>;
};

const NEWS_MILLISECONDS = 500;
const RETRY_MILLISECONDS = 1_000;
// A worker without an answer for that part of its lease stops by itself, before somebody else gets the job.
const PART_OF_LEASE = 0.8;
const STEP_LENGTH = 200;
// A beat under way may still be answered, so that its lines are not told twice.
const LAST_BEAT_MILLISECONDS = 1_000;

/** Keeps the lease of one job: beats every third of it, and at most twice a second when there are progress or log lines to tell. */
export function startHeartbeat(api: WorkerApi, job: HeldJob): Heartbeat {
  const letGo = new AbortController();
  const ended = new AbortController();
  const hurry = new AbortController();
  const news = waker();
  const lines = logLines();
  let far: { percent: number; step: string } | null = null;
  let untold = false;
  let leaseUntil = new Date(Date.now() + job.leaseSeconds * 1000);
  let giveUp = setTimeout(() => {}, 0);

  const stopFor = (reason: Reason) => {
    if (!letGo.signal.aborted) letGo.abort(reason);
  };
  const armFrom = (sent: number) => {
    clearTimeout(giveUp);
    giveUp = setTimeout(() => stopFor('lease_lost'), sent + job.leaseSeconds * 1000 * PART_OF_LEASE - performance.now());
    leaseUntil = new Date(Date.now() + job.leaseSeconds * 1000 - (performance.now() - sent));
  };
  armFrom(performance.now());

  async function beat(): Promise<boolean> {
    const sent = performance.now();
    const carried = lines.take();
    untold = lines.any();
    try {
      const { cancel } = await api.heartbeat(job, { ...far, log: carried }, hurry.signal);
      if (!ended.signal.aborted) armFrom(sent);
      if (cancel) stopFor('cancel');
      return true;
    } catch (error) {
      lines.putBack(carried);
      untold = true;
      if (lostIt(error) || isGone(error)) stopFor('lease_lost');
      return false;
    }
  }

  const beating = (async () => {
    while (!ended.signal.aborted && letGo.signal.reason !== 'lease_lost') {
      await waited(NEWS_MILLISECONDS, ended.signal);
      if (!untold) await news.wait(job.heartbeatSeconds * 1000 - NEWS_MILLISECONDS, ended.signal);
      if (!ended.signal.aborted && !(await beat())) await waited(RETRY_MILLISECONDS, ended.signal);
    }
  })();

  const tell = () => {
    untold = true;
    news.wake();
  };
  return {
    signal: letGo.signal,
    reason: () => (letGo.signal.aborted ? (letGo.signal.reason as Reason) : null),
    log: (line) => {
      lines.add(line);
      tell();
    },
    progress: (percent, step) => {
      far = { percent: Math.min(100, Math.max(0, percent)), step: step.slice(0, STEP_LENGTH) };
      tell();
    },
    state: () => ({ percent: far?.percent ?? null, step: far?.step ?? null, leaseUntil }),
    flush: async () => {
      await beat();
    },
    stopFor,
    end: async () => {
      ended.abort();
      clearTimeout(giveUp);
      const impatience = setTimeout(() => hurry.abort(), LAST_BEAT_MILLISECONDS);
      await beating;
      // What is too much for the last word goes before it; what does not get through in that second is lost, not the job.
      let last = lines.take();
      while (lines.any() && !letGo.signal.aborted && !hurry.signal.aborted) {
        lines.putBack(last);
        await beat();
        last = lines.take();
      }
      clearTimeout(impatience);
      return last;
    },
  };
}

// The job was deleted, with its document or workspace: nobody will take what comes of it.
function isGone(error: unknown): boolean {
  return error instanceof ApiRefusal && error.code === 'not_found';
}

/** Somebody waits; somebody else wakes. */
function waker(): { wake(): void; wait(milliseconds: number, signal: AbortSignal): Promise<void> } {
  let ring = new AbortController();
  return {
    wake: () => ring.abort(),
    wait: async (milliseconds, signal) => {
      ring = new AbortController();
      await waited(Math.max(0, milliseconds), AbortSignal.any([signal, ring.signal]));
    },
  };
}
