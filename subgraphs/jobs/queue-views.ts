import type { Dispatch } from '../core/platform/dispatch.ts';
import type { Wanted } from '../core/store/jobs/job-queue.ts';
import { rungJobs } from '../core/store/jobs/recent-jobs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';

/**
 * What one look at the queue has shown, kept up with what this process rings for since: the oldest waiting jobs of a wish, the oldest first. `whole`: there were no others.
 * It ends with a ring for something that is not known here, e.g. of another process, and with `LIFE_MILLISECONDS`. It is never trusted alone: a claim names the state of the job that it saw.
 */
export type QueueView = {
  jobs: readonly JobRecord[];
  whole: boolean;
  /** Jobs that have just come may be claimed without a look: nothing else has been heard of for a tenth of a second. */
  isFresh(): boolean;
  /** What the look has shown; what came meanwhile stays. */
  seen(oldest: readonly JobRecord[], whole: boolean): void;
  /** Leaves these. */
  keep(jobs: readonly JobRecord[]): void;
};

/** The views of a desk, by their wish. */
export type QueueViews = {
  known(key: string): QueueView | null;
  /** A new view, which hears what comes from now on. Opened before the look, so that nothing comes unnoticed. */
  open(key: string, wish: Wanted, dispatch: Dispatch): QueueView;
  /** Jobs were handed out: no view shows them any more. */
  without(handedOut: ReadonlySet<string>): void;
  /** What is known was wrong. */
  clear(): void;
};

const FRESH_MILLISECONDS = 100;
// A little longer than a waiting claim waits until it looks by itself.
const LIFE_MILLISECONDS = 320;

export function queueViews(scope: Scope, clock: () => Date): QueueViews {
  const views = new Map<string, { view: QueueView; end(): void }>();

  function open(key: string, wish: Wanted, dispatch: Dispatch): QueueView {
    views.get(key)?.end();
    const openedAt = performance.now();
    let looked = false;
    const view: QueueView = {
      jobs: [],
      whole: false,
      isFresh: () => performance.now() - openedAt < FRESH_MILLISECONDS,
      seen(oldest, whole) {
        const cameMeanwhile = view.jobs;
        view.jobs = oldest;
        view.whole = whole;
        looked = true;
        for (const job of cameMeanwhile) add(job);
      },
      keep: (jobs) => {
        view.jobs = jobs;
      },
    };
    const add = (job: JobRecord) => {
      const others = view.jobs.filter(({ _id }) => _id !== job._id);
      const place = others.findIndex((other) => isOlder(job, other));
      // younger than all that were seen of a longer queue: between them are others
      if (place < 0 && looked && !view.whole) return;
      view.jobs = others.toSpliced(place < 0 ? others.length : place, 0, job);
    };
    const deaf = dispatch.listen((bell, rungFor) => {
      if (!wish.types.some((type) => type === bell)) return;
      const job = rungFor === null ? undefined : rungJobs.recall(scope.db, [rungFor]).get(rungFor);
      if (!job) end();
      else if (fits(job, wish) && job.availableAt <= clock()) add(job);
    });
    const end = () => {
      deaf();
      clearTimeout(timer);
      if (views.get(key)?.view === view) views.delete(key);
    };
    const timer = setTimeout(end, LIFE_MILLISECONDS).unref();
    views.set(key, { view, end });
    return view;
  }

  return {
    known: (key) => views.get(key)?.view ?? null,
    open,
    without(handedOut) {
      for (const { view } of views.values()) view.keep(view.jobs.filter(({ _id }) => !handedOut.has(_id)));
    },
    clear() {
      for (const { end } of [...views.values()]) end();
    },
  };
}

function fits(job: JobRecord, { types, environments }: Wanted): boolean {
  return types.includes(job.type) && (!environments || environments.includes(job.environmentKey));
}

function isOlder(job: JobRecord, other: JobRecord): boolean {
  return job.seq < other.seq || (job.seq === other.seq && job._id < other._id);
}
