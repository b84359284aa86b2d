import type { Filter, Sort } from 'mongodb';
import { notFound } from '../domain/errors.ts';
import { type Search, searchableText } from '../domain/text/search.ts';
import { foldForSearch } from '../domain/text/text.ts';
import { startAfter } from './query/page-request.ts';
import { readRecords } from './query/read-records.ts';
import { change, lock } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { DocumentKind, DocumentRecord } from './schema/collections.ts';

/** A document by its id or its number, the number in any case. Refuses with `not_found`. */
export async function getByIdOrNumber(scope: Scope, idOrNumber: string): Promise<DocumentRecord> {
  const found = await findByIdOrNumber(scope, idOrNumber);
  if (!found) throw notFound('document', idOrNumber);
  return found;
}

/** The same, or null. */
export function findByIdOrNumber(scope: Scope, idOrNumber: string): Promise<DocumentRecord | null> {
  const filter = idOrNumber.includes('_')
    ? { _id: { $eq: idOrNumber } }
    : { number: { $eq: idOrNumber.trim().toUpperCase() } };
  return collection(scope, 'documents').findOne(filter, within(scope));
}

/** The document, locked for a decision. Refuses with `not_found`. */
export async function lockDocument(work: Write, idOrNumber: string): Promise<DocumentRecord> {
  const { _id } = await getByIdOrNumber(work, idOrNumber);
  return lock(work, 'documents', _id);
}

/** Marks the document as changed by this command's actor, now. */
export function touchDocument(work: Write, id: string): Promise<DocumentRecord> {
  return change(work, 'documents', id, { updatedAt: work.now, updatedBy: work.actor.id });
}

/** A new document record; its number must have been taken. */
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

/** What search looks at: the folded name, and the words of number, name and description. */
export function searchFields(
  fields: Pick<DocumentRecord, 'number' | 'name' | 'description'>,
): Pick<DocumentRecord, 'nameKey' | 'words' | 'text'> {
  return { nameKey: foldForSearch(fields.name), ...searchableText(fields.number, fields.name, fields.description) };
}

export type DocumentSort = 'number' | 'name' | 'createdAt' | 'updatedAt';
/** Which documents a list holds: `folderIds` null = every folder, a list may contain null for Unfiled. */
export type DocumentFilter = { folderIds: (string | null)[] | null; kind?: DocumentKind; includeArchived: boolean };
/** One way to answer a search; `word`: the documents hold this one, the longest, by which they can be found. */
export type SearchTier = { filter: Filter<DocumentRecord>; word?: string | undefined };
/** The place of the last document already seen. */
export type DocumentPosition = { value: string | number; id: string };

const SORT_FIELD: Record<DocumentSort, keyof DocumentRecord> = {
  number: 'number',
  name: 'nameKey',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};

/** The value a document is sorted by, as it stands in a cursor. */
export function sortValue(document: DocumentRecord, sort: DocumentSort): string | number {
  const value = document[SORT_FIELD[sort]];
  return value instanceof Date ? value.getTime() : String(value);
}

/**
 * A page of documents after a place, in the order of one field and the id; a number is one document's alone and needs no id.
 * `tier` is an additional condition (search).
 */
export async function listDocuments(
  scope: Scope,
  filter: DocumentFilter,
  {
    sort,
    descending,
    limit,
    after,
    tier = EVERY,
  }: { sort: DocumentSort; descending: boolean; limit: number; after?: DocumentPosition; tier?: SearchTier },
): Promise<DocumentRecord[]> {
  const field = SORT_FIELD[sort];
  const direction = descending ? -1 : 1;
  const value = after && (sort === 'createdAt' || sort === 'updatedAt' ? new Date(after.value) : after.value);
  const place = after && { value: value as string | Date, id: after.id };
  const ofOneAlone = sort === 'number';
  const further = { [field]: { [descending ? '$lt' : '$gt']: value } } as Filter<DocumentRecord>;
  const later = ofOneAlone ? (after ? [further] : []) : startAfter<DocumentRecord>(field, { descending, after: place });
  const order = { [field]: direction, ...(ofOneAlone ? {} : { _id: direction }) } as Sort;
  const few = tier.word !== undefined && (await isOfFew(scope, tier.word));
  const found = await Promise.all(
    (few ? [conditions(filter)] : inOrderOf(filter)).map((part) =>
      collection(scope, 'documents')
        .find({ $and: [part, tier.filter, ...later] }, { ...within(scope), ...(few ? BY_WORDS : {}) })
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

const EVERY: SearchTier = { filter: {} };
const BY_WORDS = { hint: { words: 1 } } as const;
const FEW = 1_000;

// Few that hold a word are found by it and put in order; of more, a page is met soon in the order of the list.
async function isOfFew(scope: Scope, word: string): Promise<boolean> {
  const options = { ...within(scope), ...BY_WORDS, limit: FEW + 1, projection: { _id: 1 } };
  const holding = { words: { $elemMatch: startsWith(word) } } as Filter<DocumentRecord>;
  return (await collection(scope, 'documents').find(holding, options).toArray()).length <= FEW;
}

const compareValues = <V extends string | number>(a: V, b: V): number => (a < b ? -1 : Number(a > b));

// Of a folder or a kind an index has the archived ones and the others each in their order, but not all of them: as many are read of each as are wanted.
function inOrderOf(filter: DocumentFilter): Filter<DocumentRecord>[] {
  const narrowed = filter.folderIds?.length === 1 || filter.kind;
  if (!filter.includeArchived || !narrowed) return [conditions(filter)];
  return [false, true].map((archived) => ({ ...conditions(filter), archived }));
}

export async function countDocuments(scope: Scope, filter: DocumentFilter, tier: SearchTier = EVERY): Promise<number> {
  const asked = { $and: [conditions(filter), tier.filter] };
  const few = tier.word !== undefined && (await isOfFew(scope, tier.word));
  return collection(scope, 'documents').countDocuments(asked, { ...within(scope), ...(few ? BY_WORDS : {}) });
}

function conditions({ folderIds, kind, includeArchived }: DocumentFilter): Filter<DocumentRecord> {
  return {
    ...(folderIds ? { folderId: folderIds.length === 1 ? { $eq: folderIds[0]! } : { $in: folderIds } } : {}),
    ...(kind ? { kind } : {}),
    ...(includeArchived ? {} : { archived: false }),
  };
}

/**
 * The ways a document can answer a search, best first; each excludes those before it: exact number, number prefix, name prefix,
 * every word a prefix of one of the document's words. A search with quoted phrases has one way: it holds all words and each phrase.
 */
export function searchTiers({ text, words, phrases }: Search): SearchTier[] {
  const number = text.toUpperCase();
  // the longest first, by which the fewest are found
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const holdsWords = words.length
    ? [{ $and: longestFirst.map((word) => ({ words: { $elemMatch: startsWith(word) } })) }]
    : [];
  const [word] = longestFirst;
  if (phrases.length) {
    const holdsPhrases = phrases.map((phrase) => ({ text: { $regex: `(^|[ \n])${phrase}($|[ \n])` } }));
    return [{ filter: { $and: [...holdsWords, ...holdsPhrases] } as Filter<DocumentRecord>, word }];
  }
  const tiers = [
    { number: { $eq: number } },
    { number: startsWith(number) },
    { nameKey: startsWith(foldForSearch(text)) },
    ...holdsWords,
  ] as Filter<DocumentRecord>[];
  return tiers.map((tier, i) => ({
    filter: i ? ({ $and: [tier], $nor: tiers.slice(0, i) } as Filter<DocumentRecord>) : tier,
    word: i === tiers.length - 1 ? word : undefined,
  }));
}

const startsWith = (text: string) => ({ $gte: text, $lt: `${text}\u{10ffff}` });

/** Documents directly inside each folder, archived ones not counted. */
export async function countByFolder(scope: Scope): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  // one field of each is sent and counted here: to group them, a store takes each of the records apart
  const found = await readRecords<Pick<DocumentRecord, 'folderId'>, 'documents'>(
    scope,
    'documents',
    { archived: false },
    { _id: 0, folderId: 1 },
  );
  for (const { folderId } of found) if (folderId) counts.set(folderId, (counts.get(folderId) ?? 0) + 1);
  return counts;
}

/** Whether any document, archived or not, lies directly in the folder. */
export async function folderHoldsDocuments(scope: Scope, folderId: string): Promise<boolean> {
  return (
    (await collection(scope, 'documents').findOne(
      { folderId: { $eq: folderId } },
      { projection: { _id: 1 }, ...within(scope) },
    )) !== null
  );
}
