// Deletes folders.
import { refuse } from '../../core/domain/errors.ts';
import { hasDocuments } from '../../core/store/documents.ts';
import { hasSubfolders } from '../../core/store/folders.ts';
import { lock, remove } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';

/** Deletes an empty folder. Throws `folder_not_empty` if it contains folders or documents, including archived ones. */
export async function deleteFolder(work: Work, { id }: { id: string }): Promise<boolean> {
  const folder = await lock(work, 'folders', id);

  if ((await hasDocuments(work, id)) || (await hasSubfolders(work, id)))
    refuse(
      'folder_not_empty',
      `Folder "${folder.name}" is not empty. Move or delete its content first, including archived documents.`,
      { folderId: id },
    );

  await remove(work, 'folders', id);
  work.audit({
    action: 'folder.deleted',
    folderId: id,
    summary: `Folder "${folder.name}" was deleted.`,
    changes: { name: { from: folder.name, to: null }, parentId: { from: folder.parentId, to: null } },
  });
  return true;
}
