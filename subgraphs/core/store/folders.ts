// Queries on folders.
import { FOLDER_CHAIN } from '../domain/audit/audit-event.ts';
import { FolderTree } from '../domain/folder-tree.ts';
import type { Stored } from './query/deferred-writes.ts';
import { find } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { TransactionRecords } from './query/transaction-records.ts';
import type { Write } from './query/write.ts';
import type { FolderRecord } from './schema/collections.ts';

/** The folders when their audit chain had this many records. Every change of a folder is in this chain. */
type Cached = { chainSeq: number; tree: FolderTree<FolderRecord> };

const cache = new WeakMap<Scope['db'], Cached>();

/** Returns all folders by id. */
export async function allFolders(scope: Scope): Promise<Map<string, FolderRecord>> {
  const folders = await collection(scope, 'folders').find({}, within(scope)).toArray();
  return new Map(folders.map((folder) => [folder._id, folder]));
}

/**
 * Returns the folders for a command that changes one. The command may change the tree. It reads the folders only if they
 * have changed since the last command; `lock` may be older. If another transaction changes a folder meanwhile, the tree
 * has that change, and the command will conflict because of the audit chain.
 */
export async function folderTree(write: Write): Promise<FolderTree<FolderRecord>> {
  const { db, buffer } = write;
  const chainSeq = (await find(write, 'chains', FOLDER_CHAIN))?.chainSeq ?? 0;
  const cached = cache.get(db);
  let tree = cached?.tree;
  if (!tree || cached?.chainSeq !== chainSeq) {
    tree = new FolderTree();
    setAll(
      tree,
      (await buffer.readAll('folders')).map((folder) => [String(folder._id), folder]),
    );
  }
  if (!buffer.hasSent) cache.set(db, { chainSeq, tree });
  const own = new FolderTree(tree);
  setAll(own, buffer.known('folders'));
  return own;
}

/** Caches the folders after a transaction that added records to their audit chain and is on disk. */
export function advanceFolders(records: TransactionRecords, added: number): void {
  const cached = cache.get(records.db);
  const head = records.known('chains').get(FOLDER_CHAIN);
  if (!added || !cached || records.hasSent || (head?.chainSeq ?? 0) !== cached.chainSeq) return;
  cached.chainSeq += added;
  setAll(cached.tree, records.known('folders'));
}

function setAll(tree: FolderTree<FolderRecord>, folders: Iterable<readonly [string, Stored | null]>): void {
  for (const [id, folder] of folders) tree.set(id, folder as FolderRecord | null);
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
