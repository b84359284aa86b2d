// The folders that are created for files of a dropped folder.
import type { Folder } from '../find/folder-rows.ts';

/** Returns a path and the paths above it: "a", "a/b" for "a/b"; nothing for a file outside of folders. */
export const pathsTo = (path: string): string[] =>
  path === '' ? [] : path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'));

/** Returns the folder below `parentId` that a path names, ignoring case. */
export function folderAt(
  folders: readonly Pick<Folder, 'id' | 'name' | 'parentId'>[],
  parentId: string | null,
  path: string,
): string | undefined {
  const [first = '', ...rest] = path.split('/');
  const found = folders.find(
    (folder) => folder.parentId === parentId && folder.name.toLowerCase() === first.toLowerCase(),
  );
  return found && rest.length > 0 ? folderAt(folders, found.id, rest.join('/')) : found?.id;
}
