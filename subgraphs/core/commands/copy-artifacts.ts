import { artifactsOf, insertCopies } from '../store/files/artifacts.ts';
import { lock } from '../store/query/records.ts';
import type { ArtifactRecord } from '../store/schema/collections.ts';
import type { Work } from '../work.ts';
import { storeReferences } from './store-references.ts';

/**
 * Copies every file of a draft or version to another draft, with its references: new ids, same content, no bytes are
 * moved. Locks the source, so that none of its files is removed and its content deleted meanwhile.
 */
export async function copyArtifacts(
  work: Work,
  fromVersionId: string,
  to: { versionId: string; documentId: string },
): Promise<ArtifactRecord[]> {
  await lock(work, 'versions', fromVersionId);
  const copies = await insertCopies(work, await artifactsOf(work, fromVersionId), to);
  await storeReferences(work, to, copies);
  return copies;
}
