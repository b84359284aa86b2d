import type { Filter } from 'mongodb';
import { allOf, beyond, inOrder, type Window } from '../query/ordered.ts';
import { collection, countOf, type Scope, within } from '../query/scope.ts';
import type { CollectionName, JobRecord, JobStatus, JobType } from '../schema/collections.ts';

export type JobFilter = { versionId?: string; documentId?: string; status?: JobStatus; type?: JobType };

/** A part of the list of jobs, in the order in which they were queued. */
export function listJobs(scope: Scope, filter: JobFilter, window: Window): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find(allOf([conditions(filter), ...beyond<JobRecord>('seq', window)]), within(scope))
    .sort(inOrder('seq', window))
    .limit(window.limit)
    .hint(indexFor(filter))
    .toArray();
}

/** How many jobs there are of a filter. */
export function countJobs(scope: Scope, filter: JobFilter): Promise<number> {
  const asked = conditions(filter);
  if (Object.keys(asked).length === 0) return countOf(scope, 'jobs', asked);
  return collection(scope, 'jobs').countDocuments(asked, { ...within(scope), hint: indexFor(filter) });
}

/** The newest jobs of each of some drafts or versions, at most `limit` of each, newest first. */
export async function firstJobs(scope: Scope, versionIds: readonly string[], limit: number): Promise<JobRecord[]> {
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

// The narrowest index that also has the order of the list. Of a type most are done, so those are found among its jobs, and others among those of their status.
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
