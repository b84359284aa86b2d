// Queries on folders.
import { findEvery } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { FolderRecord } from './schema/collections.ts';

/** Returns all folders by id. */
export async function allFolders(scope: Scope): Promise<Map<string, FolderRecord>> {
  const found = await findEvery(scope, 'folders');
  return new Map(found.map((folder) => [folder._id, folder]));
}

/** Returns whether the folder has subfolders. */
export async function hasSubfolders(scope: Scope, folderId: string): Promise<boolean> {
  return (
    (await collection(scope, 'folders').findOne(
      { parentId: { $eq: folderId } },
      { projection: { _id: 1 }, ...within(scope) },
    )) !== null
  );
}
