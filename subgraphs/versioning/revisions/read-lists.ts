// Lists the workspaces, versions and revisions of a document.

import { paginateInMemory } from '../../core/domain/text/paginate-in-memory.ts';
import {
  decodeCursor,
  type Page,
  type PageInput,
  page,
  pageSize,
  resolveOrder,
} from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { countRevisions, listRevisions } from '../../core/store/revisions.ts';
import type { RevisionRecord, VersionRecord, WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { countVersions, listVersions } from '../../core/store/versions.ts';
import type { Loaders } from '../loaders.ts';

type ReadContext = Pick<Context<Loaders>, 'scope' | 'loaders'>;

/**
 * Returns a page of a document's workspaces, by default the main one first, then by creation. They are sorted in
 * memory.
 */
export function readWorkspaces(
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
    defaultOrder: { sort: 'main', descending: false },
  });
}

const NEWEST_FIRST = { sort: 'createdAt', descending: true } as const;

/**
 * Returns a page of a document's versions, by default newest first. Sorting by number or creation is the same order.
 */
export async function readVersions(
  { scope, loaders }: ReadContext,
  documentId: string,
  input: PageInput<'number' | 'createdAt'>,
): Promise<Page<VersionRecord>> {
  loaders.assertVersionListLimit();
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

/** Returns a page of a document's revisions, by default newest first, ordered by ordinal. */
export async function readRevisions(
  { scope, loaders }: ReadContext,
  documentId: string,
  input: PageInput<'createdAt'>,
): Promise<Page<RevisionRecord>> {
  loaders.assertVersionListLimit();
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
