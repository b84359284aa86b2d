import { CONTENT_KINDS } from '../../domain/artifact-kind.ts';
import { insert, insertAll } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { ArtifactRecord } from '../schema/collections.ts';

/** The files of a draft or version, ordered by kind. */
export function artifactsOf(scope: Scope, versionId: string): Promise<ArtifactRecord[]> {
  return collection(scope, 'artifacts')
    .find({ versionId: { $eq: versionId } }, within(scope))
    .sort({ kind: 1 })
    .toArray();
}

/** The files alone, that were read from a draft or version which the caller writes in this transaction. */
export async function insertCopies(
  work: Write,
  files: readonly ArtifactRecord[],
  to: { versionId: string; documentId: string },
): Promise<ArtifactRecord[]> {
  const copies = files.map((artifact) => ({ ...artifact, ...to, _id: work.newId('art') }));
  await insertAll(work, 'artifacts', copies);
  return copies;
}

/** The files of some drafts and versions, those of each ordered by kind. */
export function artifactsOfAll(scope: Scope, versionIds: readonly string[]): Promise<ArtifactRecord[]> {
  return collection(scope, 'artifacts')
    .find({ versionId: { $in: [...versionIds] } }, within(scope))
    .sort({ versionId: 1, kind: 1 })
    .toArray();
}

/** The file of one kind of a draft or version, or null. */
export function artifactOfKind(scope: Scope, versionId: string, kind: string): Promise<ArtifactRecord | null> {
  return collection(scope, 'artifacts').findOne({ versionId: { $eq: versionId }, kind: { $eq: kind } }, within(scope));
}

/** The files of one kind of some drafts and versions. */
export function artifactsOfKind(scope: Scope, versionIds: readonly string[], kind: string): Promise<ArtifactRecord[]> {
  return collection(scope, 'artifacts')
    .find({ versionId: { $in: [...versionIds] }, kind: { $eq: kind } }, within(scope))
    .toArray();
}

/** Which of some contents (kind, name, hash) a version of the document holds; drafts are none. Stops at the first version that does. */
export async function heldByVersions(
  scope: Scope,
  documentId: string,
  contents: readonly Content[],
  draftIds: readonly string[],
): Promise<Content[]> {
  const held: Content[] = [];
  for (const { kind, fileName, sha256 } of contents) {
    const filter = { sha256, documentId, kind, fileName, versionId: { $nin: [...draftIds] } };
    if (await collection(scope, 'artifacts').findOne(filter, { projection: { _id: 1 }, ...within(scope) }))
      held.push({ kind, fileName, sha256 });
  }
  return held;
}

type Content = Pick<ArtifactRecord, 'kind' | 'fileName' | 'sha256'>;

/** The newest picture of each of some documents that has one. */
export async function newestThumbnails(scope: Scope, documentIds: readonly string[]): Promise<ArtifactRecord[]> {
  const groups = await collection(scope, 'artifacts')
    .aggregate<{ newest: ArtifactRecord }>(
      [
        { $match: { documentId: { $in: [...documentIds] }, kind: 'thumbnail' } },
        // The order of the index, so that nothing is sorted: a server even seeks the first of each document alone.
        { $sort: { documentId: 1, kind: 1, createdAt: -1 } },
        { $group: { _id: '$documentId', newest: { $first: '$$ROOT' } } },
      ],
      within(scope),
    )
    .toArray();
  return groups.map(({ newest }) => newest);
}

/** Stores the file of a kind in a draft or version that the caller has locked, in the place of the one that was there; returns that one. */
export async function putArtifact(work: Write, artifact: ArtifactRecord): Promise<ArtifactRecord | null> {
  const { versionId, kind } = artifact;
  const replaced = await collection(work, 'artifacts').findOneAndDelete({ versionId, kind }, within(work));
  await insert(work, 'artifacts', artifact);
  return replaced;
}

/** Marks every file that was derived as made from an older input; what it was derived from may have been made by a generator, and is not. */
export async function markDerivedStale(work: Write, versionId: string): Promise<void> {
  const derived = {
    versionId: { $eq: versionId },
    generator: { $ne: null },
    kind: { $nin: [...CONTENT_KINDS] },
    stale: false,
  };
  await collection(work, 'artifacts').updateMany(derived, { $set: { stale: true } }, within(work));
}

/** Marks the files of some kinds as no longer what the draft says they are. */
export async function markStale(work: Write, versionId: string, kinds: readonly string[]): Promise<void> {
  const files = { versionId: { $eq: versionId }, kind: { $in: [...kinds] } };
  await collection(work, 'artifacts').updateMany(files, { $set: { stale: true } }, within(work));
}

/** Removes all files of a draft or version that the caller has locked or deletes; contents nobody names any more are swept later. */
export async function removeArtifactsOf(work: Write, versionId: string): Promise<void> {
  await collection(work, 'artifacts').deleteMany({ versionId: { $eq: versionId } }, within(work));
}
