// Lists jobs.
import { refuseField } from '../core/domain/errors.ts';
import { decodePosition, type PageInput, page, pageSize, resolveOrder } from '../core/domain/text/paging.ts';
import type { Context } from '../core/graphql.ts';
import { findByIdOrNumber } from '../core/store/documents.ts';
import { countJobs, type JobFilter, listJobs } from '../core/store/jobs/job-lists.ts';
import { find } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord, JobStatus, JobType } from '../core/store/schema/collections.ts';
import type { Loaders } from './loaders.ts';
import type { JobPage } from './sources.ts';

type JobPageInput = PageInput<'createdAt'>;
type Input = JobPageInput & {
  versionId?: string | null;
  documentId?: string | null;
  status?: JobStatus | null;
  statuses?: readonly JobStatus[] | null;
  type?: JobType | null;
};

/**
 * Returns a page of jobs, by default newest first, with their total if requested. Takes document ids and numbers.
 * Throws `validation_failed` if the draft, version or document does not exist.
 */
export async function readJobs({ scope }: Pick<Context, 'scope'>, input: Input): Promise<JobPage> {
  const { limit, cursor, total } = input;
  const size = pageSize(limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const filter = await jobFilter(scope, input);
  const list = cursorScope(filter, descending);
  const [found, count] = await Promise.all([
    listJobs(scope, filter, { descending, limit: size + 1, after: decodePosition(list, cursor) }),
    total ? countJobs(scope, filter) : null,
  ]);
  return { ...page(found, size, sortKeyOf, list), total: count };
}

async function jobFilter(scope: Scope, { versionId, documentId, status, statuses, type }: Input): Promise<JobFilter> {
  if (versionId != null && !(await find(scope, 'versions', versionId)))
    refuseField('versionId', 'must be the id of a draft or version');
  const document = documentId == null ? undefined : await findByIdOrNumber(scope, documentId);
  if (document === null) refuseField('documentId', 'must be the id or number of a document');
  const selected = statuses ?? (status ? [status] : []);
  return {
    ...(versionId != null && { versionId }),
    ...(document && { documentId: document._id }),
    ...(selected.length > 0 && { statuses: [...new Set(selected)].sort() }),
    ...(type && { type }),
  };
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
    loaders.assertJobListLimit();
    return readJobs({ scope }, { versionId, ...input });
  }
  const size = pageSize(limit);
  const found = await loaders.firstJobs.load({ id: versionId, limit: size + 1 });
  return { ...page(found, size, sortKeyOf, cursorScope({ versionId }, descending)), total: null };
}

const NEWEST_FIRST = { sort: 'createdAt', descending: true } as const;

function sortKeyOf({ seq, _id }: JobRecord): [number, string] {
  return [seq, _id];
}

function cursorScope(filter: JobFilter, descending: boolean): string {
  return `jobs:${JSON.stringify([filter, descending])}`;
}
