// Counts of waiting and running jobs, for metrics.
import { collection, type Scope, within } from '../query/scope.ts';
import type { JobRecord, JobType } from '../schema/collections.ts';
import { hasWaitingJobs } from './job-queue.ts';
import { seqTime } from './jobs.ts';

/** Waiting jobs of one type with the same requirements: their number, and since when the oldest waits. */
export type WaitingJobs = { type: JobType; environment: string; count: number; oldest: Date };

/** Higher counts are reported as this number, because counting a long queue would delay claims. */
export const MAX_COUNTED = 2_000;

const TYPES: readonly JobType[] = ['convert', 'assemble', 'export', 'run'];
const BY_ENVIRONMENT = { status: -1, type: 1, environmentKey: 1, seq: 1 } as const;
const BY_LEASE = { status: -1, leaseExpiresAt: 1 } as const;
const MAX_ENVIRONMENTS = 20;

/** Counts waiting jobs by type and required environment (at most 20 environments per type), each on an index range. */
export async function countWaitingJobs(scope: Scope): Promise<WaitingJobs[]> {
  if (!(await hasWaitingJobs(scope))) return [];
  return (await Promise.all(TYPES.map((type) => waitingOfType(scope, type)))).flat();
}

/** Counts running jobs, up to 2,000. */
export function countRunningJobs(scope: Scope): Promise<number> {
  return collection(scope, 'jobs').countDocuments(
    { status: 'running' },
    { hint: BY_LEASE, limit: MAX_COUNTED, ...within(scope) },
  );
}

async function waitingOfType(scope: Scope, type: JobType): Promise<WaitingJobs[]> {
  const found: WaitingJobs[] = [];
  for (let first = await firstAfter(scope, type, null); first && found.length < MAX_ENVIRONMENTS; ) {
    const environment = first.environmentKey;
    const count = await collection(scope, 'jobs').countDocuments(
      { status: 'waiting', type, environmentKey: environment },
      { hint: BY_ENVIRONMENT, limit: MAX_COUNTED, ...within(scope) },
    );
    if (count) found.push({ type, environment, count, oldest: seqTime(first.seq) });
    first = await firstAfter(scope, type, environment);
  }
  return found;
}

/** Returns the oldest waiting job of the next environment in index order. */
async function firstAfter(
  scope: Scope,
  type: JobType,
  environment: string | null,
): Promise<Pick<JobRecord, 'environmentKey' | 'seq'> | null> {
  const [first] = await collection(scope, 'jobs')
    .find(
      { status: 'waiting', type, ...(environment === null ? {} : { environmentKey: { $gt: environment } }) },
      within(scope),
    )
    .sort({ environmentKey: 1, seq: 1 })
    .hint(BY_ENVIRONMENT)
    .limit(1)
    .project<Pick<JobRecord, 'environmentKey' | 'seq'>>({ environmentKey: 1, seq: 1 })
    .toArray();
  return first ?? null;
}
