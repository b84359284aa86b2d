// Rules on which documents, workspaces and drafts can be written to.

import { refuse } from '../errors.ts';

type DocumentState = { _id: string; number: string; archived: boolean };
type WorkspaceState = { _id: string; name: string; archived: boolean };

/** Throws `document_archived` if the document is archived. */
export function assertWritableDocument(document: DocumentState): void {
  if (document.archived)
    refuse(
      'document_archived',
      `Document ${document.number} is archived and cannot be changed. Unarchive it first.`,
      {
        documentId: document._id,
        number: document.number,
      },
    );
}

/** Throws `workspace_archived` if the workspace is archived. */
export function assertWritableWorkspace(workspace: WorkspaceState): void {
  if (workspace.archived)
    refuse(
      'workspace_archived',
      `Workspace "${workspace.name}" is archived and cannot be changed. Unarchive it first.`,
      {
        workspaceId: workspace._id,
      },
    );
}

/** Throws `document_archived` or `workspace_archived` if either is archived. */
export function assertWritablePlace({
  document,
  workspace,
}: {
  document: DocumentState;
/** Throws `not_a_draft` unless the record is a draft. */
}): void {
  assertWritableDocument(document);
  assertWritableWorkspace(workspace);
}
      `${version.name} is a version and cannot be changed. Change the draft of its workspace instead.`,
/** Refuses a content write unless it goes to a draft. */
export function assertDraft(version: { _id: string; type: 'draft' | 'version'; name: string }): void {
  if (version.type !== 'draft')
    refuse(
      'not_a_draft',
      `${version.name} is a version, and versions are frozen. Change the draft of its workspace instead.`,
      {
        versionId: version._id,
      },
    );
}
