// Queries on folders.
import { FOLDER_CHAIN } from '../domain/audit/audit-event.ts';
import type { Stored } from './query/deferred-writes.ts';
import { find } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { TransactionRecords } from './query/transaction-records.ts';
import type { FolderRecord } from './schema/collections.ts';

/** The folders when their audit chain had this many records. Every change of a folder is in this chain. */
type Tree = { chainSeq: number; folders: ReadonlyMap<string, FolderRecord> };

const trees = new WeakMap<Scope['db'], Tree>();

/** Returns all folders by id. A command reads them only if they have changed since the last one; `lock` may be older. */
export async function allFolders(scope: Scope): Promise<Map<string, FolderRecord>> {
  const { buffer, db } = scope;
  if (!buffer) return byId(await collection(scope, 'folders').find({}, within(scope)).toArray());
  const chainSeq = (await find(scope, 'chains', FOLDER_CHAIN))?.chainSeq ?? 0;
  const cached = trees.get(db);
  const folders =
    cached?.chainSeq === chainSeq
      ? cached.folders
      : byId((await buffer.readAll('folders')) as unknown as FolderRecord[]);
  if (!buffer.hasSent) trees.set(db, { chainSeq, folders });
  return buffer.withWrites('folders', folders as unknown as Map<string, Stored>) as unknown as Map<
    string,
    FolderRecord
  >;
}

/** Caches the folders after a transaction that added records to their audit chain and is on disk. */
export function advanceFolders(records: TransactionRecords, added: number): void {
  const tree = trees.get(records.db);
  const head = records.known('chains').get(FOLDER_CHAIN);
  if (!added || !tree || records.hasSent || (head?.chainSeq ?? 0) !== tree.chainSeq) return;
  const folders = new Map(tree.folders);
  for (const [id, record] of records.known('folders'))
    if (record) folders.set(id, record as unknown as FolderRecord);
    else folders.delete(id);
  trees.set(records.db, { chainSeq: tree.chainSeq + added, folders });
}

function byId(folders: readonly FolderRecord[]): Map<string, FolderRecord> {
  return new Map(folders.map((folder) => [folder._id, folder]));
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
