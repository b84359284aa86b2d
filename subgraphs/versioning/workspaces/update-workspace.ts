// Updates the names and descriptions of workspaces.
import { changesBetween } from '../../core/domain/audit/audit-event.ts';
import { validateAll } from '../../core/domain/errors.ts';
import { assertNotNull } from '../../core/domain/text/assert-not-null.ts';
import { foldCase, validateComment, validateName } from '../../core/domain/text/text.ts';
import { assertNotArchived } from '../../core/domain/versions/lifecycle.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { change } from '../../core/store/query/records.ts';
import type { WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { lockWorkspace } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';
import { requireFreeName } from './require-free-name.ts';

type Input = { id: string; name?: string | null; description?: string | null };

/** Updates the name or description. Omitted fields stay; null clears the description. Throws `name_taken`. */
export async function updateWorkspace(work: Work, { id, name, description }: Input): Promise<WorkspaceRecord> {
  assertNotNull({ name });
  const { document, workspace } = await lockWorkspace(work, id);

  assertNotArchived({ document, workspace });
  const after = validateAll({
    name: () => (name == null ? workspace.name : validateName(name)),
    description: () =>
      description === undefined ? workspace.description : validateComment(description, 'description'),
  });
  if (name != null) await requireFreeName(work, document, after.name, workspace);
  if (after.name === workspace.name && after.description === workspace.description) {
    work.unchanged();
    return workspace;
  }

  await touchDocument(work, document._id);
  work.audit({
    action: 'workspace.updated',
    documentId: document._id,
    workspaceId: id,
    summary: `Workspace "${after.name}" of ${document.number} was updated.`,
    changes: changesBetween(workspace, after, ['name', 'description']),
  });
  return change(work, 'workspaces', id, { ...after, nameKey: foldCase(after.name) });
}
