// The commits since the last flush to the data file: in memory, where reads find them, and in the journal.

import { randomBytes } from 'node:crypto';
import type { RootDatabase, Transaction } from 'lmdb';
import { metaKey } from '../data/keys.ts';
import {
  EPOCH_BYTES,
  type Journal,
  JournalDamaged,
  type JournalRecord,
  journalPath,
  openJournal,
  writeSize,
} from './journal.ts';
import { createMemtable, type Memtable, type Version } from './memtable.ts';
import type { Write } from './merge.ts';
import { createThreadChoice } from './thread-choice.ts';

/** The recent commits and the pending one. */
export type RecentCommits = {
  /** The number of the newest commit. */
  version(): number;
  /** The state to read from, until the next flush. */
  generation(): Generation;
  /** Adds a write to the pending commit. */
  write(key: Buffer, value: Buffer | null): void;
  /** Returns a savepoint in the pending commit. */
  savepoint(): number;
  rollBackTo(savepoint: number): void;
  /**
   * Writes the pending commit to disk. It is durable on return or when the promise resolves; throws on a disk error.
   */
  persist(): Promise<void> | undefined;
  /** Whether there are enough recent commits for a flush. */
  needsFlush(): boolean;
  /** Writes everything to the data file and syncs it. Must run between two commits. */
  flush(): Promise<void> | undefined;
  close(): void;
};

/**
 * A state of the data file and the writes since, including the pending commit. Reads that span several turns must call
 * `retain` and later `release` once.
 */
export type Generation = { readonly file: Transaction; readonly memtable: Memtable; retain(): void; release(): void };

/** LMDB aborts the process if a key is longer. */
const MAX_KEY_BYTES = 1_978;
/** A sync on the main thread avoids the cost of a thread switch, but blocks all clients while it runs. */
const MAX_SYNC_MS = 4;
const MAX_FLUSH_MS = 10;
/** A larger commit goes to the data file directly, with everything before it, so that it is not written twice. */
const MAX_JOURNALED_BYTES = 128 * 1024;
const MAX_KEYS = 1_000;
/**
 * The key of the state in the data file: the epoch of its journal, the newest commit, and the LMDB transaction that
 * wrote this state.
 */
const STATE = metaKey('journal');
type State = { epoch: Buffer; commit: number; transaction: number };

/**
 * Whether the state was written by the last transaction of the data file, so that its journal continues it. False for
 * copies and older formats.
 */
export const isJournalCurrent = (environment: RootDatabase<Buffer, Buffer>): boolean =>
  stateOf(environment)?.transaction === lastTransaction(environment);

/** The error for a data file that does not match the non-empty journal beside it. */
export function journalMismatch(path: string): JournalDamaged {
  const problem = `${path} is a copy or was written by an older version, and does not match ${journalPath(path)}, which contains acknowledged writes.`;
  return new JournalDamaged(`${problem} Restore a backup, or remove the journal to start without its writes.`);
}

/** A data file that was copied, whether it matched its journal, and the records of the journal for an epoch. */
export type Source = { path: string; isJournalCurrent: boolean; journal(epoch: Buffer): JournalRecord[] };

/**
 * Applies the journal of a data file to a copy of the file. Returns whether there were any records. Throws if they do
 * not match.
 */
export function applyJournal(copy: RootDatabase<Buffer, Buffer>, source: Source): boolean {
  const state = stateOf(copy);
  const records = state ? source.journal(state.epoch) : [];
  const last = records.at(-1);
  if (!last) return false;
  if (!source.isJournalCurrent) throw journalMismatch(source.path);
  copy.transactionSync(() => {
    for (const { writes } of records) for (const write of writes) put(copy, write);
    putState(copy, { epoch: randomBytes(EPOCH_BYTES), commit: last.commit });
  });
  return true;
}

/** Opens the recent commits of a data file and reads its journal. Throws if they do not match. */
export function openRecentCommits(environment: RootDatabase<Buffer, Buffer>, path: string): RecentCommits {
  const state = stateOf(environment);
  const newest = lastTransaction(environment);
  // If false, the stored commit number is not trusted, and the first commit goes to the data file.
  let isCurrent = isJournalCurrent(environment);
  let commit = state && isCurrent ? state.commit : Math.max(state?.commit ?? 0, newest);
  if (state && !isCurrent) commit++;
  let generation = nextGeneration();
  const opened = openJournal(path, state?.epoch ?? randomBytes(EPOCH_BYTES));
  const journal = opened?.journal;
  if (opened?.records.length && !isCurrent) throw journalMismatch(path);
  for (const record of opened?.records ?? []) {
    for (const { key, value } of record.writes) generation.memtable.write(key, value, record.commit);
    commit = record.commit;
  }
  let pending: Version[] = [];
  let bytes = 0;
  // After a failed flush, the next one runs in LMDB's thread, which detects whether the file is usable again. Until a
  // flush succeeds, the journal is not used, because the epoch on disk is unknown.
  let flushFailed = false;
  const syncs = createThreadChoice(MAX_SYNC_MS);
  const flushes = createThreadChoice(MAX_FLUSH_MS);

  function nextGeneration(): Generation {
    environment.resetReadTxn();
    const file = environment.useReadTransaction();
    let references = 1;
    return {
      file,
      memtable: createMemtable(),
      retain: () => void references++,
      release() {
        references--;
        if (references === 0) file.done();
      },
    };
  }

  function finishCommit(): void {
    if (pending.length > 0) commit++;
    pending = [];
    bytes = 0;
  }

  function appendTo(journal: Journal): Promise<void> | undefined {
    journal.write(commit + 1, pending);
    const startedAt = performance.now();
    if (syncs.isSlow())
      return journal.syncInThread().then(() => {
        syncs.recordWorkerThread(performance.now() - startedAt);
        finishCommit();
      });
    journal.sync();
    syncs.recordMainThread(performance.now() - startedAt);
    finishCommit();
    return undefined;
  }

  function flush(): Promise<void> | undefined {
    const previous = generation;
    const { memtable } = previous;
    if (memtable.keys() === 0) return undefined;
    const epoch = randomBytes(EPOCH_BYTES);
    let syncStartedAt = 0;
    const putAll = () => {
      for (const version of memtable.newest()) put(environment, version);
      putState(environment, { epoch, commit: commit + (pending.length > 0 ? 1 : 0) });
      syncStartedAt = performance.now();
    };
    const onFlushed = () => {
      flushFailed = false;
      isCurrent = true;
      finishCommit();
      journal?.reset(epoch);
      try {
        generation = nextGeneration();
      } catch (cause) {
        if (!isOutOfReaders(cause)) throw cause;
        // All reader slots of LMDB are in use: the previous generation stays, with all writes on top of it.
        return;
      }
      previous.release();
    };
    const onFlushFailed = (cause: unknown) => {
      flushFailed = true;
      throw cause;
    };
    if (flushFailed || flushes.isSlow())
      // A child transaction, because LMDB's thread would otherwise commit the writes before a throw.
      return environment
        .childTransaction(putAll)
        .then(() => flushes.recordWorkerThread(performance.now() - syncStartedAt))
        .then(onFlushed, onFlushFailed);
    try {
      environment.transactionSync(putAll);
    } catch (cause) {
      onFlushFailed(cause);
    }
    flushes.recordMainThread(performance.now() - syncStartedAt);
    onFlushed();
    return undefined;
  }

  return {
    version: () => commit,
    generation: () => generation,
    write(key, value) {
      if (key.length > MAX_KEY_BYTES)
        throw new Error(`embedded store: a key of ${key.length} bytes is longer than ${MAX_KEY_BYTES}`);
      const version = generation.memtable.write(key, value, commit + 1);
      pending.push(version);
      bytes += writeSize(version);
    },
    savepoint: () => pending.length,
    rollBackTo(savepoint) {
      for (const version of pending.splice(savepoint).reverse()) {
        generation.memtable.remove(version);
        bytes -= writeSize(version);
      }
    },
    persist() {
      if (pending.length === 0) return undefined;
      const fitsJournal = bytes <= MAX_JOURNALED_BYTES && journal?.hasSpaceFor(bytes);
      return journal && fitsJournal && isCurrent && !flushFailed ? appendTo(journal) : flush();
    },
    needsFlush: () =>
      generation.memtable.keys() >= MAX_KEYS ||
      (journal !== undefined && !journal.hasSpaceFor(2 * MAX_JOURNALED_BYTES)),
    flush,
    close() {
      generation.release();
      journal?.close();
    },
  };
}

// The number of LMDB's newest transaction.
const lastTransaction = (environment: RootDatabase<Buffer, Buffer>): number =>
  (environment.getStats() as { lastTxnId: number }).lastTxnId;

const isOutOfReaders = (cause: unknown): boolean =>
  cause instanceof Error && cause.message.startsWith('MDB_READERS_FULL');

function put(environment: RootDatabase<Buffer, Buffer>, { key, value }: Write): void {
  if (value) void environment.put(key, value);
  else void environment.remove(key);
}

function stateOf(environment: RootDatabase<Buffer, Buffer>): State | undefined {
  const bytes = environment.get(STATE);
  if (!bytes) return undefined;
  return {
    epoch: Buffer.from(bytes.subarray(0, EPOCH_BYTES)),
    commit: bytes.readDoubleLE(EPOCH_BYTES),
    transaction: bytes.readDoubleLE(EPOCH_BYTES + 8),
  };
}

// Must run in the transaction whose number it stores.
function putState(environment: RootDatabase<Buffer, Buffer>, { epoch, commit }: Omit<State, 'transaction'>): void {
  const bytes = Buffer.alloc(EPOCH_BYTES + 16);
  epoch.copy(bytes);
  bytes.writeDoubleLE(commit, EPOCH_BYTES);
  bytes.writeDoubleLE(lastTransaction(environment) + 1, EPOCH_BYTES + 8);
  void environment.put(STATE, bytes);
}
