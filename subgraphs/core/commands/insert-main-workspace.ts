import { insert } from '../store/query/records.ts';
import type { VersionRecord } from '../store/schema/collections.ts';
import { draftRecord } from '../store/versions.ts';
import { workspaceRecord } from '../store/workspaces.ts';
import type { Work } from '../work.ts';

/**
 * Inserts the first workspace of a document, `main`, with an empty draft. `content` of a copied document: the jobs
 * whose results the draft receives too, the digest of the structure that its derived files show, and the location of
 * its code.
 */
export async function insertMainWorkspace(
  work: Work,
  documentId: string,
  content: Pick<Partial<VersionRecord>, 'awaitsJobs' | 'bomDigest' | 'code'> = {},
): Promise<{ workspaceId: string; draftId: string }> {
  const workspaceId = work.newId('wsp');
  const draftId = work.newId('ver');
  await insert(
    work,
    'workspaces',
    workspaceRecord(work, {
      _id: workspaceId,
      documentId,
      name: 'main',
      description: null,
      main: true,
      fromVersionId: null,
      draftId,
    }),
  );
  await insert(work, 'versions', {
    ...draftRecord(work, { documentId, workspaceId, draftId, basedOnVersionId: null }),
    ...content,
  });
  return { workspaceId, draftId };
}
