import { seqTime } from './jobs.ts';
import { collection, type Scope, within } from './scope.ts';

/** Waiting jobs of one type that require the same: how many, and since when the oldest waits. */
export type WaitingJobs = { type: string; environment: string; count: number; oldest: Date };

/** How many jobs wait, by type and by what they require; the index alone answers it. */
export async function waitingJobs(scope: Scope): Promise<WaitingJobs[]> {
  const found = await collection(scope, 'jobs')
    .aggregate<{ _id: { type: string; environment: string }; count: number; oldest: number }>(
      [
        { $match: { status: 'waiting' } },
        { $group: { _id: { type: '$type', environment: '$environmentKey' }, count: { $sum: 1 }, oldest: { $min: '$seq' } } },
      ],
      { hint: { status: 1, type: 1, environmentKey: 1, seq: 1 }, ...within(scope) },
    )
    .toArray();
  return found.map(({ _id, count, oldest }) => ({ ..._id, count, oldest: seqTime(oldest) }));
}
