import { removeReferencesOf } from '../store/assembly/references.ts';
import { removeArtifactsOf } from '../store/files/artifacts.ts';
import { remove, removeAll } from '../store/query/records.ts';
import { collection, within } from '../store/query/scope.ts';
import type { WorkspaceRecord } from '../store/schema/collections.ts';
import type { Work } from '../work.ts';

/**
 * Deletes a workspace with its draft, the files, named views and backups of the draft, its jobs and their logs. The caller has
 * locked the workspace and checked that no version was created in it.
 */
export async function deleteWorkspaceWithDraft(
  work: Work,
  { _id, documentId, draftId }: WorkspaceRecord,
): Promise<void> {
  const jobs = await collection(work, 'jobs')
    .find({ versionId: { $eq: draftId } }, { projection: { _id: 1 }, ...within(work) })
    .toArray();
  await collection(work, 'jobLogs').deleteMany({ jobId: { $in: jobs.map((job) => job._id) } }, within(work));
  await collection(work, 'jobs').deleteMany({ versionId: { $eq: draftId } }, within(work));
  await removeArtifactsOf(work, draftId);
  await removeReferencesOf(work, { documentId, versionId: draftId });
  await removeAll(work, 'draftBackups', { workspaceId: { $eq: _id } });
  await removeAll(work, 'views', { versionId: { $eq: draftId } });
  await remove(work, 'versions', draftId);
  await remove(work, 'workspaces', _id);
}
