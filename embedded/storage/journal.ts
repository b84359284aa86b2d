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
import { saysNoRoom, syncPath } from './disk.ts';
import type { Write } from './merge.ts';

/**
 * What was committed since the data file was written last: one record for each commit, written behind the last and synced. The file has its full length from
 * the first day on, so that a sync has no length and no place to write down, and a full disk has room for it. It belongs to the state of the data file that
 * bears the same epoch: when the data file takes over what stands here, its new epoch makes all records worthless at once, and the next goes to the beginning.
 */
export type Journal = {
  /** Whether the record of so many bytes fits in. */
  hasRoom(bytes: number): boolean;
  /** Writes the record of a commit; it is on disk after the next sync. Where the disk does not take one of both, it is no record, and there is no room until the journal starts anew. */
  write(commit: number, writes: readonly Write[]): void;
  sync(): void;
  syncInThread(): Promise<void>;
  /** The data file holds everything, under this epoch. */
  startAnew(epoch: Buffer): void;
  close(): void;
};

/** One commit as it is read again. */
export type JournalRecord = { commit: number; writes: Write[] };

/** What was answered last cannot be read. */
export class JournalDamaged extends Error {}

export const EPOCH_BYTES = 8;
/** The file beside a data file. */
export const journalOf = (database: string): string => join(dirname(database), 'journal');
/** The bytes of one write in a record. */
export const recordedBytes = ({ key, value }: Write): number => CHANGE_HEAD + key.length + (value?.length ?? 0);

const JOURNAL_BYTES = 4 * 2 ** 20;
// A checksum of all that follows, the length of the record, the epoch, the number of the commit.
const AT = { checksum: 0, length: 4, epoch: 8, commit: 16 };
const RECORD_HEAD = 24;
// The length of the key and of the value.
const CHANGE_HEAD = 6;
const REMOVED = 0xffffffff;
const syncFile = promisify(fdatasync);

/**
 * Opens the journal of a data file with this epoch, making it where it is missing, and reads what it holds. The disk must have what is read: after a sync that
 * failed it may stand in memory alone, and is written again. Null when there is no room for the file.
 */
export function openJournal(database: string, epoch: Buffer): { journal: Journal; records: JournalRecord[] } | null {
  const path = journalOf(database);
  if (!existsSync(path) && !made(path)) return null;
  const bytes = readFileSync(path);
  const { records, end } = read(path, bytes, epoch);
  const file = openSync(path, 'r+');
  if (end > 0) {
    writeAt(file, bytes.subarray(0, end), 0);
    fdatasyncSync(file);
  }
  return { journal: writer(file, bytes.length, epoch, end), records };
}

/** Whether the journal of a data file ever took a record. */
export function hasBeenWritten(database: string): boolean {
  const path = journalOf(database);
  return existsSync(path) && readFileSync(path).some((byte) => byte !== 0);
}

/** What stands in the journal of a data file, also while its store runs: with its epoch, all that was answered before. */
export function readJournal(database: string): (epoch: Buffer) => JournalRecord[] {
  const path = journalOf(database);
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  return (epoch) => read(path, bytes, epoch).records;
}

function writer(file: number, size: number, first: Buffer, from: number): Journal {
  let epoch = first;
  let end = from;
  let last = from;
  let broken = false;
  let scratch = Buffer.allocUnsafeSlow(64 * 1024);

  // Its commit is refused: neither a start after a kill nor a backup may find it.
  function forgetLast(): void {
    broken = true;
    end = last;
    writeAt(file, Buffer.alloc(RECORD_HEAD), end);
  }

  return {
    hasRoom: (bytes) => !broken && end + RECORD_HEAD + bytes <= size,
    write(commit, writes) {
      const length = writes.reduce((sum, write) => sum + recordedBytes(write), RECORD_HEAD);
      if (length > scratch.length) scratch = Buffer.allocUnsafeSlow(2 * length);
      const record = scratch.subarray(0, length);
      put(record, epoch, commit, writes);
      try {
        writeAt(file, record, end);
      } catch (cause) {
        broken = true;
        throw cause;
      }
      last = end;
      end += length;
    },
    sync() {
      try {
        fdatasyncSync(file);
      } catch (cause) {
        forgetLast();
        throw cause;
      }
    },
    async syncInThread() {
      try {
        await syncFile(file);
      } catch (cause) {
        forgetLast();
        throw cause;
      }
    },
    startAnew(next) {
      epoch = next;
      end = 0;
      broken = false;
    },
    close: () => closeSync(file),
  };
}

// One call may write a part.
function writeAt(file: number, bytes: Buffer, place: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, place + done);
}

function put(record: Buffer, epoch: Buffer, commit: number, writes: readonly Write[]): void {
  record.writeUInt32LE(record.length, AT.length);
  epoch.copy(record, AT.epoch);
  record.writeDoubleLE(commit, AT.commit);
  let at = RECORD_HEAD;
  for (const { key, value } of writes) {
    record.writeUInt16LE(key.length, at);
    record.writeUInt32LE(value?.length ?? REMOVED, at + 2);
    at += CHANGE_HEAD;
    at += key.copy(record, at);
    if (value) at += value.copy(record, at);
  }
  record.writeUInt32LE(crc32(record.subarray(AT.length)), AT.checksum);
}

// Only the last record may be cut off: the next is not written before it is on disk. A whole one behind a gap says that the disk lost what it had confirmed.
function read(path: string, bytes: Buffer, epoch: Buffer): { records: JournalRecord[]; end: number } {
  const records: JournalRecord[] = [];
  let end = 0;
  for (let record = recordAt(bytes, end, epoch); record; record = recordAt(bytes, end, epoch)) {
    records.push({ commit: record.readDoubleLE(AT.commit), writes: writesOf(record) });
    end += record.length;
  }
  for (let at = bytes.indexOf(epoch, end); at >= 0; at = bytes.indexOf(epoch, at + 1))
    if (at >= AT.epoch && recordAt(bytes, at - AT.epoch, epoch))
      throw new JournalDamaged(
        `${path} is damaged: of what was answered last a part cannot be read. Put a backup in place of the store, or move that file away to go on without what it holds.`,
      );
  return { records, end };
}

function recordAt(bytes: Buffer, at: number, epoch: Buffer): Buffer | undefined {
  if (at + RECORD_HEAD > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at + AT.length);
  if (length < RECORD_HEAD || at + length > bytes.length) return undefined;
  const record = bytes.subarray(at, at + length);
  const isOfEpoch = record.subarray(AT.epoch, AT.epoch + EPOCH_BYTES).equals(epoch);
  return isOfEpoch && record.readUInt32LE(AT.checksum) === crc32(record.subarray(AT.length)) ? record : undefined;
}

function writesOf(record: Buffer): Write[] {
  const writes: Write[] = [];
  for (let at = RECORD_HEAD; at < record.length; ) {
    const keyEnd = at + CHANGE_HEAD + record.readUInt16LE(at);
    const length = record.readUInt32LE(at + 2);
    const end = length === REMOVED ? keyEnd : keyEnd + length;
    writes.push({
      key: record.subarray(at + CHANGE_HEAD, keyEnd),
      value: length === REMOVED ? null : record.subarray(keyEnd, end),
    });
    at = end;
  }
  return writes;
}

// Under another name until it is whole: a machine that ends meanwhile leaves none.
function made(path: string): boolean {
  const part = `${path}.part`;
  try {
    const file = openSync(part, 'w', 0o600);
    try {
      writeAt(file, Buffer.alloc(JOURNAL_BYTES), 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
    syncPath(dirname(path));
    return true;
  } catch (error) {
    rmSync(part, { force: true });
    if (saysNoRoom(error)) return false;
    throw error;
  }
}
