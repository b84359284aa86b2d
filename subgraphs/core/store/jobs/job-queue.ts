// Queries of the job queue: the oldest waiting jobs, and expired leases.
import type { Filter } from 'mongodb';
import { maxLeaseEnd, maxPauseEnd } from '../../domain/jobs/job-lifecycle.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { JobRecord, JobType } from '../schema/collections.ts';
import { nextSeq, seqAt } from './jobs.ts';

/**
 * The waiting jobs that a claim accepts; `environments` null: any requirements. With `light`, only light jobs, whose type
 * must be among `types` and whose environments are listed.
 */
export type ClaimFilter =
  | { types: readonly JobType[]; environments: readonly string[] | null; light?: false }
  | { types: readonly JobType[]; environments: readonly string[]; light: true };

/** Returns whether any job waits, also one whose pause has not ended. */
export async function hasWaitingJobs(scope: Scope): Promise<boolean> {
  const waiting = { status: 'waiting' } as const;
  return (await collection(scope, 'jobs').findOne(waiting, { projection: { _id: 1 }, hint: BY_STATUS })) !== null;
}

/** Returns the oldest waiting jobs of these types and environments. */
export async function oldestWaitingJobs(
  scope: Scope,
  { types, environments, light }: ClaimFilter,
  { now, limit }: { now: Date; limit: number },
): Promise<JobRecord[]> {
  const oldest = async (filter: Filter<JobRecord>, hint: Record<string, 1 | -1>) =>
    collection(scope, 'jobs')
      .find(
        // a pause that ends implausibly late is over (maxPauseEnd)
        { status: 'waiting', ...filter, availableAt: { $not: { $gt: now, $lte: maxPauseEnd(now) } } },
        within(scope),
      )
      .sort({ seq: 1 })
      .limit(limit)
      .hint(hint)
      .toArray();

  const merge = async (lists: Promise<JobRecord[]>[]) =>
    (await Promise.all(lists))
      .flat()
      .sort((a, b) => a.seq - b.seq)
      .slice(0, limit);

  if (light) {
    // light jobs are conversions
    if (!types.includes('convert')) return [];
    return merge(environments.map((environmentKey) => oldest({ light: true, environmentKey }, BY_LIGHT)));
  }
  if (!environments) return oldest({ type: { $in: types } }, BY_STATUS);
  const ranges = types.flatMap((type) => environments.map((environmentKey) => ({ type, environmentKey })));
  if (ranges.length > MAX_RANGES) {
    return oldest({ type: { $in: types }, environmentKey: { $in: environments } }, BY_ENVIRONMENT);
  }
  // Each pair is an index range in the order of seq. One query for all of them might sort everything that waits.
  return merge(ranges.map((range) => oldest(range, BY_ENVIRONMENT)));
}

/**
 * Returns the ids of running jobs with an expired lease, the first expired first. Leaves out those in `except` and
 * those with leases longer than `maxLeaseSeconds`. A lease that ends implausibly late counts as expired
 * (`maxLeaseEnd`).
 */
export async function expiredJobs(
  scope: Scope,
  { now, leaseSeconds, maxLeaseSeconds }: { now: Date; leaseSeconds: number; maxLeaseSeconds: number },
  limit: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const found = await collection(scope, 'jobs')
    .find(
      {
        status: 'running',
        $or: [{ leaseExpiresAt: { $lt: now } }, { leaseExpiresAt: { $gt: maxLeaseEnd(now, leaseSeconds) } }],
        ...(maxLeaseSeconds < leaseSeconds ? { leaseSeconds: { $lte: maxLeaseSeconds } } : {}),
        ...(except.length ? { _id: { $nin: [...except] } } : {}),
      },
      within(scope),
    )
    .sort({ leaseExpiresAt: 1 })
    .limit(limit)
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  return found.map(({ _id }) => _id);
}

/**
 * Moves jobs that were queued while the clock was ahead to the end of the queue, in their order: newer jobs would
 * overtake them. Returns their number.
 */
export async function requeueFutureJobs(scope: Scope, now: Date): Promise<number> {
  const future = { status: 'waiting', seq: { $gt: seqAt(new Date(now.getTime() + MAX_SKEW_MS)) } } as const;
  const [newest] = await collection(scope, 'jobs')
    .find(future, within(scope))
    .sort({ seq: -1, _id: -1 })
    .hint(BY_STATUS)
    .limit(1)
    .toArray();
  if (!newest) return 0;
  const { modifiedCount } = await collection(scope, 'jobs').updateMany(
    future,
    { $inc: { seq: nextSeq(now) - newest.seq, lock: 1 } },
    { hint: BY_STATUS, ...within(scope) },
  );
  return modifiedCount;
}

const MAX_SKEW_MS = 60_000;
const BY_ENVIRONMENT = { status: -1, type: 1, environmentKey: 1, seq: 1 } as const;
const BY_LIGHT = { light: 1, environmentKey: 1, seq: 1 } as const;
const BY_STATUS = { status: 1, seq: -1, _id: -1 } as const;
const MAX_RANGES = 16;
