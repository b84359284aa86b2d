// The journal of recent commits on disk.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { isOutOfSpace, syncPath } from './disk.ts';
import type { Write } from './merge.ts';

/**
 * The commits since the last flush to the data file, one synced record per commit. The file is created with its full
 * length, so that a sync updates no metadata and a full disk cannot prevent an append. Each record contains the epoch
 * of the data file. A flush stores a new epoch in the data file, which invalidates all records, and the next record is
 * written after the header. The header has an id, which the data file stores too, so that a missing, emptied, truncated
 * or foreign journal is noticed.
 */
export type Journal = {
  /** Whether a record with this many bytes of writes fits. */
  hasSpaceFor(bytes: number): boolean;
  /**
   * Writes the record of a commit, which is durable after the next sync. If the write or the sync fails, the record is
   * invalid and the journal accepts no more records until `reset`.
   */
  write(commit: number, writes: readonly Write[]): void;
  sync(): void;
  syncInThread(): Promise<void>;
  /** Starts from the beginning after the data file was flushed with this epoch. */
  reset(epoch: Buffer): void;
  close(): void;
};

/** One commit as read from the journal. */
export type JournalRecord = { commit: number; writes: Write[] };

/** The journal file as it was read. `offset`: where its records begin; zero in the format of version 0.1.0. */
export type JournalFile = { path: string; bytes: Buffer | undefined; id: Buffer | undefined; offset: number };

/** The journal contains acknowledged writes that cannot be read. */
export class JournalDamaged extends Error {}

export const EPOCH_BYTES = 8;
export const JOURNAL_ID_BYTES = 8;
/** The path of the journal of a data file. */
export const journalPath = (database: string): string => join(dirname(database), 'journal');
/** The size of one write in a record, in bytes. */
export const writeSize = ({ key, value }: Write): number => WRITE_HEAD + key.length + (value?.length ?? 0);

const JOURNAL_BYTES = 4 * 2 ** 20;
// The first page: a name, the id of the journal, and a checksum of both. It is written once.
const NAME = Buffer.from('PDMJRNL1');
const ID_END = NAME.length + JOURNAL_ID_BYTES;
const HEADER_BYTES = 4096;
// The offsets of: the checksum of all that follows, the record length, the epoch, the commit number.
const OFFSETS = { checksum: 0, length: 4, epoch: 8, commit: 16 };
const RECORD_HEAD = 24;
// The lengths of the key and of the value.
const WRITE_HEAD = 6;
const REMOVED = 0xffffffff;
const syncFile = promisify(fdatasync);

/** Reads the journal of a data file, which a running store may be using. */
export function readJournal(database: string): JournalFile {
  const path = journalPath(database);
  const bytes = existsSync(path) ? readFileSync(path) : undefined;
  const id = bytes && idIn(bytes);
  return { path, bytes, id, offset: id ? HEADER_BYTES : 0 };
}

/** Returns what is wrong with a journal that a data file needs; null if it is complete. */
export function journalProblem({ bytes, id }: JournalFile, expected: Buffer): string | null {
  if (!bytes) return 'is missing';
  if (bytes.length < JOURNAL_BYTES) return `is truncated to ${bytes.length} of ${JOURNAL_BYTES} bytes`;
  if (!id) return 'was emptied or overwritten';
  return id.equals(expected) ? null : 'belongs to another store or to an earlier state of this one';
}

/**
 * Returns the records of an epoch up to the first that cannot be read. Only the last record may be incomplete, because
 * each is synced before the next is written: `isDamaged`: a valid record follows, so acknowledged writes are lost.
 */
export function journalRecords(file: JournalFile, epoch: Buffer): { records: JournalRecord[]; isDamaged: boolean } {
  const { bytes = Buffer.alloc(0), offset } = file;
  const records: JournalRecord[] = [];
  let end = offset;
  for (let record = recordAt(bytes, end, epoch); record; record = recordAt(bytes, end, epoch)) {
    records.push({ commit: record.readDoubleLE(OFFSETS.commit), writes: writesOf(record) });
    end += record.length;
  }
  for (let at = bytes.indexOf(epoch, end); at >= 0; at = bytes.indexOf(epoch, at + 1))
    if (at >= OFFSETS.epoch && recordAt(bytes, at - OFFSETS.epoch, epoch)) return { records, isDamaged: true };
  return { records, isDamaged: false };
}

/**
 * Opens a journal for writing after its records, or creates it. Writes and syncs the records again, because after a
 * failed sync they may exist in the page cache only. Returns null if the disk has no space for the file.
 */
export function openJournal(
  { path, bytes, id: known, offset }: JournalFile,
  epoch: Buffer,
): { journal: Journal; id: Buffer } | null {
  const usable = bytes && bytes.length === JOURNAL_BYTES ? known : undefined;
  const id = usable ?? randomBytes(JOURNAL_ID_BYTES);
  if (!usable && !createFile(path, id)) return null;
  const file = openSync(path, 'r+');
  let end = usable ? offset : HEADER_BYTES;
  for (let record = usable && recordAt(bytes!, end, epoch); record; record = recordAt(bytes!, end, epoch))
    end += record.length;
  if (usable && end > offset) {
    writeAt(file, bytes!.subarray(offset, end), offset);
    fdatasyncSync(file);
  }
  return { journal: createWriter(file, JOURNAL_BYTES, epoch, end), id };
}

/** Renames a journal whose writes are given up, so that it is not lost. */
export function setJournalAside(database: string): void {
  const path = journalPath(database);
  if (existsSync(path)) renameSync(path, `${path}.given-up`);
}

/** Whether the journal of a data file has ever contained a record. */
export function hasBeenWritten(database: string): boolean {
  const { bytes, offset } = readJournal(database);
  return bytes?.subarray(offset).some((byte) => byte !== 0) ?? false;
}

function idIn(bytes: Buffer): Buffer | undefined {
  const isValid =
    bytes.length >= HEADER_BYTES &&
    bytes.subarray(0, NAME.length).equals(NAME) &&
    bytes.readUInt32LE(ID_END) === crc32(bytes.subarray(0, ID_END));
  return isValid ? bytes.subarray(NAME.length, ID_END) : undefined;
}

function createWriter(file: number, size: number, firstEpoch: Buffer, start: number): Journal {
  let epoch = firstEpoch;
  let end = start;
  let lastStart = start;
  let broken = false;
  let scratch = Buffer.allocUnsafeSlow(64 * 1024);

  // The commit fails, so neither a restart nor a backup may find its record.
  function eraseLast(): void {
    broken = true;
    end = lastStart;
    writeAt(file, Buffer.alloc(RECORD_HEAD), end);
  }

  return {
    hasSpaceFor: (bytes) => !broken && end + RECORD_HEAD + bytes <= size,
    write(commit, writes) {
      const length = writes.reduce((sum, write) => sum + writeSize(write), RECORD_HEAD);
      if (length > scratch.length) scratch = Buffer.allocUnsafeSlow(2 * length);
      const record = scratch.subarray(0, length);
      encodeRecord(record, epoch, commit, writes);
      try {
        writeAt(file, record, end);
      } catch (cause) {
        broken = true;
        throw cause;
      }
      lastStart = end;
      end += length;
    },
    sync() {
      try {
        fdatasyncSync(file);
      } catch (cause) {
        eraseLast();
        throw cause;
      }
    },
    async syncInThread() {
      try {
        await syncFile(file);
      } catch (cause) {
        eraseLast();
        throw cause;
      }
    },
    reset(next) {
      epoch = next;
      end = HEADER_BYTES;
      broken = false;
    },
    close: () => closeSync(file),
  };
}

// One call may write only a part of the bytes.
function writeAt(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

function encodeRecord(record: Buffer, epoch: Buffer, commit: number, writes: readonly Write[]): void {
  record.writeUInt32LE(record.length, OFFSETS.length);
  epoch.copy(record, OFFSETS.epoch);
  record.writeDoubleLE(commit, OFFSETS.commit);
  let at = RECORD_HEAD;
  for (const { key, value } of writes) {
    record.writeUInt16LE(key.length, at);
    record.writeUInt32LE(value?.length ?? REMOVED, at + 2);
    at += WRITE_HEAD;
    at += key.copy(record, at);
    if (value) at += value.copy(record, at);
  }
  record.writeUInt32LE(crc32(record.subarray(OFFSETS.length)), OFFSETS.checksum);
}

function recordAt(bytes: Buffer, at: number, epoch: Buffer): Buffer | undefined {
  if (at + RECORD_HEAD > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at + OFFSETS.length);
  if (length < RECORD_HEAD || at + length > bytes.length) return undefined;
  const record = bytes.subarray(at, at + length);
  const isOfEpoch = record.subarray(OFFSETS.epoch, OFFSETS.epoch + EPOCH_BYTES).equals(epoch);
  return isOfEpoch && record.readUInt32LE(OFFSETS.checksum) === crc32(record.subarray(OFFSETS.length))
    ? record
    : undefined;
}

function writesOf(record: Buffer): Write[] {
  const writes: Write[] = [];
  for (let at = RECORD_HEAD; at < record.length; ) {
    const keyEnd = at + WRITE_HEAD + record.readUInt16LE(at);
    const length = record.readUInt32LE(at + 2);
    const end = length === REMOVED ? keyEnd : keyEnd + length;
    writes.push({
      key: record.subarray(at + WRITE_HEAD, keyEnd),
      value: length === REMOVED ? null : record.subarray(keyEnd, end),
    });
    at = end;
  }
  return writes;
}

// Creates the file under a temporary name, so that a crash leaves no incomplete journal. Returns false if the disk is
// full.
function createFile(path: string, id: Buffer): boolean {
  const part = `${path}.part`;
  try {
    const file = openSync(part, 'w', 0o600);
    try {
      const bytes = Buffer.alloc(JOURNAL_BYTES);
      NAME.copy(bytes);
      id.copy(bytes, NAME.length);
      bytes.writeUInt32LE(crc32(bytes.subarray(0, ID_END)), ID_END);
      writeAt(file, bytes, 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
    syncPath(dirname(path));
    return true;
  } catch (error) {
    rmSync(part, { force: true });
    if (isOutOfSpace(error)) return false;
    throw error;
  }
}
