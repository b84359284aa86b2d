import { randomBytes } from 'node:crypto';
import type { RootDatabase, Transaction } from 'lmdb';
import { EPOCH_BYTES, type Journal, type JournalRecord, openJournal, recordedBytes } from './journal.ts';
import { metaKey } from './keys.ts';
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
/** Under this key the data file says which journal goes on with it, and the number of its newest commit. */
const STATE = metaKey('journal');

/** Puts what the journal holds beyond a copy of the data file into that copy; answers whether there was anything. */
export function takeOver(copy: RootDatabase<Buffer, Buffer>, journal: (epoch: Buffer) => JournalRecord[]): boolean {
  const state = copy.get(STATE);
  const records = state ? journal(state.subarray(0, EPOCH_BYTES)) : [];
  const last = records.at(-1);
  if (!last) return false;
  copy.transactionSync(() => {
    for (const { writes } of records) for (const write of writes) put(copy, write);
    void copy.put(STATE, stateOf(randomBytes(EPOCH_BYTES), last.commit));
  });
  return true;
}

/** Reads what the journal of a data file holds beyond it. */
export function openRecent(environment: RootDatabase<Buffer, Buffer>, path: string): Recent {
  const state = environment.get(STATE);
  // A file of a version before the journal has no state: the first commit writes it.
  let commit = state ? state.readDoubleLE(EPOCH_BYTES) : lastTransaction(environment);
  let generation = nextGeneration();
  const found = openJournal(path, state ? Buffer.from(state.subarray(0, EPOCH_BYTES)) : randomBytes(EPOCH_BYTES));
  const journal = found?.journal;
  for (const record of found?.records ?? []) {
    for (const { key, value } of record.writes) generation.memtable.write(key, value, record.commit);
    commit = record.commit;
  }
  let isKnown = state !== undefined;
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
      void environment.put(STATE, stateOf(epoch, commit + (making.length > 0 ? 1 : 0)));
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
    isDue: () => generation.memtable.keys() >= MOST_KEYS || (journal !== undefined && !journal.hasRoom(2 * LARGE_BYTES)),
    flush,
    close() {
      generation.letGo();
      journal?.close();
    },
  };
}

// The number of LMDB's own newest commit.
const lastTransaction = (environment: RootDatabase<Buffer, Buffer>): number => (environment.getStats() as { lastTxnId: number }).lastTxnId;

const isOutOfReaders = (cause: unknown): boolean => cause instanceof Error && cause.message.startsWith('MDB_READERS_FULL');

function put(environment: RootDatabase<Buffer, Buffer>, { key, value }: Write): void {
  if (value) void environment.put(key, value);
  else void environment.remove(key);
}

function stateOf(epoch: Buffer, commit: number): Buffer {
  const state = Buffer.alloc(EPOCH_BYTES + 8);
  epoch.copy(state);
  state.writeDoubleLE(commit, EPOCH_BYTES);
  return state;
}
