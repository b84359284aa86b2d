// Caches the oldest waiting jobs between claims.
import { isAvailable } from '../core/domain/jobs/job-lifecycle.ts';
import type { Dispatch } from '../core/platform/dispatch.ts';
import type { ClaimFilter } from '../core/store/jobs/job-queue.ts';
import { notifiedJobsCache } from '../core/store/jobs/recent-jobs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';

/**
 * The oldest waiting jobs that match a filter, oldest first, as a query returned them, updated from this process's own
 * notifications. It expires on a notification for an unknown job, e.g. of another process, and after `MAX_AGE_MS`. It
 * is only a hint: a claim fails if a job has changed since.
 */
export type CachedQueue = {
  jobs: readonly JobRecord[];
  /** Whether no other waiting job matches. */
  isComplete: boolean;
  /** Whether jobs can be claimed without another query, because the last one is recent enough. */
  isFresh(): boolean;
  /** Stores a query result and adds the jobs queued while it ran. */
  setResult(oldest: readonly JobRecord[], isComplete: boolean): void;
  /** Replaces the jobs. */
  replace(jobs: readonly JobRecord[]): void;
};

/** Cached queues by filter. */
export type QueueCache = {
  get(key: string): CachedQueue | null;
  /** Starts a new entry that collects notifications. Open it before the query, so that no job is missed. */
  open(key: string, filter: ClaimFilter, dispatch: Dispatch): CachedQueue;
  /** Removes jobs that were handed out. */
  removeJobs(ids: ReadonlySet<string>): void;
  clear(): void;
};

const FRESH_MS = 100;
// A little longer than the longest polling interval of a waiting claim.
const MAX_AGE_MS = 1_280;

/** Creates an empty cache. */
export function createQueueCache(scope: Scope, clock: () => Date): QueueCache {
  const entries = new Map<string, { queue: CachedQueue; end(): void }>();

  function open(key: string, filter: ClaimFilter, dispatch: Dispatch): CachedQueue {
    entries.get(key)?.end();
    const openedAt = performance.now();
    let hasResult = false;
    const queue: CachedQueue = {
      jobs: [],
      isComplete: false,
      isFresh: () => performance.now() - openedAt < FRESH_MS,
      setResult(oldest, isComplete) {
        const queuedMeanwhile = queue.jobs;
        queue.jobs = oldest;
        queue.isComplete = isComplete;
        hasResult = true;
        for (const job of queuedMeanwhile) add(job);
      },
      replace: (jobs) => {
        queue.jobs = jobs;
      },
    };
    const add = (job: JobRecord) => {
      const others = queue.jobs.filter(({ _id }) => _id !== job._id);
      const index = others.findIndex((other) => isOlder(job, other));
      // A job younger than all cached ones of an incomplete queue may have unknown jobs before it.
      if (index < 0 && hasResult && !queue.isComplete) return;
      queue.jobs = others.toSpliced(index < 0 ? others.length : index, 0, job);
    };
    const unsubscribe = dispatch.listen((topic, jobKey) => {
      if (!filter.types.some((type) => type === topic)) return;
      const job = jobKey === null ? undefined : notifiedJobsCache.get(scope.db, [jobKey]).get(jobKey);
      if (!job) end();
      else if (matches(job, filter) && isAvailable(job, clock())) add(job);
    });
    const end = () => {
      unsubscribe();
      clearTimeout(timer);
      if (entries.get(key)?.queue === queue) entries.delete(key);
    };
    const timer = setTimeout(end, MAX_AGE_MS).unref();
    entries.set(key, { queue, end });
    return queue;
  }

  return {
    get: (key) => entries.get(key)?.queue ?? null,
    open,
    removeJobs(ids) {
      for (const { queue } of entries.values()) queue.replace(queue.jobs.filter(({ _id }) => !ids.has(_id)));
    },
    clear() {
      for (const { end } of [...entries.values()]) end();
    },
  };
}

function matches(job: JobRecord, { types, environments, light }: ClaimFilter): boolean {
  if (light && !job.light) return false;
  return types.includes(job.type) && (!environments || environments.includes(job.environmentKey));
}

function isOlder(job: JobRecord, other: JobRecord): boolean {
  return job.seq < other.seq || (job.seq === other.seq && job._id < other._id);
}
