// Lists and counts of jobs.
import type { Filter } from 'mongodb';
import { allOf, type PageRequest, sortOrder, startAfter } from '../query/page-request.ts';
import { collection, countRecords, type Scope, within } from '../query/scope.ts';
import type { CollectionName, JobRecord, JobStatus, JobType } from '../schema/collections.ts';

/** Filters jobs; a list of statuses is not empty. */
export type JobFilter = {
  versionId?: string;
  documentId?: string;
  statuses?: readonly JobStatus[];
  type?: JobType;
};

/** Returns a page of the list of jobs, in the order of their queueing. */
export async function listJobs(scope: Scope, filter: JobFilter, window: PageRequest): Promise<JobRecord[]> {
  const found = await Promise.all(
    splitByStatus(filter).map(({ condition, hint }) =>
      collection(scope, 'jobs')
        .find(allOf([condition, ...startAfter<JobRecord>('seq', window)]), within(scope))
        .sort(sortOrder('seq', window))
        .limit(window.limit)
        .hint(hint)
        .toArray(),
    ),
  );
  if (found.length === 1) return found[0]!;
  const direction = window.descending ? -1 : 1;
  return found
    .flat()
    .sort((a, b) => direction * (a.seq - b.seq || (a._id < b._id ? -1 : 1)))
    .slice(0, window.limit);
}

/** Returns the documents of the newest 1000 failed jobs. */
export async function documentsWithFailedJobs(scope: Scope): Promise<string[]> {
  const failed = await listJobs(scope, { statuses: ['failed'] }, { descending: true, limit: 1_000 });
  return [...new Set(failed.map(({ documentId }) => documentId))];
}

/** Counts the jobs of a filter. */
export async function countJobs(scope: Scope, filter: JobFilter): Promise<number> {
  if (Object.keys(filter).length === 0) return countRecords(scope, 'jobs', {});
  const counts = await Promise.all(
    splitByStatus(filter).map(({ condition, hint }) =>
      collection(scope, 'jobs').countDocuments(condition, { ...within(scope), hint }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

// One query per status: an index gives the order only for a single one.
function splitByStatus({ statuses, ...rest }: JobFilter): { condition: Filter<JobRecord>; hint: IndexKey }[] {
  return (statuses ?? [undefined]).map((status) => {
    const filter = { ...rest, ...(status && { status }) };
    const condition = Object.fromEntries(Object.entries(filter).map(([field, value]) => [field, { $eq: value }]));
    return { condition, hint: indexFor(filter) };
  });
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

type IndexKey = Record<string, 1 | -1>;
const ORDER = { seq: -1, _id: -1 } as const;

// Returns the narrowest index that has the order of the list. Most jobs of a type are done, so those are found among
// the jobs of the type, others among those of their status.
function indexFor({
  versionId,
  documentId,
  status,
  type,
}: Omit<JobFilter, 'statuses'> & { status?: JobStatus }): IndexKey {
  if (versionId) return { versionId: 1, ...ORDER };
  if (documentId) return { documentId: 1, ...ORDER };
  if (type && (!status || status === 'done')) return { type: 1, ...ORDER };
  return status ? { status: 1, ...ORDER } : ORDER;
}
