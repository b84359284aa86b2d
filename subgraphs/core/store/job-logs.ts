import { ObjectId } from 'mongodb';
import type { JobLogRecord } from './collections.ts';
import { insert } from './records.ts';
import { collection, type Scope, within } from './scope.ts';

/** Stores lines that arrived together. Their number must have been checked and counted on the job (`changeJob` does). */
export async function insertLines(scope: Scope, jobId: string, lines: string[], at: Date): Promise<void> {
  await insert(scope, 'jobLogs', { _id: new ObjectId(), jobId, at, lines });
}

/** The log lines of some jobs, in the order in which they came. */
export function logsOf(scope: Scope, jobIds: readonly string[]): Promise<JobLogRecord[]> {
  return collection(scope, 'jobLogs')
    .find({ jobId: { $in: [...jobIds] } }, within(scope))
    .sort({ jobId: 1, _id: 1 })
    .toArray();
}
