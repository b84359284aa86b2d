import { folderPath } from '../../core/domain/folder-tree.ts';
import type { Page, PageInput } from '../../core/domain/text/paging.ts';
import { paginateInMemory } from '../../core/domain/text/paginate-in-memory.ts';
import { allFolders } from '../../core/store/folders.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Folder } from '../sources.ts';

/** All folders with their paths, in no order. */
export async function foldersWithPaths(scope: Scope): Promise<Folder[]> {
  const folders = await allFolders(scope);
  return [...folders.values()].map((folder) => ({ ...folder, path: folderPath(folders, folder._id) }));
}

/** A page of the folders, by path unless told otherwise; all of them where no size is given. They are read whole anyway: a path needs those above. */
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

/** One folder with its path. */
export async function folderWithPath(scope: Scope, id: string): Promise<Folder | null> {
  const folders = await allFolders(scope);
  const folder = folders.get(id);
  return folder ? { ...folder, path: folderPath(folders, id) } : null;
}
