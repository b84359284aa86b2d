// Lists jobs.
import { decodePosition, type PageInput, page, pageSize, resolveOrder } from '../core/domain/text/paging.ts';
import type { Context } from '../core/graphql.ts';
import { getByIdOrNumber } from '../core/store/documents.ts';
import { countJobs, type JobFilter, listJobs } from '../core/store/jobs/job-lists.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import type { Loaders } from './loaders.ts';
import type { JobPage } from './sources.ts';

type Nullable<T> = { [K in keyof T]?: T[K] | null };
type JobPageInput = PageInput<'createdAt'>;

/** Returns a page of jobs, by default newest first, with their total if requested. Takes document ids and numbers. */
export async function readJobs(
  { scope }: Pick<Context, 'scope'>,
  input: Nullable<JobFilter> & JobPageInput,
): Promise<JobPage> {
  const { sort, descending: _, limit, cursor, total, ...filters } = input;
  const size = pageSize(limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const filter = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== null && value !== undefined),
  ) as JobFilter;
  if (filter.documentId) filter.documentId = await documentIdOf(scope, filter.documentId);
  const list = cursorScope(filter, descending);
  const [found, count] = await Promise.all([
    listJobs(scope, filter, { descending, limit: size + 1, after: decodePosition(list, cursor) }),
    total ? countJobs(scope, filter) : null,
  ]);
  return { ...page(found, size, sortKeyOf, list), total: count };
}

/** Returns a page of the jobs of a draft or version, by default newest first. First pages of many are one query. */
export async function readJobsOfVersion(
  { scope, loaders }: Pick<Context<Loaders>, 'scope' | 'loaders'>,
  versionId: string,
  input: JobPageInput,
): Promise<JobPage> {
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const { limit, cursor, total } = input;
  // Only first pages can be batched.
  if (cursor != null || total || !descending) {
    loaders.countJobList();
    return readJobs({ scope }, { versionId, ...input });
  }
  const size = pageSize(limit);
  const found = await loaders.firstJobs.load({ id: versionId, limit: size + 1 });
  return { ...page(found, size, sortKeyOf, cursorScope({ versionId }, descending)), total: null };
}

// Jobs store document ids; an unknown id matches none.
async function documentIdOf(scope: Scope, idOrNumber: string): Promise<string> {
  return idOrNumber.includes('_') ? idOrNumber : (await getByIdOrNumber(scope, idOrNumber))._id;
}

const NEWEST_FIRST = { sort: 'createdAt', descending: true } as const;

function sortKeyOf({ seq, _id }: JobRecord): [number, string] {
  return [seq, _id];
}

function cursorScope(filter: JobFilter, descending: boolean): string {
  return `jobs:${JSON.stringify([filter, descending])}`;
}
