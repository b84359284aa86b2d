// An archive of a store: its entries in the order of their keys, cut into pieces. A piece is a file that is named after its
// SHA-256, so that archives share the pieces that have not changed.
import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { collectionOfKey, isCatalogKey } from '../data/keys.ts';
import { withoutChecksum } from '../data/records.ts';
import { syncPath } from '../storage/disk.ts';
import { JournalDamaged, readJournal } from '../storage/journal.ts';
import { mergeWrites, type Write } from '../storage/merge.ts';
import { isJournalCurrent, writesSince } from '../storage/recent.ts';
import type { Entry } from '../storage/view.ts';
import { decode } from '../values/bson.ts';
import { openDataFile, openReadOnly } from './database-file.ts';

/** The file that lists the pieces of an archive in order, as `<sha256> <bytes>`, and the folder that contains them. */
export const PIECE_LIST = 'store.list';
export const PIECES = 'pieces';

/** The number of collections, documents and bytes in an archive, and how many bytes of it were not in an earlier one. */
export type Archived = { collections: number; documents: number; bytes: number; newBytes: number };

/**
 * A piece of files or of other records and index entries has about this many bytes. A write changes a few records, but an
 * entry in many indexes.
 */
const PIECE_BYTES = { files: 8 * 2 ** 20, records: 2 ** 20 };
const MIN_FILE_BYTES = 65_536;
const MAX_PIECE_BYTES = 32 * 2 ** 20;
// The lengths of the key and of the value.
const ENTRY_HEAD = 6;
const ATTEMPTS = 3;

/**
 * Writes the current state of a data file, which may be in use, to a folder. Pieces that `earlier` archives contain are
 * linked, or copied where the disk has no hard links. Reads every piece back, and verifies the checksum of every document.
 * Everything is on disk on return; on an error, the folder is incomplete.
 */
export async function writeArchive(source: string, target: string, earlier: readonly string[]): Promise<Archived> {
  const known = new Map(
    earlier.flatMap((folder) => piecesIn(folder).map((name) => [name, join(folder, PIECES, name)])),
  );
  mkdirSync(join(target, PIECES), { recursive: true, mode: 0o700 });
  const counts: Archived = { collections: 0, documents: 0, bytes: 0, newBytes: 0 };
  const list: string[] = [];
  await withEntries(source, async (entries) => {
    for (const piece of piecesOf(countContents(entries, counts))) {
      const name = hash('sha256', piece, 'hex');
      const isNew = !linkPiece(known.get(name), join(target, PIECES, name), name);
      if (isNew) writePiece(piece, join(target, PIECES, name), name);
      counts.bytes += piece.length;
      if (isNew) counts.newBytes += piece.length;
      list.push(`${name} ${piece.length}\n`);
      await setImmediate(); // so that the process notices the end of its parent
    }
  });
  writeFileSync(join(target, PIECE_LIST), list.join(''), { mode: 0o600, flush: true });
  for (const folder of [join(target, PIECES), target]) syncPath(folder);
  return counts;
}

/** Writes the entries of an archive to a new data file. Throws if a piece is missing or differs from its name. */
export async function readArchive(folder: string, target: string): Promise<void> {
  const environment = openDataFile(target);
  try {
    for (const name of listedPieces(folder)) {
      const piece = readPiece(join(folder, PIECES, name), name);
      environment.transactionSync(() => {
        for (const { key, value } of entriesOf(piece)) environment.putSync(key, value, { append: true });
      });
    }
  } finally {
    await environment.close();
    rmSync(`${target}-lock`, { force: true });
  }
}

// Runs `work` on the entries of a snapshot with the commits of the journal. The journal is read first: the snapshot
// contains all of its commits or none. If another process writes it meanwhile, it can look damaged, hence the retries.
async function withEntries(path: string, work: (entries: Iterable<Entry>) => Promise<void>): Promise<void> {
  const environment = openReadOnly(path);
  try {
    for (let attempt = 1; ; attempt++) {
      const journal = readJournal(path);
      environment.resetReadTxn();
      const isCurrent = isJournalCurrent(environment);
      const snapshot = environment.useReadTransaction();
      try {
        const writes = writesSince(environment, { path, isJournalCurrent: isCurrent, journal }, snapshot);
        const newest = new Map<string, Write>(writes.map((write) => [write.key.toString('latin1'), write]));
        const stored = environment.getRange({ transaction: snapshot });
        return await work(mergeWrites(stored, [...newest.keys()].sort(), (name) => newest.get(name)));
      } catch (error) {
        if (!(error instanceof JournalDamaged) || attempt === ATTEMPTS) throw error;
      } finally {
        snapshot.done();
      }
    }
  } finally {
    await environment.close();
  }
}

// Counts collections and documents; throws if a document is damaged.
function* countContents(entries: Iterable<Entry>, counts: Archived): Iterable<Entry> {
  const collections = new Set<number>();
  for (const entry of entries) {
    const collection = collectionOfKey(entry.key);
    if (isCatalogKey(entry.key)) collections.add(Number(decode(entry.value).id));
    else if (collection !== undefined && collections.has(collection)) {
      counts.documents++;
      if (!withoutChecksum(entry.value))
        throw new Error(`A record of collection ${collection} is damaged: ${entry.key.toString('hex')}`);
    }
    yield entry;
  }
  counts.collections = collections.size;
}

// The chance that a piece ends after an entry grows with the size of the entry. It depends on its key and on nothing before
// it, so that a change affects only the pieces around it.
function* piecesOf(entries: Iterable<Entry>): Iterable<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const { key, value } of entries) {
    const head = Buffer.allocUnsafe(ENTRY_HEAD);
    head.writeUInt16LE(key.length, 0);
    head.writeUInt32LE(value.length, 2);
    const entry = Buffer.concat([head, key, value]);
    parts.push(entry);
    bytes += entry.length;
    const usual = entry.length < MIN_FILE_BYTES ? PIECE_BYTES.records : PIECE_BYTES.files;
    const isEnd = (crc32(key) / 2 ** 32) * usual < entry.length;
    if (!isEnd && bytes < MAX_PIECE_BYTES) continue;
    yield Buffer.concat(parts, bytes);
    parts = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(parts, bytes);
}

function* entriesOf(piece: Buffer): Iterable<Entry> {
  for (let at = 0; at < piece.length; ) {
    const keyEnd = at + ENTRY_HEAD + piece.readUInt16LE(at);
    const end = keyEnd + piece.readUInt32LE(at + 2);
    yield { key: piece.subarray(at + ENTRY_HEAD, keyEnd), value: piece.subarray(keyEnd, end) };
    at = end;
  }
}

// Returns whether the piece of an earlier archive was linked. A damaged piece is not.
function linkPiece(earlier: string | undefined, path: string, name: string): boolean {
  if (!earlier || earlier === path || hash('sha256', readFileSync(earlier), 'hex') !== name) return false;
  try {
    linkSync(earlier, path);
    return true;
  } catch (error) {
    // The disk has no hard links, or the piece has too many.
    if (isErrorCode(error, ['EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS', 'EXDEV'])) return false;
    throw error;
  }
}

function writePiece(piece: Buffer, path: string, name: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let written = 0; written < piece.length; ) written += writeSync(file, piece, written);
  } finally {
    closeSync(file);
  }
  syncPath(path);
  readPiece(path, name);
}

function readPiece(path: string, name: string): Buffer {
  if (!existsSync(path)) throw new Error(`${path} is missing from the backup.`);
  const piece = readFileSync(path);
  if (hash('sha256', piece, 'hex') !== name) throw new Error(`${path} is damaged: its content differs from its name.`);
  return piece;
}

const PIECE_NAME = /^[0-9a-f]{64}$/;

function piecesIn(folder: string): string[] {
  const pieces = join(folder, PIECES);
  return existsSync(pieces) ? readdirSync(pieces).filter((name) => PIECE_NAME.test(name)) : [];
}

function listedPieces(folder: string): string[] {
  const names = readFileSync(join(folder, PIECE_LIST), 'utf8').trimEnd().split('\n');
  return names.map((line) => {
    const [name = ''] = line.split(' ');
    if (!PIECE_NAME.test(name)) throw new Error(`${join(folder, PIECE_LIST)} is not a list of pieces.`);
    return name;
  });
}

const isErrorCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
