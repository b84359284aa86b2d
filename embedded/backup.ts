import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { decode } from './bson.ts';
import { fileFault } from './database-file.ts';
import { catalogRange, namespaceOf } from './keys.ts';
import { takeLock } from './lock.ts';
import { damagedDocuments } from './records.ts';

/** The database file inside a data folder. */
export const databaseIn = (folder: string): string => join(folder, 'store.mdb');

/** Copies the state of this moment into one file, compact, also while the store runs. The file is complete and on disk, or absent. */
export async function backUp(folder: string, target: string): Promise<Contents> {
  if (!existsSync(databaseIn(folder))) throw new Error(`There is no store in ${folder}.`);
  if (existsSync(target)) throw new Error(`${target} exists already; a backup never writes over a file.`);
  return copyTo(databaseIn(folder), target);
}

/** Puts a backup, after reading all of it, into a folder that has no store yet. */
export async function restore(folder: string, source: string): Promise<Contents> {
  if (!existsSync(source)) throw new Error(`There is no backup ${source}.`);
  refuseFaulty(source, { whole: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = takeLock(folder);
  try {
    if (existsSync(databaseIn(folder))) throw new Error(`${folder} holds a store already; restore into an empty folder.`);
    const part = `${databaseIn(folder)}.part`;
    try {
      copyFileSync(source, part);
      const contents = await check(part);
      settle(part, databaseIn(folder));
      return contents;
    } finally {
      rmSync(part, { force: true });
    }
  } finally {
    lock.release();
  }
}

/** Writes the file anew without its free pages; the store must not run. */
export async function compact(folder: string): Promise<Contents> {
  if (!existsSync(databaseIn(folder))) throw new Error(`There is no store in ${folder}.`);
  const lock = takeLock(folder);
  try {
    return await copyTo(databaseIn(folder), databaseIn(folder));
  } finally {
    lock.release();
  }
}

/** What a database file holds; throws when a document in it is damaged. */
export type Contents = { collections: number; documents: number };

async function copyTo(source: string, target: string): Promise<Contents> {
  const part = `${target}.part`;
  rmSync(part, { force: true });
  refuseFaulty(source);
  const environment = openToRead(source);
  try {
    await environment.backup(part, true);
  } finally {
    await environment.close();
  }
  const contents = await check(part);
  settle(part, target);
  return contents;
}

async function check(path: string): Promise<Contents> {
  const environment = openToRead(path);
  const contents: Contents = { collections: 0, documents: 0 };
  try {
    const [start, end] = catalogRange();
    for (const { key, value } of environment.getRange({ start, end })) {
      contents.collections++;
      const { documents, damaged } = damagedDocuments(Number(decode(value).id), (range) => environment.getRange(range));
      contents.documents += documents;
      if (damaged.length > 0) throw new Error(`${path}: ${damaged.length} damaged records in ${namespaceOf(key)}, the first is ${damaged[0]}`);
    }
    return contents;
  } finally {
    await environment.close();
    rmSync(`${path}-lock`, { force: true });
  }
}

function refuseFaulty(path: string, options?: { whole: boolean }): void {
  const fault = fileFault(path, options);
  if (fault) throw new Error(fault);
}

const openToRead = (path: string): RootDatabase<Buffer, Buffer> =>
  open<Buffer, Buffer>({ path, encoding: 'binary', keyEncoding: 'binary', readOnly: true, noSubdir: true });

// On disk under its own name first, then under the final one: a power cut leaves the old file or the new.
function settle(part: string, target: string): void {
  syncPath(part);
  renameSync(part, target);
  syncPath(dirname(target));
}

function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
