// Deletes named views.
import { describeDraftOrVersion } from '../../core/domain/versions/describe-draft-or-version.ts';
import { assertNotArchived } from '../../core/domain/versions/lifecycle.ts';
import { remove } from '../../core/store/query/records.ts';
import { lockView } from '../../core/store/views.ts';
import type { Work } from '../../core/work.ts';

/** Deletes a named view. Throws `document_archived` or `workspace_archived`. */
export async function deleteView(work: Work, { id }: { id: string }): Promise<boolean> {
  const { view, ...context } = await lockView(work, id);

  assertNotArchived(context);

  await remove(work, 'views', id);
  work.audit({
    action: 'view.deleted',
    documentId: context.document._id,
    workspaceId: context.workspace._id,
    versionId: view.versionId,
    summary: `View "${view.name}" of ${describeDraftOrVersion(context)} was deleted.`,
    changes: { viewId: { from: id, to: null }, name: { from: view.name, to: null } },
  });
  return true;
}
