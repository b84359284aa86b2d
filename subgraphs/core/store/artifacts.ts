import type { Work } from '../work.ts';
import type { ArtifactRecord } from './collections.ts';
import { insertAll, lock } from './records.ts';
import { collection, type Scope, within } from './scope.ts';

/** The files of a draft or version, ordered by kind. */
export function artifactsOf(scope: Scope, versionId: string): Promise<ArtifactRecord[]> {
  return collection(scope, 'artifacts')
    .find({ versionId: { $eq: versionId } }, within(scope))
    .sort({ kind: 1 })
    .toArray();
}

/**
 * Carries every file of a draft or version over to another one: new ids, the same content, no byte moved.
 * Locks the source, so that none of its files is removed, and its content swept, meanwhile.
 */
export async function copyArtifacts(work: Work, fromVersionId: string, to: { versionId: string; documentId: string }): Promise<ArtifactRecord[]> {
  await lock(work, 'versions', fromVersionId);
  const copies = (await artifactsOf(work, fromVersionId)).map((artifact) => ({ ...artifact, ...to, _id: work.newId('art') }));
  await insertAll(work, 'artifacts', copies);
  return copies;
}

/** Removes all files of a draft or version that the caller has locked or deletes; contents nobody names any more are swept later. */
export async function removeArtifactsOf(work: Work, versionId: string): Promise<void> {
  await collection(work, 'artifacts').deleteMany({ versionId: { $eq: versionId } }, within(work));
}
