// Artifacts: the files of drafts and versions.
import { CONTENT_KINDS } from '../../domain/artifact-kind.ts';
import { changeAll, findOfKey, insert, insertAll, logChange, removeAll } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { ArtifactRecord } from '../schema/collections.ts';

/** Returns the files of a draft or version, ordered by kind. */
export function artifactsOf(scope: Scope, versionId: string): Promise<ArtifactRecord[]> {
  return findOfKey(scope, 'artifacts', artifactsOfAll, (artifact) => artifact.versionId, versionId);
}

/**
 * Inserts copies of files into a draft or version that the caller writes in this transaction. Leaves out their
 * references.
 */
export async function insertCopies(
  work: Write,
  files: readonly ArtifactRecord[],
  to: { versionId: string; documentId: string },
): Promise<ArtifactRecord[]> {
  const copies = files.map((artifact) => ({ ...artifact, ...to, _id: work.newId('art') }));
  await insertAll(work, 'artifacts', copies);
  return copies;
}

/** Returns the files of several drafts and versions, those of each ordered by kind. */
export function artifactsOfAll(scope: Scope, versionIds: readonly string[]): Promise<ArtifactRecord[]> {
  return collection(scope, 'artifacts')
    .find({ versionId: { $in: [...versionIds] } }, within(scope))
    .sort({ versionId: 1, kind: 1 })
    .toArray();
}

/** Returns the file of one kind of a draft or version, or null. */
export function artifactOfKind(scope: Scope, versionId: string, kind: string): Promise<ArtifactRecord | null> {
  return collection(scope, 'artifacts').findOne({ versionId: { $eq: versionId }, kind: { $eq: kind } }, within(scope));
}

/** Returns the files of one kind of several drafts and versions. */
export function artifactsOfKind(scope: Scope, versionIds: readonly string[], kind: string): Promise<ArtifactRecord[]> {
  return collection(scope, 'artifacts')
    .find({ versionId: { $in: [...versionIds] }, kind: { $eq: kind } }, within(scope))
    .toArray();
}

/** Returns which contents (kind, name, hash) occur in versions of the document. Does not count drafts. */
export async function contentsInVersions(
  scope: Scope,
  documentId: string,
  contents: readonly Content[],
  draftIds: readonly string[],
): Promise<Content[]> {
  const found: Content[] = [];
  for (const { kind, fileName, sha256 } of contents) {
    const filter = { sha256, documentId, kind, fileName, versionId: { $nin: [...draftIds] } };
    if (await collection(scope, 'artifacts').findOne(filter, { projection: { _id: 1 }, ...within(scope) }))
      found.push({ kind, fileName, sha256 });
  }
  return found;
}

type Content = Pick<ArtifactRecord, 'kind' | 'fileName' | 'sha256'>;

/** Returns the newest thumbnail of each document that has one. */
export async function newestThumbnails(scope: Scope, documentIds: readonly string[]): Promise<ArtifactRecord[]> {
  const groups = await collection(scope, 'artifacts')
    .aggregate<{ newest: ArtifactRecord }>(
      [
        { $match: { documentId: { $in: [...documentIds] }, kind: 'thumbnail' } },
        // in index order, so that nothing is sorted; a server may even seek the first of each document
        { $sort: { documentId: 1, kind: 1, createdAt: -1 } },
        { $group: { _id: '$documentId', newest: { $first: '$$ROOT' } } },
      ],
      within(scope),
    )
    .toArray();
  return groups.map(({ newest }) => newest);
}

/**
 * Stores the file of a kind in a draft or version that the caller has locked. Returns the file that it replaces, or
 * null.
 */
export async function replaceArtifact(work: Write, artifact: ArtifactRecord): Promise<ArtifactRecord | null> {
  const { versionId, kind } = artifact;
  const replaced = await collection(work, 'artifacts').findOneAndDelete({ versionId, kind }, within(work));
  if (replaced) logChange(work, 'artifacts', replaced, null);
  await insert(work, 'artifacts', artifact);
  return replaced;
}

/** Marks every derived file as stale. Content, such as a source, is not derived, even if a generator created it. */
export async function markDerivedStale(work: Write, versionId: string): Promise<void> {
  const derived = {
    versionId: { $eq: versionId },
    generator: { $ne: null },
    kind: { $nin: [...CONTENT_KINDS] },
    stale: false,
  };
  await changeAll(work, 'artifacts', derived, { stale: true });
}

/** Marks the files of these kinds as stale. */
export async function markStale(work: Write, versionId: string, kinds: readonly string[]): Promise<void> {
  const files = { versionId: { $eq: versionId }, kind: { $in: [...kinds] } };
  await changeAll(work, 'artifacts', files, { stale: true });
}

/**
 * Deletes all files of a draft or version that the caller has locked or deletes. A sweep deletes unreferenced contents.
 */
export async function removeArtifactsOf(work: Write, versionId: string): Promise<void> {
  await removeAll(work, 'artifacts', { versionId: { $eq: versionId } });
}
