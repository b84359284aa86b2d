// Documents: lookup and lists.
import type { Filter, Sort } from 'mongodb';
import { notFound } from '../domain/errors.ts';
import { searchableText } from '../domain/text/search.ts';
import { foldForSearch } from '../domain/text/text.ts';
import { startAfter } from './query/page-request.ts';
import { readRecords } from './query/read-records.ts';
import { change, find, lock } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { CollectionName, DocumentKind, DocumentRecord } from './schema/collections.ts';
import type { IndexRange, SearchTier } from './search-tiers.ts';

/** Returns a document by id or number (case-insensitive). Throws `not_found`. */
export async function getByIdOrNumber(scope: Scope, idOrNumber: string): Promise<DocumentRecord> {
  const found = await findByIdOrNumber(scope, idOrNumber);
  if (!found) throw notFound('document', idOrNumber);
  return found;
}

/** Returns a document by id or number, or null. */
export function findByIdOrNumber(scope: Scope, idOrNumber: string): Promise<DocumentRecord | null> {
  // ids contain an underscore, numbers do not
  if (idOrNumber.includes('_')) return find(scope, 'documents', idOrNumber);
  return collection(scope, 'documents').findOne({ number: { $eq: idOrNumber.trim().toUpperCase() } }, within(scope));
}

/** Returns the document, locked. Throws `not_found`. */
export async function lockDocument(work: Write, idOrNumber: string): Promise<DocumentRecord> {
  const { _id } = await getByIdOrNumber(work, idOrNumber);
  return lock(work, 'documents', _id);
}

/** Sets the time and user of the last change. */
export function touchDocument(work: Write, id: string): Promise<DocumentRecord> {
  return change(work, 'documents', id, { updatedAt: work.now, updatedBy: work.actor.id });
}

/** Returns a new document record; its number must have been claimed. */
export function documentRecord(
  work: Write,
  fields: Pick<DocumentRecord, '_id' | 'number' | 'name' | 'kind' | 'description' | 'folderId' | 'copiedFrom'>,
): DocumentRecord {
  return {
    ...fields,
    ...searchFields(fields),
    archived: false,
    lastVersion: 0,
    lastRevision: 0,
    lock: 0,
    createdAt: work.now,
    createdBy: work.actor.id,
    updatedAt: work.now,
    updatedBy: work.actor.id,
  };
}

/** Returns the fields for search: the folded name, and the words of number, name and description. */
export function searchFields(
  fields: Pick<DocumentRecord, 'number' | 'name' | 'description'>,
): Pick<DocumentRecord, 'nameKey' | 'words' | 'text'> {
  return { nameKey: foldForSearch(fields.name), ...searchableText(fields.number, fields.name, fields.description) };
}

export type DocumentSort = 'number' | 'name' | 'createdAt' | 'updatedAt';
/** Filters a list: `folderIds` null means every folder; a list may contain null for documents without a folder. */
export type DocumentFilter = {
  folderIds: (string | null)[] | null;
  kind?: DocumentKind;
  createdBy?: string;
  includeArchived: boolean;
  /** Only these documents, e.g. those with a reservation. */
  ids?: readonly string[];
  /** Whether the document has a revision; `formerlyReleased` are those whose releases were all taken back. */
  released?: { has: boolean; formerlyReleased: readonly string[] };
  updatedFrom?: Date;
  updatedBefore?: Date;
};
/** The position of the last document of a page. */
export type DocumentPosition = { value: string | number; id: string };

const SORT_FIELD: Record<DocumentSort, keyof DocumentRecord> = {
  number: 'number',
  name: 'nameKey',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};

/** Returns the value a document is sorted by, in the form used in cursors. */
export function sortValue(document: DocumentRecord, sort: DocumentSort): string | number {
  const value = document[SORT_FIELD[sort]];
  return value instanceof Date ? value.getTime() : String(value);
}

/**
 * Returns a page of documents sorted by one field and the id. Numbers are unique and need no id. `tier` is an
 * additional search condition.
 */
export async function listDocuments(
  scope: Scope,
  filter: DocumentFilter,
  {
    sort,
    descending,
    limit,
    after,
    tier = MATCH_ALL,
  }: { sort: DocumentSort; descending: boolean; limit: number; after?: DocumentPosition; tier?: SearchTier },
): Promise<DocumentRecord[]> {
  const field = SORT_FIELD[sort];
  const direction = descending ? -1 : 1;
  const value = after && (sort === 'createdAt' || sort === 'updatedAt' ? new Date(after.value) : after.value);
  const position = after && { value: value as string | Date, id: after.id };
  const isUnique = sort === 'number';
  const beyond = { [field]: { [descending ? '$lt' : '$gt']: value } } as Filter<DocumentRecord>;
  const uniqueStart = after ? [beyond] : [];
  const start = isUnique ? uniqueStart : startAfter<DocumentRecord>(field, { descending, after: position });
  const order = { [field]: direction, ...(isUnique ? {} : { _id: direction }) } as Sort;
  const inOrder = tier.range && field in tier.range.index ? tier.range : null;
  const rare = await rareRange(scope, filter, inOrder ? MATCH_ALL : tier);
  const ranges = [inOrder, rare].flatMap((range) => range?.filter ?? []);
  const period = periodConditions(filter, sort === 'updatedAt');
  const found = await Promise.all(
    (rare ? [conditions(filter)] : splitByArchived(filter)).map((part) =>
      collection(scope, 'documents')
        .find(
          { $and: [part, ...period, tier.filter, ...ranges, ...start] },
          { ...within(scope), ...(rare && { hint: rare.index }) },
        )
        .sort(order)
        .limit(limit)
        .toArray(),
    ),
  );
  if (found.length === 1) return found[0]!;
  const compare = (a: DocumentRecord, b: DocumentRecord) =>
    compareValues(sortValue(a, sort), sortValue(b, sort)) || compareValues(a._id, b._id);
  return found
    .flat()
    .sort((a, b) => direction * compare(a, b))
    .slice(0, limit);
}

/** Returns the documents of several folders that were updated last, at most `limit` of each, without archived ones. */
export async function newestInFolders(
  scope: Scope,
  folderIds: readonly string[],
  limit: number,
): Promise<DocumentRecord[]> {
  const from: CollectionName = 'documents';
  const pipeline = [{ $match: { archived: false } }, { $sort: { updatedAt: -1, _id: -1 } }, { $limit: limit }];
  const found = await collection(scope, 'folders')
    .aggregate<{ documents: DocumentRecord[] }>(
      [
        { $match: { _id: { $in: folderIds } } },
        { $project: { _id: 1 } },
        { $lookup: { from, localField: '_id', foreignField: 'folderId', pipeline, as: 'documents' } },
      ],
      within(scope),
    )
    .toArray();
  return found.flatMap(({ documents }) => documents);
}

const MATCH_ALL: SearchTier = { filter: {} };
const EVER_RELEASED: Filter<DocumentRecord> = { lastRevision: { $gt: 0 } };
const RELEASED_RANGE: IndexRange = { filter: EVER_RELEASED, index: { lastRevision: 1 } };
const MAX_RARE = 4_000;

// Few documents are found by what they have in common and then sorted; if many have it, a scan in list order soon fills
// a page.
async function rareRange(
  scope: Scope,
  { ids, released }: DocumentFilter,
  { range }: SearchTier,
): Promise<IndexRange | null> {
  if (ids) return { filter: {}, index: { _id: 1 } };
  if (range && (await isRare(scope, range))) return range;
  return released?.has && (await isRare(scope, RELEASED_RANGE)) ? RELEASED_RANGE : null;
}

async function isRare(scope: Scope, { filter, index }: IndexRange): Promise<boolean> {
  const options = { ...within(scope), hint: index, limit: MAX_RARE + 1 };
  return (await collection(scope, 'documents').countDocuments(filter, options)) <= MAX_RARE;
}

/** Returns the documents whose releases were all taken back. */
export async function formerlyReleasedIds(scope: Scope): Promise<string[]> {
  const documents = await readRecords<Pick<DocumentRecord, '_id'>, 'documents'>(
    scope,
    'documents',
    { takenBackLabels: { $gt: '' } },
    { _id: 1 },
  );
  const ids = documents.map(({ _id }) => _id);
  const released = new Set(
    ids.length ? await collection(scope, 'revisions').distinct('documentId', { documentId: { $in: ids } }) : [],
  );
  return ids.filter((id) => !released.has(id));
}

const compareValues = <V extends string | number>(a: V, b: V): number => (a < b ? -1 : Number(a > b));

// The indexes for a folder or kind have archived and other documents in separate ranges, so that each range is read in
// order and the results are merged.
function splitByArchived(filter: DocumentFilter): Filter<DocumentRecord>[] {
  const narrowed = filter.folderIds?.length === 1 || filter.kind;
  if (!filter.includeArchived || !narrowed) return [conditions(filter)];
  return [false, true].map((archived) => ({ ...conditions(filter), archived }));
}

export async function countDocuments(
  scope: Scope,
  filter: DocumentFilter,
  tier: SearchTier = MATCH_ALL,
): Promise<number> {
  const range = tier.range?.filter ?? {};
  const condition = { $and: [conditions(filter), ...periodConditions(filter, true), tier.filter, range] };
  const rare = await rareRange(scope, filter, tier);
  return collection(scope, 'documents').countDocuments(condition, {
    ...within(scope),
    ...(rare && { hint: rare.index }),
  });
}

function conditions(filter: DocumentFilter): Filter<DocumentRecord> {
  const { folderIds, kind, createdBy, includeArchived } = filter;
  return {
    ...identityConditions(filter),
    ...(folderIds ? { folderId: folderIds.length === 1 ? { $eq: folderIds[0]! } : { $in: folderIds } } : {}),
    ...(kind ? { kind } : {}),
    ...(createdBy ? { createdBy: { $eq: createdBy } } : {}),
    ...(includeArchived ? {} : { archived: false }),
  };
}

// In a list of another order the period is negated, so that the list is read in its order instead of sorting the period.
function periodConditions({ updatedFrom, updatedBefore }: DocumentFilter, isOrder: boolean): Filter<DocumentRecord>[] {
  const before = (date: Date): Filter<DocumentRecord> => ({ updatedAt: { $lt: date } });
  const from = (date: Date): Filter<DocumentRecord> => ({ updatedAt: { $gte: date } });
  return [
    ...(updatedFrom ? [isOrder ? from(updatedFrom) : { $nor: [before(updatedFrom)] }] : []),
    ...(updatedBefore ? [isOrder ? before(updatedBefore) : { $nor: [from(updatedBefore)] }] : []),
  ];
}

function identityConditions({ ids, released }: DocumentFilter): Filter<DocumentRecord> {
  const { has, formerlyReleased = [] } = released ?? {};
  return {
    ...(ids ? { _id: { $in: [...ids] } } : {}),
    ...(has === true
      ? { ...EVER_RELEASED, ...(formerlyReleased.length ? { $nor: [{ _id: { $in: [...formerlyReleased] } }] } : {}) }
      : {}),
    ...(has === false ? { $or: [{ $nor: [EVER_RELEASED] }, { _id: { $in: [...formerlyReleased] } }] } : {}),
  };
}

/** Counts the documents directly in each folder, without archived ones. */
export async function countByFolder(scope: Scope): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  // sends one field of each document and counts here, because grouping makes a store decode whole records
  const found = await readRecords<Pick<DocumentRecord, 'folderId'>, 'documents'>(
    scope,
    'documents',
    { archived: false },
    { _id: 0, folderId: 1 },
  );
  for (const { folderId } of found) if (folderId) counts.set(folderId, (counts.get(folderId) ?? 0) + 1);
  return counts;
}

/** Returns whether the folder directly contains a document, archived or not. */
export async function hasDocuments(scope: Scope, folderId: string): Promise<boolean> {
  return (
    (await collection(scope, 'documents').findOne(
      { folderId: { $eq: folderId } },
      { projection: { _id: 1 }, ...within(scope) },
    )) !== null
  );
}
