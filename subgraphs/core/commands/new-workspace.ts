import { insert } from '../store/query/records.ts';
import type { VersionRecord } from '../store/schema/collections.ts';
import { draftRecord } from '../store/versions.ts';
import { workspaceRecord } from '../store/workspaces.ts';
import type { Work } from '../work.ts';

/**
 * The first workspace of a document, named main, with an empty draft; a copy's has what belongs to the content: the jobs whose results
 * the draft gets too, the digest of the structure which its derived files show, where its generator lives.
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
