import { pathOf } from '../core/domain/folder-tree.ts';
import { allFolders } from '../core/store/folders.ts';
import type { Scope } from '../core/store/scope.ts';
import type { Folder } from './sources.ts';

/** All folders with their paths, ordered by path. */
export async function foldersWithPaths(scope: Scope): Promise<Folder[]> {
  const folders = await allFolders(scope);
  return [...folders.values()].map((folder) => ({ ...folder, path: pathOf(folders, folder._id) })).sort((a, b) => a.path.localeCompare(b.path));
}

/** One folder with its path. */
export async function folderWithPath(scope: Scope, id: string): Promise<Folder | null> {
  const folders = await allFolders(scope);
  const folder = folders.get(id);
  return folder ? { ...folder, path: pathOf(folders, id) } : null;
}
