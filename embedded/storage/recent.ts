// The commits since the last flush to the data file: in memory, where reads find them, and in the journal.

import { randomBytes } from 'node:crypto';
import type { RootDatabase, Transaction } from 'lmdb';
import { metaKey } from '../data/keys.ts';
import {
  EPOCH_BYTES,
  JOURNAL_ID_BYTES,
  type Journal,
  JournalDamaged,
  type JournalFile,
  type JournalRecord,
  journalProblem,
  journalRecords,
  openJournal,
  readJournal,
  setJournalAside,
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
  /** Writes everything to the data file and syncs it. Must run between two commits. `isLast`: before `close`. */
  flush(options?: { isLast?: boolean }): Promise<void> | undefined;
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
 * The key of the state in the data file: the epoch of its journal, the newest commit, the LMDB transaction that wrote
 * this state, the id of the journal and the time. The id is zero if the journal contains nothing that the data file
 * needs, as after a regular end. Version 0.1.0 stored neither id nor time.
 */
const STATE = metaKey('journal');
type State = { epoch: Buffer; commit: number; transaction: number; journal?: Buffer; at?: number };
const NO_JOURNAL = Buffer.alloc(JOURNAL_ID_BYTES);
const OFFSETS = { commit: EPOCH_BYTES, transaction: EPOCH_BYTES + 8, journal: EPOCH_BYTES + 16, at: EPOCH_BYTES + 24 };
const STATE_BYTES = EPOCH_BYTES + 32;

/**
 * Whether the state was written by the last transaction of the data file, so that its journal continues it. False for
 * copies and older formats.
 */
export const isJournalCurrent = (environment: RootDatabase<Buffer, Buffer>): boolean =>
  stateOf(environment)?.transaction === lastTransaction(environment);

/** What an operator can do if acknowledged writes are lost. */
export const NEXT_STEP =
  'Put the right file back or restore a backup. To continue without the lost writes, start once with --accept-loss.';

const needsJournal = (state: State): state is State & { journal: Buffer } =>
  state.journal !== undefined && !state.journal.equals(NO_JOURNAL);

// Returns which acknowledged writes are lost; null if none.
function findLoss(path: string, state: State | undefined, isCurrent: boolean, file: JournalFile): string | null {
  if (!state) return null;
  const { records, isDamaged } = journalRecords(file, state.epoch);
  if (!isCurrent)
    return records.length > 0
      ? `${path} is a copy or was written by an older version, and does not match ${file.path}, which contains acknowledged writes. ${NEXT_STEP}`
      : null;
  const problem = (needsJournal(state) && journalProblem(file, state.journal)) || (isDamaged && 'is damaged');
  if (!problem) return null;
  const last = continues(state, file) ? records.at(-1)?.commit : undefined;
  const flushed = state.at ? ` (${path} contains those until ${new Date(state.at).toISOString()})` : '';
  return `${file.path} ${problem}. The commits up to ${last ?? state.commit} are complete${flushed}. Writes acknowledged later are lost. ${NEXT_STEP}`;
}

// Whether the file is the journal that continues this state.
const continues = ({ journal }: State, { id }: JournalFile): boolean =>
  journal ? id?.equals(journal) === true : id === undefined;

/** A data file that was copied, whether it matched its journal, and the journal. */
export type Source = { path: string; isJournalCurrent: boolean; journal: JournalFile };

/**
 * Applies the journal of a data file to a copy of the file, which then needs no journal. Returns whether there were any
 * records. Throws if they do not match.
 */
export function applyJournal(copy: RootDatabase<Buffer, Buffer>, source: Source): boolean {
  const state = stateOf(copy);
  const records = recordsSince(state, source);
  // The numbers of transactions start again in a compact copy, so one could match the stored state by chance.
  if (records.length > 0 || (state && needsJournal(state))) detach(copy, records);
  return records.length > 0;
}

/**
 * Returns the writes that a snapshot of a data file lacks, oldest first, and a state that needs no journal. Throws if the
 * journal does not match.
 */
export function writesSince(
  environment: RootDatabase<Buffer, Buffer>,
  source: Source,
  snapshot: Transaction,
): readonly Write[] {
  const state = stateOf(environment, snapshot);
  const records = recordsSince(state, source);
  if (!state) return [];
  const commit = records.at(-1)?.commit ?? state.commit;
  // No data file has a transaction 0, so the copy does not trust the number of the commit.
  const value = encodeState({ epoch: randomBytes(EPOCH_BYTES), commit, transaction: 0, journal: NO_JOURNAL });
  return [...records.flatMap(({ writes }) => writes), { key: STATE, value }];
}

function recordsSince(state: State | undefined, source: Source): JournalRecord[] {
  const loss = findLoss(source.path, state, source.isJournalCurrent, source.journal);
  if (loss) throw new JournalDamaged(loss);
  return state ? journalRecords(source.journal, state.epoch).records : [];
}

// Applies records to a data file and makes it independent of its journal.
function detach(database: RootDatabase<Buffer, Buffer>, records: JournalRecord[]): void {
  const commit = records.at(-1)?.commit ?? stateOf(database)?.commit ?? 0;
  database.transactionSync(() => {
    for (const { writes } of records) for (const write of writes) put(database, write);
    putState(database, { epoch: randomBytes(EPOCH_BYTES), commit, journal: NO_JOURNAL });
  });
}

// Returns the journal of a data file if no acknowledged write is lost. Detaches the data file from the journal of version
// 0.1.0, and with `acceptLoss` from one that is not complete.
function requireJournal(environment: RootDatabase<Buffer, Buffer>, path: string, acceptLoss: boolean): JournalFile {
  const file = readJournal(path);
  const state = stateOf(environment);
  const isCurrent = isJournalCurrent(environment);
  const loss = findLoss(path, state, isCurrent, file);
  if (loss && !acceptLoss) throw new JournalDamaged(loss);
  if (!state || (!loss && (!isCurrent || state.journal))) return file;
  detach(environment, isCurrent && continues(state, file) ? journalRecords(file, state.epoch).records : []);
  if (loss) setJournalAside(path);
  return readJournal(path);
}

/**
 * Opens the recent commits of a data file and reads its journal. Throws JournalDamaged if acknowledged writes are lost;
 * `acceptLoss`: continues with the last complete state instead.
 */
export function openRecentCommits(
  environment: RootDatabase<Buffer, Buffer>,
  path: string,
  { acceptLoss = false } = {},
): RecentCommits {
  const file = requireJournal(environment, path, acceptLoss);
  const state = stateOf(environment);
  // If false, the stored commit number is not trusted.
  const isCurrent = isJournalCurrent(environment);
  let commit = state && isCurrent ? state.commit : Math.max(state?.commit ?? 0, lastTransaction(environment));
  if (state && !isCurrent) commit++;
  const epoch = state?.epoch ?? randomBytes(EPOCH_BYTES);
  const { records } = journalRecords(file, epoch);
  const opened = openJournal(file, epoch);
  const journal = opened?.journal;
  const journalId = opened?.id ?? NO_JOURNAL;
  // Until the data file names the journal, commits go to the data file.
  let isNamed = isCurrent && opened !== null && state?.journal?.equals(journalId) === true;
  let generation = nextGeneration();
  for (const record of records) {
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

  // At the end, the data file becomes independent of the journal.
  function flush({ isLast = false } = {}): Promise<void> | undefined {
    const previous = generation;
    const { memtable } = previous;
    if (memtable.keys() === 0 && !(isLast && isNamed)) return undefined;
    const epoch = randomBytes(EPOCH_BYTES);
    let syncStartedAt = 0;
    const putAll = () => {
      for (const version of memtable.newest()) put(environment, version);
      putState(environment, {
        epoch,
        commit: commit + (pending.length > 0 ? 1 : 0),
        journal: isLast ? NO_JOURNAL : journalId,
      });
      syncStartedAt = performance.now();
    };
    const onFlushed = () => {
      flushFailed = false;
      isNamed = !isLast;
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
      return journal && fitsJournal && isNamed && !flushFailed ? appendTo(journal) : flush();
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

function stateOf(environment: RootDatabase<Buffer, Buffer>, snapshot?: Transaction): State | undefined {
  const bytes = environment.get(STATE, snapshot && { transaction: snapshot });
  if (!bytes) return undefined;
  const base = {
    epoch: Buffer.from(bytes.subarray(0, EPOCH_BYTES)),
    commit: bytes.readDoubleLE(OFFSETS.commit),
    transaction: bytes.readDoubleLE(OFFSETS.transaction),
  };
  if (bytes.length < STATE_BYTES) return base;
  return {
    ...base,
    journal: Buffer.from(bytes.subarray(OFFSETS.journal, OFFSETS.at)),
    at: bytes.readDoubleLE(OFFSETS.at),
  };
}

// Must run in the transaction whose number it stores.
function putState(
  environment: RootDatabase<Buffer, Buffer>,
  state: { epoch: Buffer; commit: number; journal: Buffer },
): void {
  void environment.put(STATE, encodeState({ ...state, transaction: lastTransaction(environment) + 1 }));
}

function encodeState({ epoch, commit, transaction, journal }: Required<Omit<State, 'at'>>): Buffer {
  const bytes = Buffer.alloc(STATE_BYTES);
  epoch.copy(bytes);
  bytes.writeDoubleLE(commit, OFFSETS.commit);
  bytes.writeDoubleLE(transaction, OFFSETS.transaction);
  journal.copy(bytes, OFFSETS.journal);
  bytes.writeDoubleLE(Date.now(), OFFSETS.at);
  return bytes;
}
