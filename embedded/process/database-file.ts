// Checks whether a file can be opened as a database.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { hasBeenWritten, journalPath, setJournalAside } from '../storage/journal.ts';
import { NEXT_STEP } from '../storage/recent.ts';

/**
 * Returns why a file cannot be opened as a store; null if it can, or does not exist yet. LMDB maps the file into memory
 * and would end the process on any other file. `complete` also requires the length that its newest state needs, as
 * every backup has. `acceptLoss` sets the journal of a missing file aside.
 */
export function databaseFileError(path: string, { complete = false, acceptLoss = false } = {}): string | null {
  if (!existsSync(path)) return missingFileError(path, acceptLoss);
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return missingFileError(path, acceptLoss);
    const first = readMetaPage(file, 0);
    const second = first && readMetaPage(file, first.pageSize);
    // Blank: the power failed before anything was written to the new file.
    if (!complete && isBlank(file)) return missingFileError(path, acceptLoss);
    if (!first || !second) return `${path} is not a store, or its beginning is damaged. Replace it with a backup.`;
    const { lastPage } = first.transaction > second.transaction ? first : second;
    const expectedSize = (lastPage + 1) * first.pageSize;
    // The last pages of a store in use may be free and not written yet.
    if (size >= expectedSize || (!complete && isReadable(path))) return null;
    return `${path} is truncated: ${size} of ${expectedSize} bytes. Replace it with a backup.`;
  } finally {
    closeSync(file);
  }
}

// The journal accepts commits only after the data file is on disk, so a used journal implies a data file.
function missingFileError(path: string, acceptLoss: boolean): string | null {
  if (!hasBeenWritten(path)) return null;
  if (!acceptLoss) return `${path} is missing, but its journal ${journalPath(path)} exists. ${NEXT_STEP}`;
  setJournalAside(path);
  return null;
}

/** Opens a data file that no store uses. */
export const openDataFile = (path: string, { readOnly = false } = {}): RootDatabase<Buffer, Buffer> =>
  open<Buffer, Buffer>({ path, readOnly, encoding: 'binary', keyEncoding: 'binary', noSubdir: true });

/** Opens a data file for reading, also while a store uses it. */
export const openReadOnly = (path: string): RootDatabase<Buffer, Buffer> => openDataFile(path, { readOnly: true });

// Reads everything in another process, because a missing page ends the process with SIGBUS.
function isReadable(path: string): boolean {
  const main = join(import.meta.dirname, 'main.ts');
  return spawnSync(process.execPath, [main, 'read', '--from', path], { stdio: 'ignore' }).status === 0;
}

/** Reads all entries of a data file. */
export async function readEverything(path: string): Promise<void> {
  const environment = openReadOnly(path);
  for (const { value } of environment.getRange({})) value.at(-1);
  await environment.close();
}

const MAGIC = 0xbeefc0de;
// Offsets behind the page header: magic, version, address, size, two trees of 48 bytes, last page, transaction.
const OFFSETS = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 };

function isBlank(file: number): boolean {
  const page = Buffer.alloc(OFFSETS.end);
  readSync(file, page, 0, OFFSETS.end, 0);
  return page.every((byte) => byte === 0);
}

function readMetaPage(
  file: number,
  position: number,
): { pageSize: number; lastPage: number; transaction: bigint } | null {
  const page = Buffer.alloc(OFFSETS.end);
  if (readSync(file, page, 0, OFFSETS.end, position) < OFFSETS.end || page.readUInt32LE(OFFSETS.magic) !== MAGIC)
    return null;
  const pageSize = page.readUInt32LE(OFFSETS.pageSize);
  if (pageSize < 512 || pageSize > 65_536) return null;
  return {
    pageSize,
    lastPage: Number(page.readBigUInt64LE(OFFSETS.lastPage)),
    transaction: page.readBigUInt64LE(OFFSETS.transaction),
  };
}
