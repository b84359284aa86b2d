// Queries on revisions.
import { lock } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { CollectionName, DocumentRecord, RevisionRecord } from './schema/collections.ts';
import { lockVersion, type VersionContext } from './versions.ts';

/** Returns the revisions of several documents, newest first. */
export function revisionsOf(scope: Scope, documentIds: readonly string[]): Promise<RevisionRecord[]> {
  return collection(scope, 'revisions')
    .find({ documentId: { $in: [...documentIds] } }, within(scope))
    .sort({ documentId: 1, ordinal: -1 })
    .toArray();
}

/** Returns the newest revision of each document that has one. */
export async function newestRevisions(scope: Scope, documentIds: readonly string[]): Promise<RevisionRecord[]> {
  const revisions: CollectionName = 'revisions';
  const pipeline = [{ $sort: { ordinal: -1 } }, { $limit: 1 }];
  const found = await collection(scope, 'documents')
    .aggregate<{ revisions: RevisionRecord[] }>(
      [
        { $match: { _id: { $in: documentIds } } },
        { $project: { _id: 1 } },
        { $lookup: { from: revisions, localField: '_id', foreignField: 'documentId', pipeline, as: 'revisions' } },
      ],
      within(scope),
    )
    .toArray();
  return found.flatMap(({ revisions }) => revisions);
}

/**
 * Returns a page of the revisions of a document by ordinal; `after` is the ordinal of the last one of the previous
 * page.
 */
export function listRevisions(
  scope: Scope,
  documentId: string,
  { descending, limit, after }: { descending: boolean; limit: number; after?: number },
): Promise<RevisionRecord[]> {
  const position = after === undefined ? {} : { ordinal: descending ? { $lt: after } : { $gt: after } };
  return collection(scope, 'revisions')
    .find({ documentId: { $eq: documentId }, ...position }, within(scope))
    .sort({ ordinal: descending ? -1 : 1 })
    .limit(limit)
    .toArray();
}

export function countRevisions(scope: Scope, documentId: string): Promise<number> {
  return collection(scope, 'revisions').countDocuments({ documentId: { $eq: documentId } }, within(scope));
}

/** Returns the revisions of several versions. */
export function revisionsOfVersions(scope: Scope, versionIds: readonly string[]): Promise<RevisionRecord[]> {
  return collection(scope, 'revisions')
    .find({ versionId: { $in: [...versionIds] } }, within(scope))
    .toArray();
}

/** Returns every label that a document has used: of its revisions, and of releases that were taken back. */
export async function usedLabels(scope: Scope, { _id, takenBackLabels = [] }: DocumentRecord): Promise<Set<string>> {
  const revisions = await collection(scope, 'revisions')
    .find({ documentId: _id }, { projection: { label: 1 }, ...within(scope) })
    .toArray();
  return new Set([...revisions.map(({ label }) => label), ...takenBackLabels]);
}

/** Returns a revision with its version, workspace and document, all locked. Throws `not_found`. */
export async function lockRevision(work: Write, id: string): Promise<VersionContext & { revision: RevisionRecord }> {
  const revision = await lock(work, 'revisions', id);
  return { revision, ...(await lockVersion(work, revision.versionId)) };
}
