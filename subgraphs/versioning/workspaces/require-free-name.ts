// Checks that a workspace name is free.
import { refuse } from '../../core/domain/errors.ts';
import { nameMatcher } from '../../core/domain/text/text.ts';
import type { DocumentRecord, WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { workspacesOf } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';

/**
 * Returns the name. Throws `name_taken` if another workspace of the document has it, ignoring case. The caller must
 * have locked the document. `renamed` is the workspace that gets the name, unless it is only about to be created.
 */
export async function requireFreeName(
  work: Work,
  document: DocumentRecord,
  name: string,
  renamed?: WorkspaceRecord,
): Promise<string> {
  if (name === renamed?.name) return name;
  const isTaken = nameMatcher(name);
  const holder = (await workspacesOf(work, [document._id])).find(
    (workspace) => workspace._id !== renamed?._id && isTaken(workspace.name),
  );
  if (!holder) return name;
  return refuse(
    'name_taken',
    `Document ${document.number} already has a workspace "${holder.name}". Choose another name; case is ignored.`,
    { name: holder.name, workspaceId: holder._id },
  );
}
