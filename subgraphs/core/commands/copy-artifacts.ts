import { artifactsOf, insertCopies } from '../store/files/artifacts.ts';
import { lock } from '../store/query/records.ts';
import type { ArtifactRecord } from '../store/schema/collections.ts';
import type { Work } from '../work.ts';
import { useReferences } from './use-references.ts';

/**
 * Carries every file of a draft or version over to another draft, with the references in it: new ids, the same content, no byte moved.
 * Locks the source, so that none of its files is removed, and its content swept, meanwhile.
 */
export async function copyArtifacts(
  work: Work,
  fromVersionId: string,
  to: { versionId: string; documentId: string },
): Promise<ArtifactRecord[]> {
  await lock(work, 'versions', fromVersionId);
  const copies = await insertCopies(work, await artifactsOf(work, fromVersionId), to);
  await useReferences(work, to, copies);
  return copies;
}
