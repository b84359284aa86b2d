// Opens a store: its state in this process, and its background tasks.
import type { Progress } from '../commands/write-steps.ts';
import { type Catalog, loadCatalog } from '../data/catalog.ts';
import { saveCounts } from '../data/counts.ts';
import { removeExpired } from '../data/ttl.ts';
import { verifyAll } from '../data/verify.ts';
import { type ClusterClock, createClusterClock } from '../protocol/cluster-clock.ts';
import type { Connection } from '../protocol/connection.ts';
import type { TimeSlice } from '../protocol/time-slice.ts';
import type { DocumentSequences } from '../protocol/wire.ts';
import { type Cursors, createCursors } from '../query/cursors.ts';
import { createSerialRunner, removeExpiredRetryRecords, type SerialRunner } from '../storage/retry-record.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { sweep } from '../storage/sweep.ts';
import { createTransactions, type Transaction, type Transactions } from '../storage/transactions.ts';
import type { View } from '../storage/view.ts';
import type { Doc } from '../values/bson.ts';

const HOUSEKEEPING_MS = 5_000;
const FIRST_VERIFY_SECONDS = 600;

/** Fail points and commands of a module that `--test-commands` names. */
export type Failpoints = {
  /** Runs a command of the tests and returns its reply; undefined for other commands. */
  runCommand(body: Doc, store: Store): Doc | undefined;
  /**
   * Fails, delays or disconnects a command as configured; returns fields to add to the reply of a command that runs.
   */
  apply(body: Doc, connection: Connection): Promise<{ close: boolean; extraFields: Doc }>;
};

/** An open store. */
export type Store = {
  storage: Storage;
  catalog: Catalog;
  transactions: Transactions;
  cursors: Cursors;
  /** Runs the retryable writes of each session one after another. */
  runSerially: SerialRunner;
  clock: ClusterClock;
  log: (line: string) => void;
  /** The address that `hello` announces to clients. */
  address: string;
  /** Present only with `--test-commands`. */
  failpoints: Failpoints | undefined;
  /** Removes the entries of dropped collections and indexes in small steps. */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

/** One call of a command: its fields and its context. */
export type Call = {
  store: Store;
  name: string;
  body: Doc;
  database: string;
  sequences: DocumentSequences;
  connection: Connection;
  session: string | undefined;
  transaction: Transaction | undefined;
  timeSlice: TimeSlice;
  progress: Progress;
  now: Date;
};

/**
 * Returns the view a command reads from and a function to release it: a new snapshot, or the view of its transaction.
 */
export function openView({ store, transaction }: Call): { view: View; release: () => void } {
  if (transaction) return { view: transaction.view, release: () => undefined };
  const snapshot = store.storage.snapshot();
  return { view: snapshot, release: () => snapshot.close() };
}

export type StoreOptions = {
  path: string;
  address: string;
  ttlSeconds: number;
  /** How often all documents and indexes are verified. */
  verifySeconds: number;
  failpoints?: Failpoints | undefined;
  /** Continues with the last complete state if acknowledged writes are lost. */
  acceptLoss?: boolean;
  log: (line: string) => void;
  onFatal: (reason: string) => void;
};

export function openStore(options: StoreOptions): Store {
  const { path, address, ttlSeconds, verifySeconds, failpoints, acceptLoss, log, onFatal } = options;
  const transactions = createTransactions(() => storage);
  const lockConflict = (key: Buffer) => transactions.lockConflict(key);
  const storage = openStorage({ path, lockConflict, onFatal, acceptLoss: acceptLoss === true });
  const cursors = createCursors();
  const catalog = loadCatalog(storage);
  const logFailure = (task: string) => (error: unknown) =>
    log(`${task} failed: ${error instanceof Error ? error.message : error}`);
  const timers: NodeJS.Timeout[] = [
    setInterval(() => {
      cursors.expire();
      transactions.expire();
    }, HOUSEKEEPING_MS),
    setInterval(
      () => void removeExpired(storage, catalog).catch(logFailure('removing expired documents')),
      ttlSeconds * 1000,
    ),
    setInterval(
      () => void removeExpiredRetryRecords(storage).catch(logFailure('removing expired retry records')),
      60 * HOUSEKEEPING_MS,
    ),
  ];
  let closed = false;
  const verify = async () => {
    const { snapshot } = storage;
    await verifyAll({ snapshot, catalog, log, isClosed: () => closed }).catch(logFailure('verifying the store'));
    if (!closed) setTimeout(verify, verifySeconds * 1000).unref();
  };
  timers.push(setTimeout(verify, Math.min(verifySeconds, FIRST_VERIFY_SECONDS) * 1000));
  for (const timer of timers) timer.unref();
  const sweepAll = () => sweep(storage, (prefix) => catalog.isBuilding(prefix));
  // The previous process may have ended before its sweep.
  void sweepAll().catch(logFailure('removing dropped collections and indexes'));
  return {
    sweep: sweepAll,
    storage,
    catalog,
    transactions,
    cursors,
    runSerially: createSerialRunner(),
    clock: createClusterClock(storage),
    log,
    address,
    failpoints,
    async close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      cursors.killAll();
      transactions.abortAll();
      // Without stored counts the next start counts all documents. Closing makes one more commit, for which the counts
      // are valid.
      catalog.stopCounting();
      await storage
        .close((view) => saveCounts(view, catalog.all(), storage.version() + 1))
        .catch(logFailure('storing the document counts'));
    },
  };
}
