// How the queue stood lately: a sample every ten seconds, kept in this process for six hours, for whoever draws it.
import type { JobType } from '../../subgraphs/core/domain/kinds.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';

/** Waiting jobs of one type and requirement, and since when the oldest of them waits. */
export type Waiting = { type: JobType; environment: string; count: number; oldest: Date };
/** How the queue stands at a moment. */
export type QueueState = { waiting: readonly Waiting[]; running: number };

/** Columns of equal length, oldest first; `at` in seconds since 1970. Where a sample is missing the store did not answer. */
export type QueueColumns = {
  everySeconds: number;
  at: number[];
  waiting: Record<JobType, number[]>;
  running: number[];
  oldestWaitSeconds: number[];
};

export type QueueHistory = {
  add(state: QueueState, now: Date): void;
  /** What was sampled after this second; null: all that is kept. */
  since(second: number | null): QueueColumns;
};

const EVERY_SECONDS = 10;
const MOST = (6 * 3600) / EVERY_SECONDS;
const TYPES: readonly JobType[] = ['convert', 'assemble', 'export', 'run'];

/** An empty history; of more than `most` samples the oldest go. */
export function queueHistory(most: number = MOST): QueueHistory {
  const samples: { at: number; waiting: Record<JobType, number>; running: number; oldest: number }[] = [];
  return {
    add({ waiting, running }, now) {
      const count = (type: JobType) => waiting.reduce((sum, one) => (one.type === type ? sum + one.count : sum), 0);
      const ages = waiting.map(({ oldest }) => (now.getTime() - oldest.getTime()) / 1000);
      samples.push({
        at: Math.floor(now.getTime() / 1000),
        waiting: byType(count),
        running,
        oldest: Math.round(Math.max(0, ...ages)),
      });
      if (samples.length > most) samples.shift();
    },
    since(second) {
      const told = second === null ? samples : samples.filter(({ at }) => at > second);
      return {
        everySeconds: EVERY_SECONDS,
        at: told.map(({ at }) => at),
        waiting: byType((type) => told.map(({ waiting }) => waiting[type])),
        running: told.map(({ running }) => running),
        oldestWaitSeconds: told.map(({ oldest }) => oldest),
      };
    },
  };
}

/** Adds a sample every ten seconds. While the store does not answer there are none, and never two are asked for at once. */
export function startSampling(history: QueueHistory, look: () => Promise<QueueState>, log: Log): { stop(): void } {
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    try {
      history.add(await look(), new Date());
    } catch (error) {
      log.debug({ err: error }, 'the queue could not be looked at');
    }
    looking = false;
  }, EVERY_SECONDS * 1000).unref();
  return { stop: () => clearInterval(timer) };
}

function byType<T>(of: (type: JobType) => T): Record<JobType, T> {
  return Object.fromEntries(TYPES.map((type) => [type, of(type)])) as Record<JobType, T>;
}
