import { noSuchTransaction, type StoreError, storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { type Holders, type Overlay, openOverlay } from './overlay.ts';
import { earlierWrite, keepWrite, sessionName } from './retry-record.ts';
import type { Storage } from './storage.ts';
import type { WriteView } from './view.ts';

const ORPHANED_MS = 5_000;

/** A multi-document transaction of one session. */
export type Transaction = {
  session: string;
  sessionBytes: Uint8Array;
  number: bigint;
  state: 'open' | 'committing' | 'committed' | 'aborted';
  view: Overlay;
  startedAt: number;
  /** The connection that used it last. */
  connection: number;
  /** Its open cursors, ended with it. */
  closers: Set<() => void>;
  released: Promise<void>;
};

export type Transactions = {
  /** The open transaction a command belongs to, begun when it says so; 251 when there is none. */
  enter(session: Uint8Array, number: bigint, start: boolean, connection: number): Transaction;
  commit(session: Uint8Array, number: bigint, note: (view: WriteView) => void): Promise<void>;
  abort(session: Uint8Array, number: bigint): void;
  abortNow(transaction: Transaction): void;
  /** A session ended or used a newer number for a write outside transactions. */
  endSession(session: Uint8Array, belowNumber?: bigint): void;
  /** A connection went away: its transactions end too, unless another connection goes on with them within 5 s. */
  connectionLost(connection: number): void;
  heldBy(key: Buffer): HeldKey | undefined;
  /** Ends the transactions older than 60 s. */
  expire(): void;
  abortAll(): void;
  openCount(): number;
};

/** Thrown at a write outside transactions that meets a key an open transaction has written: wait for `released`, then try again. */
export class HeldKey extends Error {
  released: Promise<void>;

  constructor(released: Promise<void>) {
    super('a key is held by an open transaction');
    this.released = released;
  }
}

export function createTransactions(getStorage: () => Storage): Transactions {
  const bySession = new Map<string, Transaction>();
  const holders: Holders<Transaction> = new Map();
  const releases = new Map<Transaction, () => void>();

  function begin(session: string, sessionBytes: Uint8Array, number: bigint, connection: number): Transaction {
    const { promise, resolve } = Promise.withResolvers<void>();
    const owner = {
      session,
      sessionBytes,
      number,
      state: 'open' as const,
      startedAt: Date.now(),
      connection,
      closers: new Set<() => void>(),
      released: promise,
    };
    const transaction: Transaction = Object.assign(owner, {
      view: openOverlay(getStorage(), holders, owner as Transaction),
    });
    releases.set(transaction, resolve);
    bySession.set(session, transaction);
    return transaction;
  }

  function release(transaction: Transaction, state: 'committed' | 'aborted'): void {
    transaction.state = state;
    for (const close of transaction.closers) close();
    transaction.closers.clear();
    transaction.view.release();
    releases.get(transaction)?.();
    releases.delete(transaction);
  }

  const abortNow = (transaction: Transaction): void => {
    if (transaction.state === 'open') release(transaction, 'aborted');
  };

  return {
    enter(sessionBytes, number, start, connection) {
      const session = sessionName(sessionBytes);
      const known = bySession.get(session);
      if (start) {
        if (known && known.number > number) throw tooOld(number, known.number);
        if (known?.number === number)
          throw storeError(
            117,
            'Only servers in a sharded cluster can start a new transaction at the active transaction number',
          );
        if (known) abortNow(known);
        return begin(session, sessionBytes, number, connection);
      }
      if (!known || known.number !== number) throw notFound(number, known);
      if (known.state === 'committed')
        throw storeError(256, `Transaction with { txnNumber: ${number} } has been committed.`);
      if (known.state !== 'open')
        throw noSuchTransaction(`Transaction with { txnNumber: ${number} } has been aborted.`);
      known.connection = connection;
      return known;
    },

    async commit(sessionBytes, number, note) {
      const storage = getStorage();
      const known = bySession.get(sessionName(sessionBytes));
      if (!known || known.number !== number) {
        if (storedCommit(storage, sessionBytes, number)) return;
        throw notFound(number, known);
      }
      if (known.state === 'committing') await known.released;
      if (known.state === 'committed') return;
      if (known.state !== 'open')
        throw noSuchTransaction(`Transaction with { txnNumber: ${number} } has been aborted.`);
      if (known.view.empty) return release(known, 'committed');
      known.state = 'committing';
      let outcome: 'committed' | 'aborted' = 'aborted';
      try {
        await storage.write((view) => {
          known.view.apply(view);
          keepWrite(view, { session: sessionBytes, number }, { reply: { committed: true } });
          note(view);
        });
        outcome = 'committed';
      } finally {
        release(known, outcome);
      }
    },

    abort(sessionBytes, number) {
      const known = bySession.get(sessionName(sessionBytes));
      if (!known || known.number !== number || known.state === 'aborted') throw notFound(number, known);
      if (known.state !== 'open')
        throw storeError(256, `Transaction with { txnNumber: ${number} } has been committed.`);
      abortNow(known);
    },

    abortNow,

    endSession(sessionBytes, belowNumber) {
      const session = sessionName(sessionBytes);
      const known = bySession.get(session);
      if (!known || (belowNumber !== undefined && known.number >= belowNumber)) return;
      abortNow(known);
      if (known.state !== 'committing') bySession.delete(session);
    },

    connectionLost(connection) {
      const orphans = [...bySession.values()].filter(
        (known) => known.state === 'open' && known.connection === connection,
      );
      if (orphans.length === 0) return;
      setTimeout(() => {
        for (const orphan of orphans) if (orphan.connection === connection) abortNow(orphan);
      }, ORPHANED_MS).unref();
    },

    heldBy(key) {
      if (holders.size === 0) return undefined;
      const holder = holders.get(key.toString('latin1'));
      // Also one that waits for its commit: a write that went before it now would have it fail. It does not claim again itself.
      return holder && new HeldKey(holder.released);
    },

    expire() {
      const now = Date.now();
      for (const [session, known] of bySession) {
        if (known.state === 'open' && now - known.startedAt > LIMITS.transactionMs) abortNow(known);
        if (known.state !== 'open' && known.state !== 'committing' && now - known.startedAt > 30 * LIMITS.transactionMs)
          bySession.delete(session);
      }
    },

    abortAll() {
      for (const known of bySession.values()) abortNow(known);
    },
    openCount: () => [...bySession.values()].filter(({ state }) => state === 'open').length,
  };
}

// The commit reached the disk but its answer never reached the driver.
function storedCommit(storage: Storage, session: Uint8Array, number: bigint): boolean {
  const snapshot = storage.snapshot();
  try {
    return earlierWrite(snapshot, { session, number }) !== undefined;
  } finally {
    snapshot.close();
  }
}

function notFound(number: bigint, known: Transaction | undefined): StoreError {
  const active = known ? ` The active transaction number is ${known.number}` : '';
  return noSuchTransaction(`Given transaction number ${number} does not match any in-progress transactions.${active}`);
}

const tooOld = (number: bigint, active: bigint): StoreError =>
  storeError(
    225,
    `Cannot start transaction ${number} on session because a newer transaction ${active} has already started.`,
  );
