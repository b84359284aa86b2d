// Rules on which documents, workspaces and drafts can be written to.

import { refuse } from '../errors.ts';

type DocumentState = { _id: string; number: string; archived: boolean };
type WorkspaceState = { _id: string; name: string; archived: boolean };

/** Throws `document_archived` if the document is archived. */
export function assertWritableDocument({ _id: documentId, number, archived }: DocumentState): void {
  if (archived)
    refuse('document_archived', `Document ${number} is archived and cannot be changed. Unarchive it first.`, {
      documentId,
      number,
    });
}

/** Throws `workspace_archived` if the workspace is archived. */
export function assertWritableWorkspace({ _id: workspaceId, name, archived }: WorkspaceState): void {
  if (archived)
    refuse('workspace_archived', `Workspace "${name}" is archived and cannot be changed. Unarchive it first.`, {
      workspaceId,
    });
}

/** Throws `document_archived` or `workspace_archived` if either is archived. */
export function assertNotArchived(context: { document: DocumentState; workspace: WorkspaceState }): void {
  assertWritableDocument(context.document);
  assertWritableWorkspace(context.workspace);
}

/** Throws `not_a_draft` unless the record is a draft. */
export function assertDraft(version: { _id: string; type: 'draft' | 'version'; name: string }): void {
  if (version.type !== 'draft')
    refuse(
      'not_a_draft',
      `${version.name} is a version and cannot be changed. Change the draft of its workspace instead.`,
      { versionId: version._id },
    );
}
