import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { catalogRange, namespaceOf } from '../data/keys.ts';
import { damagedDocuments } from '../data/records.ts';
import { syncPath } from '../storage/disk.ts';
import { JournalDamaged, journalOf, readJournal } from '../storage/journal.ts';
import { isOwn, type Source, takeOver } from '../storage/recent.ts';
import { decode } from '../values/bson.ts';
import { fileFault } from './database-file.ts';
import { takeLock } from './lock.ts';

const ATTEMPTS = 3;

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
    if (existsSync(databaseIn(folder)))
      throw new Error(`${folder} holds a store already; restore into an empty folder.`);
    const part = `${databaseIn(folder)}.part`;
    try {
      copyFileSync(source, part);
      const contents = await check(part);
      // One that was left behind could go on with the backup, when this was made of the same store.
      rmSync(journalOf(databaseIn(folder)), { force: true });
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

// What is in the journal when it begins is in the copy: the data file takes over all of it or nothing. Read while another process writes it, it may seem damaged.
async function copyTo(source: string, target: string): Promise<Contents> {
  const part = `${target}.part`;
  refuseFaulty(source);
  for (let attempt = 1; ; attempt++) {
    const journal = readJournal(source);
    try {
      const own = await copyFile(source, part);
      await addRecent(part, { path: source, isOwn: own, journal });
      break;
    } catch (error) {
      rmSync(part, { force: true });
      if (!(error instanceof JournalDamaged) || attempt === ATTEMPTS) throw error;
    }
  }
  const contents = await check(part);
  settle(part, target);
  return contents;
}

// Answers whether the source was its own when it was copied.
async function copyFile(source: string, target: string): Promise<boolean> {
  rmSync(target, { force: true });
  const environment = openToRead(source);
  try {
    const own = isOwn(environment);
    await environment.backup(target, true);
    return own;
  } finally {
    await environment.close();
  }
}

// Copied once more where something was added: a copy is compact.
async function addRecent(part: string, source: Source): Promise<void> {
  const environment = open<Buffer, Buffer>({ ...BINARY, path: part });
  const whole = `${part}.whole`;
  let added = false;
  try {
    added = takeOver(environment, source);
  } finally {
    await environment.close();
    rmSync(`${part}-lock`, { force: true });
  }
  if (!added) return;
  await copyFile(part, whole);
  rmSync(`${part}-lock`, { force: true });
  renameSync(whole, part);
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
      if (damaged.length > 0)
        throw new Error(
          `${path}: ${damaged.length} damaged records in ${namespaceOf(key)}, the first is ${damaged[0]}`,
        );
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

const BINARY = { encoding: 'binary', keyEncoding: 'binary', noSubdir: true } as const;

const openToRead = (path: string): RootDatabase<Buffer, Buffer> =>
  open<Buffer, Buffer>({ ...BINARY, path, readOnly: true });

// On disk under its own name first, then under the final one: a power cut leaves the old file or the new.
function settle(part: string, target: string): void {
  syncPath(part);
  renameSync(part, target);
  syncPath(dirname(target));
}
