import { randomBytes } from 'node:crypto';
import type { RootDatabase, Transaction } from 'lmdb';
import { metaKey } from '../data/keys.ts';
import {
  EPOCH_BYTES,
  type Journal,
  JournalDamaged,
  type JournalRecord,
  journalOf,
  openJournal,
  recordedBytes,
} from './journal.ts';
import { createMemtable, type Memtable, type Version } from './memtable.ts';
import type { Write } from './merge.ts';
import { createPace } from './pace.ts';

/** What was committed since the data file was written last: in memory, where reads find it, and in the journal. */
export type Recent = {
  /** The number of the newest commit. */
  version(): number;
  /** What to read from, until the next flush. */
  generation(): Generation;
  /** Adds to the commit that is being made. */
  write(key: Buffer, value: Buffer | null): void;
  /** A place among the writes of the commit that is being made, to go back to. */
  place(): number;
  takeBack(place: number): void;
  /** Has the commit that is being made on disk, at once or when the promise is kept; throws when the disk does not take it. */
  persist(): Promise<void> | undefined;
  /** Whether so much came together that the data file should take it over. */
  isDue(): boolean;
  /** Has everything in the data file, on disk. Between two commits. */
  flush(): Promise<void> | undefined;
  close(): void;
};

/** A state of the data file, and what was written since, with the commit that is being made. Whoever reads from it longer than a moment holds it, and lets it go once. */
export type Generation = { readonly file: Transaction; readonly memtable: Memtable; hold(): void; letGo(): void };

/** LMDB ends the process where a key is longer. */
const LONGEST_KEY = 1_978;
/** A commit on the loop costs no thread its turn, but everybody waits for as long as the disk takes. */
const QUICK_SYNC_MS = 4;
const QUICK_FLUSH_MS = 10;
/** A longer commit is not written twice, but into the data file at once, with everything before it. */
const LARGE_BYTES = 128 * 1024;
const MOST_KEYS = 1_000;
/** Under this key the data file says which journal goes on with it, the number of its newest commit, and that of the transaction of LMDB which wrote this. */
const STATE = metaKey('journal');
type State = { epoch: Buffer; commit: number; transaction: number };

/** Whether this version was the last to write to the data file, and it is no copy: then what its journal holds goes on with it. */
export const isOwn = (environment: RootDatabase<Buffer, Buffer>): boolean =>
  stateOf(environment)?.transaction === lastTransaction(environment);

/** What is said where a data file is not its own and the journal beside it holds something. */
export function notItsJournal(path: string): JournalDamaged {
  const what = `${path} was written by an earlier version, or is a copy, while ${journalOf(path)} holds what was answered before.`;
  return new JournalDamaged(
    `${what} Put a backup in place of the store, or move that file away to go on without what it holds.`,
  );
}

/** A data file that was copied, whether it was its own then, and what its journal holds for an epoch. */
export type Source = { path: string; isOwn: boolean; journal(epoch: Buffer): JournalRecord[] };

/** Puts what the journal of a data file holds beyond it into a copy of it; answers whether there was anything. Throws where they do not go together. */
export function takeOver(copy: RootDatabase<Buffer, Buffer>, source: Source): boolean {
  const state = stateOf(copy);
  const records = state ? source.journal(state.epoch) : [];
  const last = records.at(-1);
  if (!last) return false;
  if (!source.isOwn) throw notItsJournal(source.path);
  copy.transactionSync(() => {
    for (const { writes } of records) for (const write of writes) put(copy, write);
    putState(copy, { epoch: randomBytes(EPOCH_BYTES), commit: last.commit });
  });
  return true;
}

/** Reads what the journal of a data file holds beyond it. Throws where they do not go together. */
export function openRecent(environment: RootDatabase<Buffer, Buffer>, path: string): Recent {
  const state = stateOf(environment);
  const newest = lastTransaction(environment);
  // Else the first commit goes into the data file, and what it says of the commits so far is not believed.
  let isKnown = isOwn(environment);
  let commit = state && isKnown ? state.commit : Math.max(state?.commit ?? 0, newest);
  if (state && !isKnown) commit++;
  let generation = nextGeneration();
  const found = openJournal(path, state?.epoch ?? randomBytes(EPOCH_BYTES));
  const journal = found?.journal;
  if (found?.records.length && !isKnown) throw notItsJournal(path);
  for (const record of found?.records ?? []) {
    for (const { key, value } of record.writes) generation.memtable.write(key, value, record.commit);
    commit = record.commit;
  }
  let making: Version[] = [];
  let bytes = 0;
  // After a flush that failed it is for LMDB's thread to find out whether it still works: on the loop it does not look. Until one succeeds the journal takes
  // nothing: which epoch the data file has on disk is not known.
  let failed = false;
  const syncs = createPace(QUICK_SYNC_MS);
  const flushes = createPace(QUICK_FLUSH_MS);

  function nextGeneration(): Generation {
    environment.resetReadTxn();
    const file = environment.useReadTransaction();
    let holders = 1;
    return {
      file,
      memtable: createMemtable(),
      hold: () => void holders++,
      letGo() {
        holders--;
        if (holders === 0) file.done();
      },
    };
  }

  function made(): void {
    if (making.length > 0) commit++;
    making = [];
    bytes = 0;
  }

  function log(into: Journal): Promise<void> | undefined {
    into.write(commit + 1, making);
    const begun = performance.now();
    if (syncs.isSlow())
      return into.syncInThread().then(() => {
        syncs.tookInThread(performance.now() - begun);
        made();
      });
    into.sync();
    syncs.took(performance.now() - begun);
    made();
    return undefined;
  }

  function flush(): Promise<void> | undefined {
    const before = generation;
    const { memtable } = before;
    if (memtable.keys() === 0) return undefined;
    const epoch = randomBytes(EPOCH_BYTES);
    let done = 0;
    const putAll = () => {
      for (const version of memtable.newest()) put(environment, version);
      putState(environment, { epoch, commit: commit + (making.length > 0 ? 1 : 0) });
      done = performance.now();
    };
    const flushed = () => {
      failed = false;
      isKnown = true;
      made();
      journal?.startAnew(epoch);
      try {
        generation = nextGeneration();
      } catch (cause) {
        if (!isOutOfReaders(cause)) throw cause;
        // As many states are being read as LMDB has places for: the one before stays, with all that was written over it.
        return;
      }
      before.letGo();
    };
    const notFlushed = (cause: unknown) => {
      failed = true;
      throw cause;
    };
    if (failed || flushes.isSlow())
      // As a child: in a thread LMDB commits what a transaction did before it threw.
      return environment
        .childTransaction(putAll)
        .then(() => flushes.tookInThread(performance.now() - done))
        .then(flushed, notFlushed);
    try {
      environment.transactionSync(putAll);
    } catch (cause) {
      notFlushed(cause);
    }
    flushes.took(performance.now() - done);
    flushed();
    return undefined;
  }

  return {
    version: () => commit,
    generation: () => generation,
    write(key, value) {
      if (key.length > LONGEST_KEY) throw new Error(`a key of ${key.length} bytes`);
      const version = generation.memtable.write(key, value, commit + 1);
      making.push(version);
      bytes += recordedBytes(version);
    },
    place: () => making.length,
    takeBack(place) {
      for (const version of making.splice(place).reverse()) {
        generation.memtable.takeBack(version);
        bytes -= recordedBytes(version);
      }
    },
    persist() {
      if (making.length === 0) return undefined;
      return journal && isKnown && !failed && bytes <= LARGE_BYTES && journal.hasRoom(bytes) ? log(journal) : flush();
    },
    isDue: () =>
      generation.memtable.keys() >= MOST_KEYS || (journal !== undefined && !journal.hasRoom(2 * LARGE_BYTES)),
    flush,
    close() {
      generation.letGo();
      journal?.close();
    },
  };
}

// The number of LMDB's own newest commit.
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

// Inside the transaction that it names.
function putState(environment: RootDatabase<Buffer, Buffer>, { epoch, commit }: Omit<State, 'transaction'>): void {
  const bytes = Buffer.alloc(EPOCH_BYTES + 16);
  epoch.copy(bytes);
  bytes.writeDoubleLE(commit, EPOCH_BYTES);
  bytes.writeDoubleLE(lastTransaction(environment) + 1, EPOCH_BYTES + 8);
  void environment.put(STATE, bytes);
}
