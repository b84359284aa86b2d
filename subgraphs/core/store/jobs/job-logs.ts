// The log lines of jobs.
import { ObjectId } from 'mongodb';
import { insert } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { JobLogRecord } from '../schema/collections.ts';

/** Stores lines that arrived in one request. The caller has checked the limits and counted the lines on the job. */
export async function insertLines(
  scope: Scope,
  jobId: string,
  first: number,
  lines: string[],
  at: Date,
): Promise<void> {
  await insert(scope, 'jobLogs', { _id: new ObjectId(), jobId, first, at, lines });
}

/**
 * Returns groups of the lines of a job's log: the last group that starts before the index, and at most 100 that start
 * at or after it. Leaves out older records without `first`.
 */
export async function linesFrom(
  scope: Scope,
  jobId: string,
  index: number,
): Promise<(JobLogRecord & { first: number })[]> {
  const before = await collection(scope, 'jobLogs')
    .find({ jobId: { $eq: jobId }, first: { $lt: index } }, within(scope))
    .sort({ first: -1 })
    .limit(1)
    .toArray();
  const after = await collection(scope, 'jobLogs')
    .find({ jobId: { $eq: jobId }, first: { $gte: index } }, within(scope))
    .sort({ first: 1 })
    .limit(MAX_GROUPS)
    .toArray();
  return [...before, ...after].flatMap((record) =>
    record.first === undefined ? [] : [{ ...record, first: record.first }],
  );
}

const MAX_GROUPS = 100;

/** Returns the log lines of several jobs in the order of their arrival. */
export function logsOf(scope: Scope, jobIds: readonly string[]): Promise<JobLogRecord[]> {
  return collection(scope, 'jobLogs')
    .find({ jobId: { $in: [...jobIds] } }, within(scope))
    .sort({ jobId: 1, _id: 1 })
    .toArray();
}
