// The terms, one word for each thing everywhere:
//   document     a number, a name, and everything made of it        workspace    a branch of a document
//   draft        the editable content of a workspace                version      frozen content, numbered per document
//   revision     a released version with a label                    artifact     a file of a draft or version
//   reference    what an assembly points at                         reservation  the lease of a draft by one user
//   job          work for an engine                                 run          one execution of a generator
import { refuse } from '../errors.ts';

type DocumentState = { _id: string; number: string; archived: boolean };
type WorkspaceState = { _id: string; name: string; archived: boolean };

/** Refuses any write to an archived document. */
export function writableDocument(document: DocumentState): void {
  if (document.archived)
    refuse(
      'document_archived',
      `Document ${document.number} is archived and cannot be changed. Bring it back (unarchive) first.`,
      {
        documentId: document._id,
        number: document.number,
      },
    );
}

/** Refuses any write to an archived workspace. */
export function writableWorkspace(workspace: WorkspaceState): void {
  if (workspace.archived)
    refuse(
      'workspace_archived',
      `Workspace "${workspace.name}" is archived and cannot be changed. Bring it back (unarchive) first.`,
      {
        workspaceId: workspace._id,
      },
    );
}

/** Refuses any write in an archived document or workspace. */
export function writablePlace({ document, workspace }: { document: DocumentState; workspace: WorkspaceState }): void {
  writableDocument(document);
  writableWorkspace(workspace);
}

/** Refuses a content write unless it goes to a draft. */
export function isDraft(version: { _id: string; type: 'draft' | 'version'; name: string }): void {
  if (version.type !== 'draft')
    refuse(
      'not_a_draft',
      `${version.name} is a version, and versions are frozen. Change the draft of its workspace instead.`,
      {
        versionId: version._id,
      },
    );
}
