// Renames and moves folders.
import { changesBetween } from '../../core/domain/audit/audit-event.ts';
import { assertCanPlace, folderPath } from '../../core/domain/folder-tree.ts';
import { assertNotNull } from '../../core/domain/text/assert-not-null.ts';
import { folderTree } from '../../core/store/folders.ts';
import { change, lock } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';
import type { Folder } from '../sources.ts';
import { assertNameFree, validateFolderName } from './create-folder.ts';

/**
 * Renames or moves a folder; `parentId` null moves it to the top level. Throws `name_taken`, `folder_cycle`, and
 * `validation_failed` beyond 16 levels.
 */
export async function updateFolder(
  work: Work,
  { id, name, parentId }: { id: string; name?: string | null; parentId?: string | null },
): Promise<Folder> {
  assertNotNull({ name });
  const before = await lock(work, 'folders', id);
  if (parentId != null) await lock(work, 'folders', parentId);
  const folders = await folderTree(work);

  const after = {
    ...before,
    ...(name == null ? {} : validateFolderName(name)),
    parentId: parentId === undefined ? before.parentId : parentId,
  };
  if (after.parentId !== before.parentId) assertCanPlace(folders, id, after.parentId);
  const changes = changesBetween(before, after, ['name', 'parentId']);
  if (before.name === after.name && before.parentId === after.parentId) {
    work.unchanged();
    return { ...before, path: folderPath(folders, id) };
  }
  assertNameFree(folders, after);

  const path = folderPath(folders, id);
  const changed = await change(work, 'folders', id, {
    name: after.name,
    nameKey: after.nameKey,
    parentId: after.parentId,
    updatedAt: work.now,
  });
  folders.set(id, changed);
  const newPath = folderPath(folders, id);
  work.audit({
    action: 'folder.updated',
    folderId: id,
    summary: `Folder "${path}" was renamed or moved to "${newPath}".`,
    changes,
  });
  return { ...changed, path: newPath };
}
