import type { Asking } from '../../core/asking.ts';
import { deleteWorkspaceWithDraft } from '../../core/commands/workspace-content.ts';
import { type WorkspaceInPlace, writableDraft } from '../../core/commands/writable.ts';
import { refuse } from '../../core/domain/errors.ts';
import { touchDocument } from '../../core/store/documents.ts';
import type { DocumentRecord, VersionRecord, WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { versionsOfWorkspace } from '../../core/store/versions.ts';
import { lockWorkspace } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';

/**
 * Deletes a workspace with its draft, the draft's files and its jobs. Refuses one in which versions were made
 * (`workspace_has_versions`), the last one of its document (`last_workspace`), an archived one, and one that somebody else holds.
 */
export async function deleteWorkspace(work: Work, { id }: { id: string }): Promise<boolean> {
  const { document, workspace } = await lockWorkspace(work, id);
  const versions = await versionsOfWorkspace(work, id);

  await mayDeleteWorkspace(work, { document, workspace, versions });

  await deleteWorkspaceWithDraft(work, workspace);
  await touchDocument(work, document._id);
  work.audit({
    action: 'workspace.deleted',
    documentId: document._id,
    workspaceId: id,
    versionId: workspace.draftId,
    summary: `Workspace "${workspace.name}" of ${document.number} was deleted with its draft.`,
    changes: { name: { from: workspace.name, to: null }, fromVersionId: { from: workspace.fromVersionId, to: null } },
  });
  return true;
}

/** Refuses to delete a workspace that must stay; `versions` are those made in it, at least the newest, newest first. */
export async function mayDeleteWorkspace(
  by: Asking,
  { versions, ...place }: WorkspaceInPlace & { versions: readonly VersionRecord[] },
): Promise<void> {
  await writableDraft(by, place);
  withoutVersions(place.workspace, versions);
  notTheLast(place.document, place.workspace);
}

function withoutVersions({ name }: WorkspaceRecord, versions: readonly VersionRecord[]): void {
  const [newest] = versions;
  if (!newest) return;
  refuse(
    'workspace_has_versions',
    `Workspace "${name}" has versions of its own, the newest is v${newest.n}, and stays. Archive it instead.`,
    {
      versions: versions.map((version) => ({ id: version._id, n: version.n })),
    },
  );
}

// a main workspace without versions is the last one: every other workspace began with a version
function notTheLast({ number }: DocumentRecord, { name, main }: WorkspaceRecord): void {
  if (main)
    refuse(
      'last_workspace',
      `Workspace "${name}" is the last one of ${number} and stays. Delete the document instead.`,
    );
}
