import { ObjectId } from 'mongodb';
import { insert } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { JobLogRecord } from '../schema/collections.ts';

/** Stores lines that arrived together, in their places. Their number must have been checked and counted on the job (`changeJob` does). */
export async function insertLines(
  scope: Scope,
  jobId: string,
  first: number,
  lines: string[],
  at: Date,
): Promise<void> {
  await insert(scope, 'jobLogs', { _id: new ObjectId(), jobId, first, at, lines });
}

/** Lines of a job's log from a place on, in groups that arrived together; at most 100 groups. The first group may begin before that place. */
export async function linesFrom(
  scope: Scope,
  jobId: string,
  place: number,
): Promise<(JobLogRecord & { first: number })[]> {
  const before = await collection(scope, 'jobLogs')
    .find({ jobId: { $eq: jobId }, first: { $lt: place } }, within(scope))
    .sort({ first: -1 })
    .limit(1)
    .toArray();
  const after = await collection(scope, 'jobLogs')
    .find({ jobId: { $eq: jobId }, first: { $gte: place } }, within(scope))
    .sort({ first: 1 })
    .limit(MOST_GROUPS)
    .toArray();
  return [...before, ...after].flatMap((record) =>
    record.first === undefined ? [] : [{ ...record, first: record.first }],
  );
}

const MOST_GROUPS = 100;

/** The log lines of some jobs, in the order in which they came. */
export function logsOf(scope: Scope, jobIds: readonly string[]): Promise<JobLogRecord[]> {
  return collection(scope, 'jobLogs')
    .find({ jobId: { $in: [...jobIds] } }, within(scope))
    .sort({ jobId: 1, _id: 1 })
    .toArray();
}
