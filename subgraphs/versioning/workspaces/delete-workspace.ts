// Deletes workspaces.
import type { Caller } from '../../core/caller.ts';
import { assertDraftWritable, type WorkspaceContext } from '../../core/commands/assert-writable.ts';
import { deleteWorkspaceWithDraft } from '../../core/commands/delete-workspace-with-draft.ts';
import { refuse } from '../../core/domain/errors.ts';
import { touchDocument } from '../../core/store/documents.ts';
import type { DocumentRecord, VersionRecord, WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { versionsOfWorkspace } from '../../core/store/versions.ts';
import { lockWorkspace } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';

/**
 * Deletes a workspace with its draft, files and jobs. Throws `workspace_has_versions`, `last_workspace`,
 * `workspace_archived`, or `workspace_reserved` if another user reserves it.
 */
export async function deleteWorkspace(work: Work, { id }: { id: string }): Promise<boolean> {
  const { document, workspace } = await lockWorkspace(work, id);
  const versions = await versionsOfWorkspace(work, id);

  await assertCanDeleteWorkspace(work, { document, workspace, versions });

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

/** Throws unless the caller can delete the workspace. `versions` are its versions, newest first, or only the newest. */
export async function assertCanDeleteWorkspace(
  caller: Caller,
  { versions, ...context }: WorkspaceContext & { versions: readonly VersionRecord[] },
): Promise<void> {
  await assertDraftWritable(caller, context);
  assertNoVersions(context.workspace, versions);
  assertNotLastWorkspace(context.document, context.workspace);
}

function assertNoVersions({ name }: WorkspaceRecord, versions: readonly VersionRecord[]): void {
  const [newest] = versions;
  if (!newest) return;
  refuse(
    'workspace_has_versions',
    `Workspace "${name}" cannot be deleted because it has versions (newest: v${newest.n}). Archive it instead.`,
    { versions: versions.map((version) => ({ id: version._id, n: version.n })) },
  );
}

// A main workspace without versions is the only one, because other workspaces start from a version.
function assertNotLastWorkspace({ number }: DocumentRecord, { name, main }: WorkspaceRecord): void {
  if (main)
    refuse(
      'last_workspace',
      `Workspace "${name}" cannot be deleted because it is the last one of ${number}. Delete the document instead.`,
    );
}
