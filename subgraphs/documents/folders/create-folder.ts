// Creates folders. Validates folder names.
import { refuse } from '../../core/domain/errors.ts';
import { assertCanPlace, type FolderTree, folderPath } from '../../core/domain/folder-tree.ts';
import { foldCase, nameKeyMatcher, validateName } from '../../core/domain/text/text.ts';
import { folderTree } from '../../core/store/folders.ts';
import { insert, lock } from '../../core/store/query/records.ts';
import type { FolderRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import type { Folder } from '../sources.ts';

/**
 * Creates a folder. Throws `name_taken` if a sibling has the name, ignoring case, and `validation_failed` beyond 16
 * levels.
 */
export async function createFolder(
  work: Work,
  { name, parentId = null }: { name: string; parentId?: string | null },
): Promise<Folder> {
  if (parentId !== null) await lock(work, 'folders', parentId);
  const folders = await folderTree(work);

  const folder = {
    _id: work.newId('fld'),
    ...validateFolderName(name),
    parentId,
    lock: 0,
    createdAt: work.now,
    updatedAt: work.now,
  };
  assertCanPlace(folders, null, parentId);
  assertNameFree(folders, folder);

  await insert(work, 'folders', folder);
  folders.set(folder._id, folder);
  const path = folderPath(folders, folder._id);
  work.audit({ action: 'folder.created', folderId: folder._id, summary: `Folder "${path}" was created.` });
  return { ...folder, path };
}

/** Returns a folder name as it is stored. Rejects slashes, because names are joined to paths. */
export function validateFolderName(name: string): { name: string; nameKey: string } {
  const valid = validateName(name);
  if (valid.includes('/'))
    refuse('validation_failed', 'A folder name must not contain a slash.', {
      errors: [{ path: '/name', message: 'must not contain a slash' }],
    });
  return { name: valid, nameKey: foldCase(valid) };
}

/** Throws `name_taken` if another folder with the same parent has the name, ignoring case. */
export function assertNameFree(
  folders: FolderTree<FolderRecord>,
  { _id, name, parentId }: Pick<FolderRecord, '_id' | 'name' | 'parentId'>,
): void {
  const isTaken = nameKeyMatcher(name);
  const sibling = [...folders.childrenOf(parentId)].find((folder) => folder._id !== _id && isTaken(folder.nameKey));
  if (sibling)
    refuse('name_taken', `A folder "${sibling.name}" already exists in this folder. Choose another name.`, {
      name,
      holder: { folderId: sibling._id },
    });
}
