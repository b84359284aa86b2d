// Lists and searches documents.
import { refuse, refuseField } from '../core/domain/errors.ts';
import { subtreeIds } from '../core/domain/folder-tree.ts';
import { decodeCursor, encodeCursor, page, pageSize } from '../core/domain/text/paging.ts';
import { parseSearch } from '../core/domain/text/search.ts';
import type { Context } from '../core/graphql.ts';
import {
  countDocuments,
  type DocumentFilter,
  type DocumentSort,
  formerlyReleasedIds,
  listDocuments as readPage,
  sortValue,
} from '../core/store/documents.ts';
import { allFolders } from '../core/store/folders.ts';
import { documentsWithFailedJobs } from '../core/store/jobs/job-lists.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { DocumentKind, DocumentRecord } from '../core/store/schema/collections.ts';
import { searchTiers } from '../core/store/search-tiers.ts';
import { assertUser } from '../core/store/users.ts';
import { currentReservations } from '../core/store/workspaces.ts';
import type { Loaders } from './loaders.ts';

type Input = {
  q?: string | null;
  folderId?: string | null;
  recursive?: boolean | null;
  kind?: DocumentKind | null;
  createdBy?: string | null;
  includeArchived?: boolean | null;
  released?: boolean | null;
  reserved?: 'me' | 'others' | 'anyone' | null;
  failedJobs?: boolean | null;
  updatedFrom?: Date | null;
  updatedBefore?: Date | null;
  sort?: DocumentSort | null;
  descending?: boolean | null;
  limit?: number | null;
  cursor?: string | null;
  total?: boolean | null;
};

export type DocumentPage = { items: DocumentRecord[]; nextCursor: string | null; total: number | null };

/**
 * Returns a page of documents, by default the most recently updated first. Search results come in tiers (exact number,
 * number prefix, name prefix, words), each in the requested order. A cursor contains the tier and the position in it.
 */
export async function listDocuments(
  context: Pick<Context, 'scope' | 'services' | 'request'>,
  input: Input,
): Promise<DocumentPage> {
  const { scope } = context;
  const limit = pageSize(input.limit);
  const sort = input.sort ?? 'updatedAt';
  const descending = input.descending ?? !input.sort;
  const filter = await createFilter(context, input);
  const search = parseSearch(input.q);
  if (input.q?.trim() && search?.words.length === 0 && !search.text)
    refuse('validation_failed', 'q must contain at least one letter or digit.');
  const tiers = search ? searchTiers(search) : [undefined];
  const list = `documents:${search ? search.text : ''}:${sort}:${descending}`;

  const position = decodeCursor(list, input.cursor);
  const found: { document: DocumentRecord; tier: number }[] = [];
  for (let tier = Number(position?.[0] ?? 0); tier < tiers.length && found.length <= limit; tier++) {
    const after = position && tier === position[0] ? { value: position[1] ?? '', id: String(position[2]) } : undefined;
    const documents = await readPage(scope, filter, {
      sort,
      descending,
      limit: limit + 1 - found.length,
      after,
      tier: tiers[tier],
    });
    found.push(...documents.map((document) => ({ document, tier })));
  }

  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor =
    found.length > limit && last
      ? encodeCursor(list, [last.tier, sortValue(last.document, sort), last.document._id])
      : null;
  const counts = input.total ? await Promise.all(tiers.map((tier) => countDocuments(scope, filter, tier))) : null;
  return {
    items: items.map(({ document }) => document),
    nextCursor,
    total: counts?.reduce((sum, count) => sum + count, 0) ?? null,
  };
}

/** Returns a page of the documents directly in a folder. First pages of many folders are one query. */
export async function readDocumentsOfFolder(
  context: Pick<Context<Loaders>, 'scope' | 'loaders' | 'services' | 'request'>,
  folderId: string,
  input: Pick<Input, 'kind' | 'includeArchived' | 'sort' | 'descending' | 'limit' | 'cursor' | 'total'>,
): Promise<DocumentPage> {
  const { loaders } = context;
  const { kind, includeArchived, sort, descending, cursor, total } = input;
  if (kind || includeArchived || sort || descending === false || cursor != null || total) {
    loaders.assertDocumentPageLimit();
    return listDocuments(context, { ...input, folderId });
  }
  const limit = pageSize(input.limit);
  const newest = await loaders.firstDocumentsOfFolder.load({ id: folderId, limit: limit + 1 });
  return {
    ...page(newest, limit, (document) => [0, sortValue(document, 'updatedAt'), document._id], FIRST_PAGE),
    total: null,
  };
}

// the list of the default order, as `listDocuments` names it
const FIRST_PAGE = 'documents::updatedAt:true';

async function createFilter(
  context: Pick<Context, 'scope' | 'services' | 'request'>,
  input: Input,
): Promise<DocumentFilter> {
  const { scope } = context;
  const { folderId, recursive, kind, createdBy, includeArchived, released, updatedFrom, updatedBefore } = input;
  await assertUser(scope, 'createdBy', createdBy);
  return {
    folderIds: await resolveFolderIds(scope, folderId, recursive),
    kind: kind ?? undefined,
    createdBy: createdBy ?? undefined,
    includeArchived: includeArchived ?? false,
    ids: await resolveIds(context, input),
    released: released == null ? undefined : { has: released, formerlyReleased: await formerlyReleasedIds(scope) },
    updatedFrom: updatedFrom ?? undefined,
    updatedBefore: updatedBefore ?? undefined,
  };
}

// the documents with a reservation and with a failed job, if either is requested; few documents have one
async function resolveIds(
  { scope, services, request: { actor } }: Pick<Context, 'scope' | 'services' | 'request'>,
  { reserved, failedJobs }: Input,
): Promise<string[] | undefined> {
  const failed = failedJobs ? await documentsWithFailedJobs(scope) : undefined;
  if (!reserved) return failed;
  const reservations = (await currentReservations(scope, services.clock())).filter(
    ({ userId }) => reserved === 'anyone' || (userId === actor.id) === (reserved === 'me'),
  );
  const ids = new Set(reservations.map(({ documentId }) => documentId));
  return failed ? failed.filter((id) => ids.has(id)) : [...ids];
}

async function resolveFolderIds(
  scope: Scope,
  folderId: string | null | undefined,
  recursive: boolean | null | undefined,
): Promise<(string | null)[] | null> {
  if (folderId == null) return null;
  if (folderId === 'unfiled') return [null];
  const folders = await allFolders(scope);
  if (!folders.has(folderId)) refuseField('folderId', 'must be `unfiled` or the id of a folder');
  return recursive ? subtreeIds(folders.values(), folderId) : [folderId];
}
