import { MAX_FOLDER_DEPTH } from '../domain/folder-tree.ts';
import { scanCollection } from '../store/query/scan.ts';
import { collection, type Scope } from '../store/query/scope.ts';
import type { FolderRecord } from '../store/schema/collections.ts';
import type { Violation } from './invariant.ts';

/** Checks the folder tree, and the folders of documents. */
export async function* checkFolders(scope: Scope): AsyncGenerator<Violation> {
  const violation = (id: string, message: string): Violation => ({ invariant: 'I8', id, message });
  const folders = new Map((await collection(scope, 'folders').find().toArray()).map((folder) => [folder._id, folder]));
  for (const folder of folders.values()) {
    const { _id, name, parentId } = folder;
    if (parentId && !folders.has(parentId))
      yield violation(_id, `Folder "${name}" is in folder ${parentId}, which does not exist.`);
    else if (!reachesTop(folders, folder))
      yield violation(_id, `Folder "${name}" contains itself, or is deeper than ${MAX_FOLDER_DEPTH} levels.`);
  }
  for await (const documents of scanCollection(scope, 'documents'))
    for (const { _id, number, folderId } of documents)
      if (folderId && !folders.has(folderId))
        yield violation(_id, `Document ${number} is in folder ${folderId}, which does not exist.`);
}

function reachesTop(folders: ReadonlyMap<string, FolderRecord>, folder: FolderRecord): boolean {
  let at: FolderRecord | undefined = folder;
  for (let depth = 1; at?.parentId; depth++) {
    if (depth === MAX_FOLDER_DEPTH) return false;
    at = folders.get(at.parentId);
  }
  return true;
}
