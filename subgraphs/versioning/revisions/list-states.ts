// Pages of what a document has: workspaces, versions, revisions.
import {
  resolveOrder,
  type Page,
  type PageInput,
  page,
  pageSize,
  decodeCursor,
} from '../../core/domain/text/paging.ts';
import { paginateInMemory } from '../../core/domain/text/paginate-in-memory.ts';
import type { Context } from '../../core/graphql.ts';
import { countRevisions, listRevisions } from '../../core/store/revisions.ts';
import type { RevisionRecord, VersionRecord, WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { countVersions, listVersions } from '../../core/store/versions.ts';
import type { Loaders } from '../loaders.ts';

type Reading = Pick<Context<Loaders>, 'scope' | 'loaders'>;

/**
 * A page of the workspaces of a document, the main one first and then by creation unless told otherwise. A document is read with all of them anyway.
 */
export function pageOfWorkspaces(
  all: readonly WorkspaceRecord[],
  input: PageInput<'main' | 'name' | 'createdAt'>,
): Page<WorkspaceRecord> {
  return paginateInMemory(all, input, {
    list: `workspaces:${all[0]?.documentId}`,
    keys: {
      main: ({ main, createdAt }) => (main ? 0 : createdAt.getTime()),
      name: ({ name }) => name,
      createdAt: ({ createdAt }) => createdAt.getTime(),
    },
    idOf: ({ _id }) => _id,
    usual: { sort: 'main', descending: false },
  });
}

const NEWEST_FIRST = { sort: 'createdAt', descending: true } as const;

/** A page of the versions of a document, newest first unless told otherwise: their numbers are the order in which they were made. */
export async function readVersions(
  { scope, loaders }: Reading,
  documentId: string,
  input: PageInput<'number' | 'createdAt'>,
): Promise<Page<VersionRecord>> {
  loaders.versionListAllowance();
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const list = `versions:${documentId}:${descending}`;
  const [after] = decodeCursor(list, input.cursor) ?? [];
  const [found, total] = await Promise.all([
    listVersions(scope, documentId, {
      descending,
      limit: limit + 1,
      after: after === undefined ? undefined : Number(after),
    }),
    input.total ? countVersions(scope, documentId) : null,
  ]);
  for (const version of found) loaders.version.prime(version._id, version);
  return { ...page(found, limit, ({ n }) => [n ?? 0], list), total };
}

/** A page of the revisions of a document, newest first unless told otherwise: the order of their labels is that in which they were released. */
export async function readRevisions(
  { scope, loaders }: Reading,
  documentId: string,
  input: PageInput<'createdAt'>,
): Promise<Page<RevisionRecord>> {
  loaders.versionListAllowance();
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const list = `revisions:${documentId}:${descending}`;
  const [after] = decodeCursor(list, input.cursor) ?? [];
  const [found, total] = await Promise.all([
    listRevisions(scope, documentId, {
      descending,
      limit: limit + 1,
      after: after === undefined ? undefined : Number(after),
    }),
    input.total ? countRevisions(scope, documentId) : null,
  ]);
  return { ...page(found, limit, ({ ordinal }) => [ordinal], list), total };
}
