import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import type { Context } from '../core/graphql.ts';
import type { JobRecord } from '../core/store/collections.ts';
import { countJobs, type JobFilter, listJobs } from '../core/store/job-lists.ts';
import type { Loaders } from './loaders.ts';
import type { JobPage } from './sources.ts';

type Nullable<T> = { [K in keyof T]?: T[K] | null };
type Input = Nullable<JobFilter> & { limit?: number | null; cursor?: string | null; total?: boolean | null };

/** A page of jobs, newest first, with their number if it is asked for. */
export async function readJobs({ scope }: Pick<Context, 'scope'>, { limit, cursor, total, ...asked }: Input): Promise<JobPage> {
  const size = pageSize(limit);
  const filter = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null && value !== undefined)) as JobFilter;
  const list = listOf(filter);
  const [seq, id] = readCursor(list, cursor) ?? [];
  const [found, count] = await Promise.all([
    listJobs(scope, filter, { limit: size + 1, before: seq === undefined ? undefined : { seq: Number(seq), id: String(id ?? '') } }),
    total ? countJobs(scope, filter) : null,
  ]);
  return { ...page(found, size, placeOf, list), total: count };
}

/** A page of the jobs of a draft or version, newest first; the first pages of many of them are one query. */
export async function readJobsOfVersion(
  { scope, loaders }: Pick<Context<Loaders>, 'scope' | 'loaders'>,
  versionId: string,
  { limit, cursor }: Pick<Input, 'limit' | 'cursor'>,
): Promise<JobPage> {
  // A cursor is of one list alone: there is nothing to read together.
  if (cursor) return readJobs({ scope }, { versionId, limit, cursor });
  const size = pageSize(limit);
  const found = await loaders.firstJobs.load({ versionId, limit: size + 1 });
  return { ...page(found, size, placeOf, listOf({ versionId })), total: null };
}

function placeOf({ seq, _id }: JobRecord): [number, string] {
  return [seq, _id];
}

function listOf(filter: JobFilter): string {
  return `jobs:${JSON.stringify(filter)}`;
}
