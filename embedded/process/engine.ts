import type { Progress } from '../commands/write-steps.ts';
import { type Catalog, loadCatalog } from '../data/catalog.ts';
import { noteCounts } from '../data/counts.ts';
import { removeExpired } from '../data/ttl.ts';
import { type Clock, startClock } from '../protocol/clock.ts';
import type { Connection } from '../protocol/connection.ts';
import { createFailpoints, type Failpoints } from '../protocol/failpoints.ts';
import type { Watch } from '../protocol/watch.ts';
import type { Sequences } from '../protocol/wire.ts';
import { type Cursors, createCursors } from '../query/cursors.ts';
import { createTurns, forgetOldReplies, type Turns } from '../storage/retry-record.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { sweep } from '../storage/sweep.ts';
import { createTransactions, type Transaction, type Transactions } from '../storage/transactions.ts';
import type { View } from '../storage/view.ts';
import type { Doc } from '../values/bson.ts';

const HOUSEKEEPING_MS = 5_000;

/** Everything that lives as long as the process. */
export type Engine = {
  storage: Storage;
  catalog: Catalog;
  transactions: Transactions;
  cursors: Cursors;
  /** The numbered writes of each session. */
  turns: Turns;
  clock: Clock;
  log: (line: string) => void;
  /** The address clients are told, as `hello` needs it. */
  address: string;
  startedAt: number;
  /** Only with `--test-commands`. */
  failpoints?: Failpoints;
  /** Removes what dropped collections and indexes left, a little at a time. */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

/** What a command sees: its fields, and the world it runs in. */
export type Call = {
  engine: Engine;
  name: string;
  body: Doc;
  database: string;
  sequences: Sequences;
  connection: Connection;
  session: string | undefined;
  transaction: Transaction | undefined;
  watch: Watch;
  progress: Progress;
  now: Date;
};

/** The view a reading command uses, and how to give it back: a snapshot of now, or the transaction's. */
export function openView({ engine, transaction }: Call): { view: View; release: () => void } {
  if (transaction) return { view: transaction.view, release: () => undefined };
  const snapshot = engine.storage.snapshot();
  return { view: snapshot, release: () => snapshot.close() };
}

export type EngineOptions = {
  path: string;
  address: string;
  ttlSeconds: number;
  testCommands: boolean;
  log: (line: string) => void;
  onFatal: (reason: string) => void;
};

export function openEngine({ path, address, ttlSeconds, testCommands, log, onFatal }: EngineOptions): Engine {
  const transactions = createTransactions(() => storage);
  const storage = openStorage({ path, heldBy: (key) => transactions.heldBy(key), onFatal });
  const cursors = createCursors();
  const catalog = loadCatalog(storage);
  const failed = (what: string) => (error: unknown) =>
    log(`${what} failed: ${error instanceof Error ? error.message : error}`);
  const timers = [
    setInterval(() => {
      cursors.expire();
      transactions.expire();
    }, HOUSEKEEPING_MS),
    setInterval(
      () => void removeExpired(storage, catalog).catch(failed('removing expired documents')),
      ttlSeconds * 1000,
    ),
    setInterval(() => void forgetOldReplies(storage).catch(failed('forgetting old answers')), 60 * HOUSEKEEPING_MS),
  ];
  for (const timer of timers) timer.unref();
  const sweepAll = () => sweep(storage, (prefix) => catalog.isBuilding(prefix));
  // What the last process did not come to.
  void sweepAll().catch(failed('removing what was dropped'));
  return {
    sweep: sweepAll,
    storage,
    catalog,
    transactions,
    cursors,
    turns: createTurns(),
    clock: startClock(storage),
    log,
    address,
    startedAt: Date.now(),
    ...(testCommands && { failpoints: createFailpoints() }),
    async close() {
      for (const timer of timers) clearInterval(timer);
      cursors.killAll();
      transactions.abortAll();
      // Without the note everything is counted at the next start.
      catalog.stopCounting();
      await storage
        .close((view) => noteCounts(view, catalog.all(), storage.version() + 1))
        .catch(failed('noting the counts'));
    },
  };
}
