import { refuse } from '../core/domain/errors.ts';
import { writableDocument, writableWorkspace } from '../core/domain/lifecycle.ts';
import type { DocumentRecord, VersionRecord, WorkspaceRecord } from '../core/store/collections.ts';
import { touchDocument } from '../core/store/documents.ts';
import { freeFor } from '../core/store/reservations.ts';
import { versionsOfWorkspace } from '../core/store/versions.ts';
import { deleteWorkspaceWithDraft } from '../core/store/workspace-content.ts';
import { lockWorkspace, workspacesOf } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

/**
 * Deletes a workspace with its draft, the draft's files and its jobs. Refuses one in which versions were made
 * (`workspace_has_versions`), the last one of its document (`last_workspace`), an archived one, and one that somebody else holds.
 */
export async function deleteWorkspace(work: Work, { id }: { id: string }): Promise<boolean> {
  const { document, workspace } = await lockWorkspace(work, id);
  const siblings = await workspacesOf(work, [document._id]);
  const versions = await versionsOfWorkspace(work, id);

  writableDocument(document);
  writableWorkspace(workspace);
  await freeFor(work, workspace, work.actor.id, work.now);
  withoutVersions(workspace, versions);
  notTheLast(document, workspace, siblings.length);

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

function withoutVersions({ name }: WorkspaceRecord, versions: readonly VersionRecord[]): void {
  if (!versions.length) return;
  const names = versions.map((version) => `v${version.n}`);
  refuse('workspace_has_versions', `Workspace "${name}" has versions of its own (${names.slice(0, 5).join(', ')}) and stays. Archive it instead.`, {
    versions: versions.map((version) => ({ id: version._id, n: version.n })),
  });
}

// the main workspace counts as the last one: every other workspace began with a version, so main has versions when there are others
function notTheLast({ number }: DocumentRecord, { name, main }: WorkspaceRecord, siblings: number): void {
  if (main || siblings < 2) refuse('last_workspace', `Workspace "${name}" is the last one of ${number} and stays. Delete the document instead.`);
}
