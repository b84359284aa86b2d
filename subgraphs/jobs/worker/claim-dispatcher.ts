// Hands out waiting jobs to claims, batching concurrent claims into shared queries and transactions.
import {
  type BatchPart,
  createTransactionBatcher,
  type Queue,
  type TransactionBatcher,
} from '../../core/batching/transaction-batcher.ts';
import type { Actor } from '../../core/domain/access/actor.ts';
import type { Context } from '../../core/graphql.ts';
import { type ClaimFilter, hasWaitingJobs, oldestWaitingJobs } from '../../core/store/jobs/job-queue.ts';
import { JobsChanged } from '../../core/store/jobs/jobs.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import { revokedActors } from '../../core/store/tokens.ts';
import { type CachedQueue, createQueueCache } from '../queue-cache.ts';
import { assignJobs, tokenRevoked } from './assign-jobs.ts';

/** A request for a job. */
export type Claimant = Pick<Context, 'services' | 'request'> & {
  workerId: string;
  leaseSeconds: number;
  /** Whether the claim was notified of a job after its last query. False for a new claim. */
  wasNotified: boolean;
  /** Whether the claim has waited, so that its token may have been revoked since it was authenticated. */
  hasWaited: boolean;
};

/** Assigns the oldest waiting job that matches the filter, each job to one claimant; null if none matches. */
export type ClaimDispatcher = {
  take(filter: ClaimFilter, claimant: Claimant): Promise<JobRecord | null>;
  /** Whether no job waited when a claim last looked, in any process. */
  isIdle(): boolean;
};

type WaitingClaim = {
  claimant: Claimant;
  attempts: number;
  resolve(job: JobRecord | null): void;
  reject(error: unknown): void;
};
type Match = { waiting: WaitingClaim; job: JobRecord; claimant: Claimant };
type ClaimQueue = Queue & { key: string; filter: ClaimFilter; claims: WaitingClaim[] };
type AvailableJobs = { jobs: JobRecord[]; cached: CachedQueue };

// How long claims that poll rely on the last query that found no job.
const SHARED_LOOK_MS = 1_500;
const MAX_BATCH = 64;
// How often a claim may lose its job to another process before it returns null.
const MAX_ATTEMPTS = 5;
// If the queue is known to be long, a query also reads jobs for later claims: three times the claims of the batch, at
// least 16.
const MIN_PREFETCH = 16;
const PREFETCH_ROUNDS = 3;

/**
 * Creates a dispatcher. Claims that arrive while others are served share the next query and transaction, and each gets
 * its own job: separate transactions would all compete for the oldest job and conflict. If two processes claim the same
 * job, the first transaction to commit gets it, and the other process retries its claims. Waiting jobs are cached
 * (`queue-cache.ts`). The claims share the transactions of `batcher` with other commands.
 */
export function createClaimDispatcher(
  scope: Scope,
  clock: () => Date,
  batcher: TransactionBatcher = createTransactionBatcher(),
): ClaimDispatcher {
  const queues = new Map<string, ClaimQueue>();
  const taken = new Set<string>();
  const cache = createQueueCache(scope, clock);
  let isIdle = false;
  let foundNone = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function queueOf(filter: ClaimFilter): ClaimQueue {
    const key = JSON.stringify([filter.types, filter.environments, filter.light]);
    const existing = queues.get(key);
    if (existing) return existing;
    const claims: WaitingClaim[] = [];
    const queue: ClaimQueue = {
      key,
      filter,
      claims,
      waiting: () => claims.length,
      async prepare(max, busy) {
        const batch = takeBatch(claims, max);
        try {
          return await matchClaims(queue, batch, busy);
        } catch (error) {
          for (const { reject } of batch) reject(error);
          return null;
        } finally {
          if (!claims.length) queues.delete(key);
        }
      },
    };
    queues.set(key, queue);
    return queue;
  }

  /** Returns the jobs that can be assigned, oldest first: from the cache if it suffices, else from a query. */
  async function findAvailable(
    { key, filter }: ClaimQueue,
    batch: readonly WaitingClaim[],
    { services: { dispatch } }: Claimant,
  ): Promise<AvailableJobs> {
    const cached = cache.get(key);
    if (cached) {
      const jobs = cached.jobs.filter(({ _id }) => !taken.has(_id));
      const suffices = jobs.length >= batch.length && cached.isFresh();
      // An empty queue is only taken from the cache for claims that were notified; new and polling ones query it.
      const noMoreJobs = cached.isComplete && batch.every(({ claimant }) => claimant.wasNotified);
      if (suffices || noMoreJobs) return { jobs, cached };
    }
    const takenBefore = new Set(taken);
    const prefetch = cached && !cached.isComplete ? Math.max(MIN_PREFETCH, batch.length * PREFETCH_ROUNDS) : 0;
    const limit = batch.length + takenBefore.size + prefetch;
    const opened = cache.open(key, filter, dispatch);
    const openedAt = performance.now();
    isIdle = await hasNoJobs(batch);
    const oldest = isIdle ? [] : await oldestWaitingJobs(scope, filter, { now: clock(), limit });
    foundNone = !oldest.length;
    const isOutdated = isIdle && lookedAt < openedAt;
    opened.setResult(oldest, oldest.length < limit && !isOutdated);
    // Jobs taken before the query may have been claimed while it ran, so its result can be out of date for them.
    return { jobs: opened.jobs.filter(({ _id }) => !taken.has(_id) && !takenBefore.has(_id)), cached: opened };
  }

  /**
   * Looks with one query whether there is any job, because the query of a claim takes one for each kind of job. Only if
   * none is expected: the claims poll, or the last one found none. Claims that poll share a look.
   */
  async function hasNoJobs(batch: readonly WaitingClaim[]): Promise<boolean> {
    if (batch.some(({ claimant }) => claimant.wasNotified)) return false;
    const isPoll = batch.every(({ claimant }) => claimant.hasWaited);
    if (!isPoll && !foundNone) return false;
    if (isPoll && isIdle && performance.now() - lookedAt < SHARED_LOOK_MS) return true;
    lookedAt = performance.now();
    return !(await hasWaitingJobs(scope));
  }

  async function matchClaims(
    queue: ClaimQueue,
    batch: WaitingClaim[],
    busy: ReadonlySet<string>,
  ): Promise<BatchPart | null> {
    const [first] = batch;
    if (!first) return null;
    const { jobs, cached } = await findAvailable(queue, batch, first.claimant);
    const matches: Match[] = [];
    const later: WaitingClaim[] = [];
    for (const waiting of batch) {
      const { claimant, resolve } = waiting;
      const [job] = jobs;
      if (!job || claimant.request.signal.aborted) resolve(null);
      // If the document of the oldest job is busy, the rest waits for the next turn, so that jobs stay in order.
      else if (later.length || busy.has(job.documentId)) later.push(waiting);
      else matches.push({ waiting, claimant, job: jobs.shift() ?? job });
    }
    queue.claims.unshift(...later);
    cached.replace(jobs);
    return batchPartOf(matches, queue.filter);
  }

  function batchPartOf(matches: Match[], filter: ClaimFilter): BatchPart | null {
    const [first] = matches;
    if (!first) return null;
    for (const { job } of matches) taken.add(job._id);
    const release = () => {
      for (const { job } of matches) taken.delete(job._id);
      cache.removeJobs(new Set(matches.map(({ job }) => job._id)));
    };
    const waitedActors = matches.flatMap(({ claimant }) => (claimant.hasWaited ? claimant.request.actor : []));
    return {
      services: first.claimant.services,
      // The idempotency key of one claim must not replay the jobs of the whole batch.
      request: { ...first.claimant.request, idempotency: undefined, expected: undefined },
      name: assignJobs.name,
      writes: matches.map(({ job }) => job.documentId),
      run: (work) => {
        if (waitedActors.length) work.meanwhile(() => assertNotRevoked(scope, waitedActors, work.now));
        return assignJobs(work, matches);
      },
      done: (result) => {
        release();
        const jobs = result as JobRecord[];
        for (const [n, { waiting }] of matches.entries()) waiting.resolve(jobs[n] ?? null);
      },
      fail: (error) => {
        release();
        cache.clear();
        const retried: WaitingClaim[] = [];
        for (const { waiting } of matches) {
          if (error instanceof ClaimantsRevoked && error.actors.has(waiting.claimant.request.actor))
            waiting.reject(tokenRevoked());
          else if (error instanceof ClaimantsRevoked) retried.push(waiting);
          else if (!(error instanceof JobsChanged)) waiting.reject(error);
          else if (++waiting.attempts === MAX_ATTEMPTS) waiting.resolve(null);
          else retried.push(waiting);
        }
        if (!retried.length) return;
        const queue = queueOf(filter);
        queue.claims.unshift(...retried);
        batcher(queue);
      },
    };
  }

  return {
    take: (filter, claimant) =>
      new Promise((resolve, reject) => {
        const queue = queueOf(filter);
        queue.claims.push({ claimant, attempts: 0, resolve, reject });
        batcher(queue);
      }),
    isIdle: () => isIdle,
  };
}

/** Claims of a batch whose token was revoked or user disabled while they waited. */
class ClaimantsRevoked extends Error {
  override readonly name = 'ClaimantsRevoked';
  readonly actors: ReadonlySet<Actor>;
  constructor(actors: ReadonlySet<Actor>) {
    super('a claimant lost its permission while it waited');
    this.actors = actors;
  }
}

async function assertNotRevoked(scope: Scope, waitedActors: readonly Actor[], now: Date): Promise<void> {
  const revoked = await revokedActors(scope, waitedActors, now);
  if (revoked.size) throw new ClaimantsRevoked(revoked);
}

// A request with an idempotency key or an expected tag has its own transaction, which stores its response.
function takeBatch(waiting: WaitingClaim[], max: number): WaitingClaim[] {
  const exclusive = waiting.findIndex(({ claimant }) => claimant.request.idempotency || claimant.request.expected);
  if (exclusive === 0) return waiting.splice(0, 1);
  return waiting.splice(0, Math.min(max, MAX_BATCH, exclusive < 0 ? waiting.length : exclusive));
}
