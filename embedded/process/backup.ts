// Backs up, restores and compacts the database file of a store.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalogRange, namespaceOf } from '../data/keys.ts';
import { damagedDocuments } from '../data/records.ts';
import { isDiskFull, isOutOfSpace, syncPath } from '../storage/disk.ts';
import { JournalDamaged, journalPath, readJournal } from '../storage/journal.ts';
import { applyJournal, isJournalCurrent, type Source } from '../storage/recent.ts';
import { decode } from '../values/bson.ts';
import { type Archived, readArchive, writeArchive } from './archive.ts';
import { databaseFileError, openDataFile, openReadOnly } from './database-file.ts';
import { acquireLock } from './lock.ts';

const ATTEMPTS = 3;

/** Returns the path of the database file in a data folder. */
export const databasePath = (folder: string): string => join(folder, 'store.mdb');

/**
 * Copies the current state of a store, which may be running, into one compact file. The file is complete and on disk,
 * or absent.
 */
export async function backUp(folder: string, target: string): Promise<Contents> {
  if (!existsSync(databasePath(folder))) throw new Error(`There is no store in ${folder}.`);
  if (existsSync(target)) throw new Error(`${target} already exists; a backup never overwrites a file.`);
  return copyDatabase(databasePath(folder), target);
}

/**
 * Writes the current state of a store, which may be running, to a folder, without the pieces that archives in the
 * `earlier` folders contain.
 */
export async function archive(folder: string, target: string, earlier: readonly string[]): Promise<Archived> {
  if (!existsSync(databasePath(folder))) throw new Error(`There is no store in ${folder}.`);
  assertDatabaseFile(databasePath(folder));
  try {
    return await writeArchive(databasePath(folder), target, earlier);
  } catch (error) {
    if (!isDiskFull(error, target)) throw error;
    throw new Error(`The disk of ${target} is full.`);
  }
}

/** Restores a backup, a file or an archive, into a folder without a store, after verifying every document in it. */
export async function restore(folder: string, source: string): Promise<Contents> {
  if (!existsSync(source)) throw new Error(`The backup ${source} does not exist.`);
  const isArchive = statSync(source).isDirectory();
  if (!isArchive) assertDatabaseFile(source, { complete: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = acquireLock(folder);
  try {
    if (existsSync(databasePath(folder)))
      throw new Error(`${folder} already contains a store; restore into an empty folder.`);
    const partial = `${databasePath(folder)}.part`;
    try {
      if (isArchive) await readArchive(source, partial);
      else copyFileSync(source, partial);
      const contents = await verifyContents(partial);
      // A journal left behind by the same store would be replayed over the backup.
      rmSync(journalPath(databasePath(folder)), { force: true });
      moveIntoPlace(partial, databasePath(folder));
      return contents;
    } finally {
      rmSync(partial, { force: true });
    }
  } finally {
    lock.release();
  }
}

/** Rewrites the database file without its free pages. The store must not run. */
export async function compact(folder: string): Promise<Contents> {
  if (!existsSync(databasePath(folder))) throw new Error(`There is no store in ${folder}.`);
  const lock = lockForCompaction(folder);
  try {
    return await copyDatabase(databasePath(folder), databasePath(folder));
  } finally {
    lock.release();
  }
}

function lockForCompaction(folder: string): ReturnType<typeof acquireLock> {
  try {
    return acquireLock(folder);
  } catch (error) {
    throw isOutOfSpace(error) ? diskFull(folder) : error;
  }
}

const diskFull = (folder: string): Error =>
  new Error(
    `The disk of ${folder} is full: the copy needs as much free space as the store has data. Nothing was changed.`,
  );

/** The number of collections and documents in a database file. */
export type Contents = { collections: number; documents: number };

// Read the journal first: the copy made afterwards contains all of its commits or none, because the data file takes
// over the whole journal at once. If another process writes the journal meanwhile, it can look damaged, hence the
// retries.
async function copyDatabase(source: string, target: string): Promise<Contents> {
  const partial = `${target}.part`;
  assertDatabaseFile(source);
  for (let attempt = 1; ; attempt++) {
    const journal = readJournal(source);
    try {
      const wasCurrent = await copyFile(source, partial);
      await addJournaledCommits(partial, { path: source, isJournalCurrent: wasCurrent, journal });
      break;
    } catch (error) {
      for (const file of [partial, `${partial}.compact`]) rmSync(file, { force: true });
      if (isDiskFull(error, dirname(target))) throw diskFull(dirname(target));
      if (!(error instanceof JournalDamaged) || attempt === ATTEMPTS) throw error;
    }
  }
  try {
    const contents = await verifyContents(partial);
    moveIntoPlace(partial, target);
    return contents;
  } finally {
    rmSync(partial, { force: true });
  }
}

// Returns whether the journal of the source belonged to it at the time of the copy.
async function copyFile(source: string, target: string): Promise<boolean> {
  rmSync(target, { force: true });
  const environment = openReadOnly(source);
  try {
    const wasCurrent = isJournalCurrent(environment);
    await environment.backup(target, true);
    return wasCurrent;
  } finally {
    await environment.close();
  }
}

// Adds the commits of the journal. Copies again if there were any, because only a copy is compact.
async function addJournaledCommits(partial: string, source: Source): Promise<void> {
  const environment = openDataFile(partial);
  const compacted = `${partial}.compact`;
  let added = false;
  try {
    added = applyJournal(environment, source);
  } finally {
    await environment.close();
    rmSync(`${partial}-lock`, { force: true });
  }
  if (!added) return;
  await copyFile(partial, compacted);
  rmSync(`${partial}-lock`, { force: true });
  renameSync(compacted, partial);
}

// Counts the contents; throws if a document is damaged.
async function verifyContents(path: string): Promise<Contents> {
  const environment = openReadOnly(path);
  const contents: Contents = { collections: 0, documents: 0 };
  try {
    const [start, end] = catalogRange();
    for (const { key, value } of environment.getRange({ start, end })) {
      contents.collections++;
      const { documents, damaged } = damagedDocuments(Number(decode(value).id), (range) => environment.getRange(range));
      contents.documents += documents;
      if (damaged.length > 0)
        throw new Error(
          `${path}: ${damaged.length} damaged records in ${namespaceOf(key)}; the first is record ${damaged[0]}`,
        );
    }
    return contents;
  } finally {
    await environment.close();
    rmSync(`${path}-lock`, { force: true });
  }
}

function assertDatabaseFile(path: string, options?: { complete: boolean }): void {
  const error = databaseFileError(path, options);
  if (error) throw new Error(error);
}

// Syncs the file before renaming it: a power loss leaves either the old file or the new one.
function moveIntoPlace(partial: string, target: string): void {
  syncPath(partial);
  renameSync(partial, target);
  syncPath(dirname(target));
}
