import type { Job } from './job.ts';
import { logLines } from './log-lines.ts';
import type { Beat } from './routes.ts';
import { waited } from './waited.ts';

export type HeldJob = Pick<Job, 'id' | 'attempt' | 'leaseSeconds' | 'heartbeatSeconds'>;
export type Beats = {
  log(line: string): void;
  progress(percent: number, step: string): void;
  /** Until when the lease lasts, as far as is known. */
  leaseUntil(): Date;
  /** Tells now what was not told yet. */
  flush(): Promise<void>;
  /** Ends them; answers the last log lines, which no beat has carried. */
  end(): Promise<string[]>;
};

/**
 * How beats reach the service, and who hears that the job must be let go of. `isLost`: whether a refusal says that the job is
 * in other hands, or in nobody's.
 */
export type BeatPorts = {
  heartbeat(beat: Beat, signal: AbortSignal): Promise<{ cancel: boolean }>;
  isLost(error: unknown): boolean;
  letGo(reason: 'lease_lost' | 'cancel'): void;
};

const NEWS_MILLISECONDS = 500;
const RETRY_MILLISECONDS = 1_000;
// Without an answer for that part of the lease the worker stops by itself, before somebody else gets the job.
const PART_OF_LEASE = 0.8;
// A beat under way may still be answered when the job ends, so that its lines are not told twice.
const LAST_BEAT_MILLISECONDS = 1_000;

/**
 * Keeps the lease of one job: beats as often as the service asks for, and at most twice a second when there are progress or
 * log lines to tell. `letGo` hears at most once of each reason to stop. A handler that does not let go of a cancelled job
 * within another lease is given up, and its lease ends.
 */
export function startBeats(job: HeldJob, { heartbeat, isLost, letGo }: BeatPorts): Beats {
  const ended = new AbortController();
  const hurry = new AbortController();
  const lines = logLines();
  const lease = job.leaseSeconds * 1000;
  let news = new AbortController();
  let far: { percent: number; step: string } | null = null;
  let untold = false;
  let lost = false;
  let cancelledAt: number | null = null;
  let leaseFrom = Date.now();
  let giveUp = setTimeout(() => lose(), lease * PART_OF_LEASE);

  function lose(): void {
    if (lost) return;
    lost = true;
    letGo('lease_lost');
    news.abort();
  }
  function heard(sent: number, cancel: boolean): void {
    clearTimeout(giveUp);
    leaseFrom = Date.now() - (performance.now() - sent);
    if (!ended.signal.aborted) giveUp = setTimeout(lose, sent + lease * PART_OF_LEASE - performance.now());
    if (!cancel) return;
    if (cancelledAt === null) letGo('cancel');
    cancelledAt ??= performance.now();
    if (performance.now() - cancelledAt > lease) lose();
  }
  async function beat(): Promise<boolean> {
    const sent = performance.now();
    const carried = lines.take();
    untold = lines.any();
    try {
      const { cancel } = await heartbeat({ ...far, log: carried }, hurry.signal);
      heard(sent, cancel);
      return true;
    } catch (error) {
      lines.putBack(carried);
      untold = true;
      if (isLost(error)) lose();
      return false;
    }
  }

  const beating = (async () => {
    while (!ended.signal.aborted && !lost) {
      await waited(NEWS_MILLISECONDS, ended.signal);
      if (!untold) {
        news = new AbortController();
        await waited(
          Math.max(0, job.heartbeatSeconds * 1000 - NEWS_MILLISECONDS),
          AbortSignal.any([ended.signal, news.signal]),
        );
      }
      if (!ended.signal.aborted && !lost && !(await beat())) await waited(RETRY_MILLISECONDS, ended.signal);
    }
  })();
  const tell = () => {
    untold = true;
    news.abort();
  };

  return {
    log: (line) => {
      lines.add(line);
      tell();
    },
    progress: (percent, step) => {
      far = { percent: Math.min(100, Math.max(0, percent)), step };
      tell();
    },
    leaseUntil: () => new Date(leaseFrom + lease),
    flush: async () => {
      await beat();
    },
    end: async () => {
      ended.abort();
      clearTimeout(giveUp);
      const impatience = setTimeout(() => hurry.abort(), LAST_BEAT_MILLISECONDS);
      await beating;
      // What is too much for the last word goes before it; what does not get through in that second is lost, not the job.
      let last = lines.take();
      while (lines.any() && !lost && !hurry.signal.aborted) {
        lines.putBack(last);
        await beat();
        last = lines.take();
      }
      clearTimeout(impatience);
      return last;
    },
  };
}
