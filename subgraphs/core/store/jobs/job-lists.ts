// Lists and counts of jobs.
import type { Filter } from 'mongodb';
import { allOf, type PageRequest, sortOrder, startAfter } from '../query/page-request.ts';
import { collection, countRecords, type Scope, within } from '../query/scope.ts';
import type { CollectionName, JobRecord, JobStatus, JobType } from '../schema/collections.ts';

export type JobFilter = { versionId?: string; documentId?: string; status?: JobStatus; type?: JobType };

/** Returns a page of the list of jobs, in the order of their queueing. */
export function listJobs(scope: Scope, filter: JobFilter, window: PageRequest): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find(allOf([conditions(filter), ...startAfter<JobRecord>('seq', window)]), within(scope))
    .sort(sortOrder('seq', window))
    .limit(window.limit)
    .hint(indexFor(filter))
    .toArray();
}

/** Counts the jobs of a filter. */
export function countJobs(scope: Scope, filter: JobFilter): Promise<number> {
  const condition = conditions(filter);
  if (Object.keys(condition).length === 0) return countRecords(scope, 'jobs', condition);
  return collection(scope, 'jobs').countDocuments(condition, { ...within(scope), hint: indexFor(filter) });
}

/** Returns the newest jobs of each draft or version, at most `limit` of each, newest first. */
export async function newestJobs(scope: Scope, versionIds: readonly string[], limit: number): Promise<JobRecord[]> {
  const jobs: CollectionName = 'jobs';
  const newest = [{ $sort: ORDER }, { $limit: limit }];
  const found = await collection(scope, 'versions')
    .aggregate<{ jobs: JobRecord[] }>(
      [
        { $match: { _id: { $in: versionIds } } },
        { $project: { _id: 1 } },
        { $lookup: { from: jobs, localField: '_id', foreignField: 'versionId', pipeline: newest, as: 'jobs' } },
      ],
      within(scope),
    )
    .toArray();
  return found.flatMap(({ jobs }) => jobs);
}

const ORDER = { seq: -1, _id: -1 } as const;

// Returns the narrowest index that has the order of the list. Most jobs of a type are done, so those are found among
// the jobs of the type, others among those of their status.
function indexFor({ versionId, documentId, status, type }: JobFilter): Record<string, 1 | -1> {
  if (versionId) return { versionId: 1, ...ORDER };
  if (documentId) return { documentId: 1, ...ORDER };
  if (type && (!status || status === 'done')) return { type: 1, ...ORDER };
  return status ? { status: 1, ...ORDER } : ORDER;
}

function conditions(filter: JobFilter): Filter<JobRecord> {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([field, value]) => (value ? [[field, { $eq: value }]] : [])),
  );
}
