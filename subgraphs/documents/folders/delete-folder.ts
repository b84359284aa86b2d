import { refuse } from '../../core/domain/errors.ts';
import { folderHoldsDocuments } from '../../core/store/documents.ts';
import { folderHoldsFolders } from '../../core/store/folders.ts';
import { lock, remove } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';

/** Deletes an empty folder; archived documents count as content. Refuses with `folder_not_empty`. */
export async function deleteFolder(work: Work, { id }: { id: string }): Promise<boolean> {
  const folder = await lock(work, 'folders', id);

  if ((await folderHoldsDocuments(work, id)) || (await folderHoldsFolders(work, id)))
    refuse(
      'folder_not_empty',
      `Folder "${folder.name}" is not empty. Move or delete what it holds first (archived documents count too).`,
      {
        folderId: id,
      },
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
