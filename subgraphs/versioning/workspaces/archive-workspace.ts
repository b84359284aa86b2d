// Archives and unarchives workspaces.
import { assertDraftWritable } from '../../core/commands/assert-writable.ts';
import { assertWritableDocument } from '../../core/domain/versions/lifecycle.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { change } from '../../core/store/query/records.ts';
import type { DocumentRecord, WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { lockWorkspace } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';

/**
 * Archives a workspace: it stays readable and rejects writes. Throws `workspace_reserved` if another user reserves it.
 */
export async function archiveWorkspace(work: Work, { id }: { id: string }): Promise<WorkspaceRecord> {
  const { document, workspace } = await lockWorkspace(work, id);

  await assertDraftWritable(work, { document, workspace });

  return setArchived(work, document, workspace, true);
}

/** Unarchives a workspace. Does nothing if it is not archived. */
export async function unarchiveWorkspace(work: Work, { id }: { id: string }): Promise<WorkspaceRecord> {
  const { document, workspace } = await lockWorkspace(work, id);

  assertWritableDocument(document);
  if (!workspace.archived) {
    work.unchanged();
    return workspace;
  }

  return setArchived(work, document, workspace, false);
}

async function setArchived(
  work: Work,
  document: DocumentRecord,
  { _id, name }: WorkspaceRecord,
  archived: boolean,
): Promise<WorkspaceRecord> {
  await touchDocument(work, document._id);
  work.audit({
    action: archived ? 'workspace.archived' : 'workspace.unarchived',
    documentId: document._id,
    workspaceId: _id,
    summary: `Workspace "${name}" of ${document.number} was ${archived ? 'archived' : 'unarchived'}.`,
    changes: { archived: { from: !archived, to: archived } },
  });
  return change(work, 'workspaces', _id, { archived });
}
