// Archives and unarchives documents.
import type { Caller } from '../core/caller.ts';
import { assertNotReservedByOther } from '../core/commands/reservations.ts';
import { assertWritableDocument } from '../core/domain/versions/lifecycle.ts';
import { lockDocument } from '../core/store/documents.ts';
import { change } from '../core/store/query/records.ts';
import type { DocumentRecord, WorkspaceRecord } from '../core/store/schema/collections.ts';
import { workspacesOf } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

/**
 * Archives a document: it stays readable and rejects writes. Throws `workspace_reserved` if another user reserves one
 * of its workspaces.
 */
export async function archiveDocument(work: Work, { id }: { id: string }): Promise<DocumentRecord> {
  const document = await lockDocument(work, id);

  await assertCanArchive(work, document, await workspacesOf(work, [document._id]));

  return setArchived(work, document, true);
}

/** Throws unless the caller can archive the document. `workspaces` are all workspaces of the document. */
export async function assertCanArchive(
  caller: Caller,
  document: DocumentRecord,
  workspaces: readonly WorkspaceRecord[],
): Promise<void> {
  assertWritableDocument(document);
  for (const workspace of workspaces) await assertNotReservedByOther(caller, workspace, caller.actor.id, caller.now);
}

/** Unarchives a document. Does nothing if it is not archived. */
export async function unarchiveDocument(work: Work, { id }: { id: string }): Promise<DocumentRecord> {
  const document = await lockDocument(work, id);

  if (!document.archived) {
    work.unchanged();
    return document;
  }

  return setArchived(work, document, false);
}

function setArchived(work: Work, { _id, number }: DocumentRecord, archived: boolean): Promise<DocumentRecord> {
  work.audit({
    action: archived ? 'document.archived' : 'document.unarchived',
    documentId: _id,
    summary: `Document ${number} was ${archived ? 'archived' : 'unarchived'}.`,
    changes: { archived: { from: !archived, to: archived } },
  });
  return change(work, 'documents', _id, { archived, updatedAt: work.now, updatedBy: work.actor.id });
}
