// Who uses a document: lines of drafts and versions, found by the address they hold or by the version they were frozen to, newest first.
import type { Filter } from 'mongodb';
import type { AddressAt } from '../../domain/assembly/address.ts';
import type { UseScope } from '../../domain/assembly/where-used.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { ReferenceRecord } from '../schema/collections.ts';
import { inChunks } from './resolve-references.ts';

/** Which users count: versions of this scope, and drafts if they are wanted. */
export type Users = { scope: UseScope; drafts: boolean };

/** A range of an index that holds its lines in the order of their ids; each condition is one value. */
export type Range = Filter<ReferenceRecord>;

/** The ranges that hold every line which names a document by one of its names, whatever state of it. */
export function rangesOfDocument(names: readonly string[], users: Users): Range[] {
  return names.flatMap((target) => placesIn(users).map((place) => ({ target, ...place })));
}

/** The ranges that hold the lines of versions which were frozen to a version. */
export function rangesOfFrozen(versionId: string, scope: UseScope): Range[] {
  const released = scope === 'released' ? { released: true } : {};
  return placesOf(scope).map((place) => ({ 'frozen.versionId': versionId, place, ...released }));
}

/** The ranges that hold the lines of drafts which ask for one state of a document. */
export function rangesOfDrafts(names: readonly string[], at: AddressAt): Range[] {
  const [label, n] = [at.as === 'revision' ? at.label : null, at.as === 'version' ? at.n : null];
  return names.map((target) => ({ target, 'at.label': label, 'at.n': n, place: 'draft' as const }));
}

/** As many paths of a use are told. */
export const MOST_PATHS = 100;
// one more, so that it shows when there are more
const SHOWN = { occurrences: { $slice: MOST_PATHS + 1 } };
const LINKING = { documentId: 1, target: 1, place: 1 } as const;

/**
 * The lines of some ranges that come after a place, newest first unless told otherwise: as many are read of each range as are wanted, whatever the
 * range holds.
 */
export async function linesIn(
  scope: Scope,
  ranges: readonly Range[],
  { limit, after, descending = true }: { limit: number; after?: string; descending?: boolean },
): Promise<ReferenceRecord[]> {
  const direction = descending ? -1 : 1;
  const further = after === undefined ? {} : { _id: descending ? { $lt: after } : { $gt: after } };
  const found = await inEach(ranges, (range) =>
    collection(scope, 'references')
      .find({ ...range, ...further } as Range, { projection: SHOWN, ...within(scope) })
      .sort({ _id: direction })
      .limit(limit)
      .toArray(),
  );
  return found.sort((a, b) => direction * compareText(a._id, b._id)).slice(0, limit);
}

/** How many lines some ranges hold. */
export async function countLines(scope: Scope, ranges: readonly Range[]): Promise<number> {
  const counts = await Promise.all(
    ranges.map((range) => collection(scope, 'references').countDocuments(range, within(scope))),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The lines that were frozen to one of some versions and come after a place, by the id of that version, of each newest first. Two queries for a
 * thousand versions, and no more lines read than are wanted of each.
 */
export async function linesFrozenTo(
  scope: Scope,
  versionIds: readonly string[],
  users: UseScope,
  { limit, after }: { limit: number; after?: { versionId: string; id: string } },
): Promise<ReferenceRecord[]> {
  const found = after ? await linesIn(scope, rangesOfFrozen(after.versionId, users), { limit, after: after.id }) : [];
  const later = versionIds.filter((id) => !after || id > after.versionId).sort();
  for (let i = 0; i < later.length && found.length < limit; i += AT_ONCE) {
    const some = later.slice(i, i + AT_ONCE);
    const more = await inEach(rangesOfFrozen('any', users), (range) =>
      collection(scope, 'references')
        .find({ ...range, 'frozen.versionId': { $in: some } } as Range, { projection: SHOWN, ...within(scope) })
        .sort({ 'frozen.versionId': 1, _id: -1 })
        .limit(limit)
        .toArray(),
    );
    found.push(...more.sort((a, b) => compareText(frozenId(a), frozenId(b)) || compareText(b._id, a._id)));
  }
  return found.slice(0, limit);
}

const AT_ONCE = 1000;
const frozenId = ({ frozen }: ReferenceRecord): string => frozen?.versionId ?? '';
const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Some lines by their ids, as `linesIn` shows them. */
export async function linesWithIds(scope: Scope, ids: readonly string[]): Promise<Map<string, ReferenceRecord>> {
  const found = await collection(scope, 'references')
    .find({ _id: { $in: [...ids] } }, { projection: SHOWN, ...within(scope) })
    .toArray();
  return new Map(found.map((line) => [line._id, line]));
}

/** What a line says of who uses whom. */
export type LinkRecord = Pick<ReferenceRecord, '_id' | keyof typeof LINKING>;

/** All lines of some ranges, as links. */
export function linksIn(scope: Scope, ranges: readonly Range[]): Promise<LinkRecord[]> {
  return inEach(ranges, (range) =>
    collection(scope, 'references')
      .find<LinkRecord>(range, { projection: LINKING, ...within(scope) })
      .toArray(),
  );
}

/** The links to some documents, by their names: as few queries as there are thousands of names. */
export function linksTo(scope: Scope, names: readonly string[], users: Users): Promise<LinkRecord[]> {
  return inChunks(names, (some) =>
    linksIn(
      scope,
      placesIn(users).map((place) => ({ target: { $in: [...some] }, ...place })),
    ),
  );
}

async function inEach<R>(ranges: readonly Range[], read: (range: Range) => Promise<R[]>): Promise<R[]> {
  return (await Promise.all(ranges.map(read))).flat();
}

function placesIn({ scope, drafts }: Users): Range[] {
  const versions: Range[] = scope === 'released' ? [{ released: true }] : placesOf(scope).map((place) => ({ place }));
  return drafts ? [...versions, { place: 'draft' }] : versions;
}

function placesOf(scope: UseScope): ('latest' | 'earlier')[] {
  return scope === 'latest' ? ['latest'] : ['latest', 'earlier'];
}
