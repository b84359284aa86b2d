import { collection, type Scope, within } from '../query/scope.ts';
import type { JobRecord } from '../schema/collections.ts';

/** The jobs that run in the hands of a token's workers. */
export function runningJobsOf(scope: Scope, tokenId: string): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ status: 'running', tokenId: { $eq: tokenId } }, within(scope))
    .toArray();
}
