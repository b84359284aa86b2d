// Reads folders with their paths.
import { folderPath } from '../../core/domain/folder-tree.ts';
import { paginateInMemory } from '../../core/domain/text/paginate-in-memory.ts';
import type { Page, PageInput } from '../../core/domain/text/paging.ts';
import { allFolders } from '../../core/store/folders.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Folder } from '../sources.ts';

/** Returns all folders with their paths, in no particular order. */
export async function foldersWithPaths(scope: Scope): Promise<Folder[]> {
  const folders = await allFolders(scope);
  return [...folders.values()].map((folder) => ({ ...folder, path: folderPath(folders, folder._id) }));
}

/**
 * Returns a page of the folders, by default all of them ordered by path. All are read anyway, because paths need the
 * folders above.
 */
export async function readFolders(
  { scope }: { scope: Scope },
  input: PageInput<'path' | 'name' | 'createdAt' | 'updatedAt'>,
): Promise<Page<Folder>> {
  return paginateInMemory(await foldersWithPaths(scope), input, {
    list: 'folders',
    keys: {
      path: ({ path }) => path,
      name: ({ name }) => name,
      createdAt: ({ createdAt }) => createdAt.getTime(),
      updatedAt: ({ updatedAt }) => updatedAt.getTime(),
    },
    idOf: ({ _id }) => _id,
    defaultOrder: { sort: 'path', descending: false },
    sizes: { default: Number.MAX_SAFE_INTEGER, max: 200 },
  });
}

/** Returns a folder with its path, or null. */
export async function folderWithPath(scope: Scope, id: string): Promise<Folder | null> {
  const folders = await allFolders(scope);
  const folder = folders.get(id);
  return folder ? { ...folder, path: folderPath(folders, id) } : null;
}
