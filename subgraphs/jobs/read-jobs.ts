import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import type { Context } from '../core/graphql.ts';
import type { JobRecord } from '../core/store/collections.ts';
import { countJobs, type JobFilter, listJobs } from '../core/store/job-lists.ts';
import type { JobPage } from './sources.ts';

type Nullable<T> = { [K in keyof T]?: T[K] | null };
type Input = Nullable<JobFilter> & { limit?: number | null; cursor?: string | null; total?: boolean | null };

/** A page of jobs, newest first, with their number if it is asked for. */
export async function readJobs({ scope }: Pick<Context, 'scope'>, { limit, cursor, total, ...asked }: Input): Promise<JobPage> {
  const size = pageSize(limit);
  const filter = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null && value !== undefined)) as JobFilter;
  const list = `jobs:${JSON.stringify(filter)}`;
  const [seq, id] = readCursor(list, cursor) ?? [];
  const [found, count] = await Promise.all([
    listJobs(scope, filter, { limit: size + 1, before: seq === undefined ? undefined : { seq: Number(seq), id: String(id ?? '') } }),
    total ? countJobs(scope, filter) : null,
  ]);
  return { ...page(found, size, placeOf, list), total: count };
}

function placeOf({ seq, _id }: JobRecord): [number, string] {
  return [seq, _id];
}
