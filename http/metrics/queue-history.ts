// The history of the queue: a sample every ten seconds, kept in this process for six hours.
import type { JobType } from '../../subgraphs/core/domain/kinds.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';

/** Waiting jobs of one type and required environment, and when the oldest of them was queued. */
export type WaitingJobs = { type: JobType; environment: string; count: number; oldest: Date };
/** The state of the queue at one moment. */
export type QueueState = { waiting: readonly WaitingJobs[]; running: number };

/**
 * Arrays of equal length, oldest first; `at` is a Unix time in seconds. Samples are missing while the store is down.
 */
export type QueueSamples = {
  everySeconds: number;
  at: number[];
  waiting: Record<JobType, number[]>;
  running: number[];
  oldestWaitSeconds: number[];
};

export type QueueHistory = {
  add(state: QueueState, now: Date): void;
  /** Returns the samples after this Unix time in seconds; null: all samples. */
  since(second: number | null): QueueSamples;
  /** Returns `late` if, at the last sample, no job was running although one had waited for more than a minute. */
  health(): { status: 'ok' | 'late'; detail?: string };
};

const INTERVAL_SECONDS = 10;
const STALLED_AFTER_SECONDS = 60;
const MAX_SAMPLES = (6 * 3600) / INTERVAL_SECONDS;
const TYPES: readonly JobType[] = ['convert', 'assemble', 'export', 'run'];

/** Creates an empty history that keeps the newest `max` samples. */
export function createQueueHistory(max: number = MAX_SAMPLES): QueueHistory {
  const samples: { at: number; waiting: Record<JobType, number>; running: number; oldest: number }[] = [];
  return {
    add({ waiting, running }, now) {
      const count = (type: JobType) => waiting.reduce((sum, jobs) => (jobs.type === type ? sum + jobs.count : sum), 0);
      const ages = waiting.map(({ oldest }) => (now.getTime() - oldest.getTime()) / 1000);
      samples.push({
        at: Math.floor(now.getTime() / 1000),
        waiting: byType(count),
        running,
        oldest: Math.round(Math.max(0, ...ages)),
      });
      if (samples.length > max) samples.shift();
    },
    since(second) {
      const selected = second === null ? samples : samples.filter(({ at }) => at > second);
      return {
        everySeconds: INTERVAL_SECONDS,
        at: selected.map(({ at }) => at),
        waiting: byType((type) => selected.map(({ waiting }) => waiting[type])),
        running: selected.map(({ running }) => running),
        oldestWaitSeconds: selected.map(({ oldest }) => oldest),
      };
    },
    health() {
      const { running, oldest } = samples.at(-1) ?? { running: 0, oldest: 0 };
      return running === 0 && oldest > STALLED_AFTER_SECONDS
        ? { status: 'late', detail: `no job is running, although one has waited for ${oldest} s` }
        : { status: 'ok' };
    },
  };
}

/** Adds a sample every ten seconds, none while the store is down. Reads do not overlap. */
export function startSampling(history: QueueHistory, read: () => Promise<QueueState>, log: Log): { stop(): void } {
  let isReading = false;
  const timer = setInterval(async () => {
    if (isReading) return;
    isReading = true;
    try {
      history.add(await read(), new Date());
    } catch (error) {
      log.debug({ err: error }, 'queue sample failed');
    }
    isReading = false;
  }, INTERVAL_SECONDS * 1000).unref();
  return { stop: () => clearInterval(timer) };
}

function byType<T>(valueFor: (type: JobType) => T): Record<JobType, T> {
  return Object.fromEntries(TYPES.map((type) => [type, valueFor(type)])) as Record<JobType, T>;
}
