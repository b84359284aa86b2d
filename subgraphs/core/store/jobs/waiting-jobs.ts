import { collection, type Scope, within } from '../query/scope.ts';
import type { JobRecord, JobType } from '../schema/collections.ts';
import { seqTime } from './jobs.ts';

/** Waiting jobs of one type that require the same: how many, and since when the oldest waits. */
export type WaitingJobs = { type: JobType; environment: string; count: number; oldest: Date };

/** More are told as that many: a store that counts a long queue keeps the claims waiting meanwhile. */
export const MOST_COUNTED = 2_000;

const TYPES: readonly JobType[] = ['convert', 'assemble', 'export', 'run'];
const BY_ENVIRONMENT = { status: -1, type: 1, environmentKey: 1, seq: 1 } as const;
const BY_LEASE = { status: -1, leaseExpiresAt: 1 } as const;
const MOST_ENVIRONMENTS = 20;

/** How many jobs wait, by type and by what they require of a worker (the first twenty of those), each asked for at its place in the index. */
export async function waitingJobs(scope: Scope): Promise<WaitingJobs[]> {
  return (await Promise.all(TYPES.map((type) => waitingOfType(scope, type)))).flat();
}

/** How many jobs workers have at the moment; more than two thousand are told as that many. */
export function runningJobs(scope: Scope): Promise<number> {
  return collection(scope, 'jobs').countDocuments(
    { status: 'running' },
    { hint: BY_LEASE, limit: MOST_COUNTED, ...within(scope) },
  );
}

async function waitingOfType(scope: Scope, type: JobType): Promise<WaitingJobs[]> {
  const found: WaitingJobs[] = [];
  for (let first = await firstAfter(scope, type, null); first && found.length < MOST_ENVIRONMENTS; ) {
    const environment = first.environmentKey;
    const count = await collection(scope, 'jobs').countDocuments(
      { status: 'waiting', type, environmentKey: environment },
      { hint: BY_ENVIRONMENT, limit: MOST_COUNTED, ...within(scope) },
    );
    if (count) found.push({ type, environment, count, oldest: seqTime(first.seq) });
    first = await firstAfter(scope, type, environment);
  }
  return found;
}

/** The oldest waiting job of the next environment in the order of the index. */
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
