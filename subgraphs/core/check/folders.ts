import { MAX_FOLDER_DEPTH } from '../domain/folder-tree.ts';
import { collection, type Scope } from '../store/query/scope.ts';
import { everyRecord } from '../store/query/whole-collections.ts';
import type { FolderRecord } from '../store/schema/collections.ts';
import type { Violation } from './invariant.ts';

/** The tree of folders, and the folders that documents say they lie in. */
export async function* checkFolders(scope: Scope): AsyncGenerator<Violation> {
  const fault = (id: string, says: string): Violation => ({ invariant: 'I8', id, message: says });
  const folders = new Map((await collection(scope, 'folders').find().toArray()).map((folder) => [folder._id, folder]));
  for (const folder of folders.values()) {
    const { _id, name, parentId } = folder;
    if (parentId && !folders.has(parentId))
      yield fault(_id, `Folder "${name}" lies in ${parentId}, which does not exist.`);
    else if (!reachesTop(folders, folder))
      yield fault(_id, `Folder "${name}" lies in itself, or deeper than ${MAX_FOLDER_DEPTH} levels.`);
  }
  for await (const documents of everyRecord(scope, 'documents'))
    for (const { _id, number, folderId } of documents)
      if (folderId && !folders.has(folderId))
        yield fault(_id, `Document ${number} lies in folder ${folderId}, which does not exist.`);
}

function reachesTop(folders: ReadonlyMap<string, FolderRecord>, folder: FolderRecord): boolean {
  let at: FolderRecord | undefined = folder;
  for (let depth = 1; at?.parentId; depth++) {
    if (depth === MAX_FOLDER_DEPTH) return false;
    at = folders.get(at.parentId);
  }
  return true;
}
