// Where-used: lines of drafts and versions, found by their address or by the version they were frozen to, newest first.
import type { Filter } from 'mongodb';
import type { AddressAt } from '../../domain/assembly/address.ts';
import type { UseScope } from '../../domain/assembly/where-used.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { CollectionName, ReferenceRecord } from '../schema/collections.ts';
import { inChunks } from './resolve-references.ts';

/** Which referring versions to include: those in this scope, and drafts if `drafts`. */
export type ReferrerFilter = { scope: UseScope; drafts: boolean };

/** A filter with equality conditions only, which an index answers in id order. */
export type IndexRange = Filter<ReferenceRecord>;

/** Returns the ranges of all lines that refer to a document by its number or id, in any state. */
export function rangesOfDocument(targets: readonly string[], referrers: ReferrerFilter): IndexRange[] {
  return targets.flatMap((target) => referrerRanges(referrers).map((range) => ({ target, ...range })));
}

/** Returns the ranges of the lines that were frozen to a version. */
export function rangesOfFrozen(versionId: string, scope: UseScope): IndexRange[] {
  return frozenRanges(scope).map((range) => ({ 'frozen.versionId': versionId, ...range }));
}

// Returns the ranges of frozen lines, without the version that they were frozen to.
function frozenRanges(scope: UseScope): IndexRange[] {
  const released = scope === 'released' ? { released: true } : {};
  return placesOf(scope).map((place) => ({ place, ...released }));
}

/** Returns the ranges of the draft lines that refer to one state of a document. */
export function rangesOfDrafts(targets: readonly string[], at: AddressAt): IndexRange[] {
  const [label, n] = [at.as === 'revision' ? at.label : null, at.as === 'version' ? at.n : null];
  return targets.map((target) => ({ target, 'at.label': label, 'at.n': n, place: 'draft' as const }));
}

/** The maximum number of paths per use in a response. */
export const MAX_PATHS = 100;
// one more, to detect that there are more
const WITH_SOME_PATHS = { occurrences: { $slice: MAX_PATHS + 1 } };
const LINK_FIELDS = { documentId: 1, target: 1, place: 1 } as const;

/** Returns a page of the lines in the ranges, by default newest first. Reads at most `limit` lines of each range. */
export async function linesIn(
  scope: Scope,
  ranges: readonly IndexRange[],
  { limit, after, descending = true }: { limit: number; after?: string; descending?: boolean },
): Promise<ReferenceRecord[]> {
  const direction = descending ? -1 : 1;
  const start = after === undefined ? {} : { _id: descending ? { $lt: after } : { $gt: after } };
  const found = await inEach(ranges, (range) =>
    collection(scope, 'references')
      .find({ ...range, ...start } as IndexRange, { projection: WITH_SOME_PATHS, ...within(scope) })
      .sort({ _id: direction })
      .limit(limit)
      .toArray(),
  );
  return found.sort((a, b) => direction * compareText(a._id, b._id)).slice(0, limit);
}

/** Returns the newest lines that refer to several documents, at most `limit` of each, newest first. */
export async function linesOfDocuments(
  scope: Scope,
  documentIds: readonly string[],
  referrers: ReferrerFilter,
  limit: number,
): Promise<Map<string, ReferenceRecord[]>> {
  const references: CollectionName = 'references';
  const lookups = (['_id', 'number'] as const).flatMap((localField) =>
    referrerRanges(referrers).map((range, at) => {
      const pipeline = [
        { $match: range },
        { $sort: { _id: -1 } },
        { $limit: limit },
        { $set: { occurrences: { $slice: ['$occurrences', MAX_PATHS + 1] } } },
      ];
      return { $lookup: { from: references, localField, foreignField: 'target', pipeline, as: `${localField}${at}` } };
    }),
  );
  const found = await collection(scope, 'documents')
    .aggregate<Record<string, ReferenceRecord[]> & { _id: string; number: string }>(
      [{ $match: { _id: { $in: documentIds } } }, { $project: { number: 1 } }, ...lookups],
      within(scope),
    )
    .toArray();
  return new Map(
    found.map(({ _id, number: _number, ...lines }) => [
      _id,
      Object.values(lines)
        .flat()
        .sort((a, b) => compareText(b._id, a._id))
        .slice(0, limit),
    ]),
  );
}

/** Counts the lines of the ranges. */
export async function countLines(scope: Scope, ranges: readonly IndexRange[]): Promise<number> {
  const counts = await Promise.all(
    ranges.map((range) => collection(scope, 'references').countDocuments(range, within(scope))),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Returns a page of the lines that were frozen to one of several versions, by the id of that version, then newest
 * first. Runs at most two queries per 1,000 versions, and two for the rest of the version that `after` names; each
 * reads at most `limit` lines.
 */
export async function linesFrozenTo(
  scope: Scope,
  versionIds: readonly string[],
  referrerScope: UseScope,
  { limit, after }: { limit: number; after?: { versionId: string; id: string } },
): Promise<ReferenceRecord[]> {
  const found = after
    ? await linesIn(scope, rangesOfFrozen(after.versionId, referrerScope), { limit, after: after.id })
    : [];
  const laterVersionIds = versionIds.filter((id) => !after || id > after.versionId).sort();
  for (let i = 0; i < laterVersionIds.length && found.length < limit; i += CHUNK_SIZE) {
    const chunk = laterVersionIds.slice(i, i + CHUNK_SIZE);
    const lines = await inEach(frozenRanges(referrerScope), (range) =>
      collection(scope, 'references')
        .find({ ...range, 'frozen.versionId': { $in: chunk } } as IndexRange, {
          projection: WITH_SOME_PATHS,
          ...within(scope),
        })
        .sort({ 'frozen.versionId': 1, _id: -1 })
        .limit(limit)
        .toArray(),
    );
    found.push(...lines.sort((a, b) => compareText(frozenId(a), frozenId(b)) || compareText(b._id, a._id)));
  }
  return found.slice(0, limit);
}

const CHUNK_SIZE = 1000;
const frozenId = ({ frozen }: ReferenceRecord): string => frozen?.versionId ?? '';
const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Returns lines by their ids, in the form that `linesIn` returns. */
export async function linesWithIds(scope: Scope, ids: readonly string[]): Promise<Map<string, ReferenceRecord>> {
  const found = await collection(scope, 'references')
    .find({ _id: { $in: [...ids] } }, { projection: WITH_SOME_PATHS, ...within(scope) })
    .toArray();
  return new Map(found.map((line) => [line._id, line]));
}

/** The part of a line that shows which document uses which. */
export type LinkRecord = Pick<ReferenceRecord, '_id' | keyof typeof LINK_FIELDS>;

/** Returns all lines of the ranges as links. */
export function linksIn(scope: Scope, ranges: readonly IndexRange[]): Promise<LinkRecord[]> {
  return inEach(ranges, (range) =>
    collection(scope, 'references')
      .find<LinkRecord>(range, { projection: LINK_FIELDS, ...within(scope) })
      .toArray(),
  );
}

/** Returns the links to documents by their numbers or ids. For each 1,000 of these, sends one query per range. */
export function linksTo(scope: Scope, targets: readonly string[], referrers: ReferrerFilter): Promise<LinkRecord[]> {
  return inChunks(targets, (chunk) =>
    linksIn(
      scope,
      referrerRanges(referrers).map((range) => ({ target: { $in: [...chunk] }, ...range })),
    ),
  );
}

async function inEach<R>(ranges: readonly IndexRange[], read: (range: IndexRange) => Promise<R[]>): Promise<R[]> {
  return (await Promise.all(ranges.map(read))).flat();
}

// Returns the ranges of all lines of the referring versions, without the document that they refer to.
function referrerRanges({ scope, drafts }: ReferrerFilter): IndexRange[] {
  const versions: IndexRange[] =
    scope === 'released' ? [{ released: true }] : placesOf(scope).map((place) => ({ place }));
  return drafts ? [...versions, { place: 'draft' }] : versions;
}

function placesOf(scope: UseScope): ('latest' | 'earlier')[] {
  return scope === 'latest' ? ['latest'] : ['latest', 'earlier'];
}
