// Multi-document transactions: their states, locks and commits.

import { noSuchTransaction, type StoreError, storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { type KeyOwners, type Overlay, openOverlay } from './overlay.ts';
import { findRetryRecord, saveRetryRecord, sessionName } from './retry-record.ts';
import type { Storage } from './storage.ts';
import type { WriteView } from './view.ts';

const ORPHAN_TIMEOUT_MS = 5_000;

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
  /** Whether it has deleted documents, so that it may commit on a full disk. */
  frees: boolean;
  /** Functions that close its open cursors; called when the transaction ends. */
  closers: Set<() => void>;
  released: Promise<void>;
};

export type Transactions = {
  /**
   * Returns the open transaction of a command, and creates it if `start` is true. Throws NoSuchTransaction (251) if
   * there is none.
   */
  enter(session: Uint8Array, number: bigint, start: boolean, connection: number): Transaction;
  /** Commits; `beforeCommit` runs in the same storage write. Repeated calls have no effect. */
  commit(session: Uint8Array, number: bigint, beforeCommit: (view: WriteView) => void): Promise<void>;
  /** Aborts on a client's request; throws if the transaction is not open. */
  abort(session: Uint8Array, number: bigint): void;
  /** Aborts if the transaction is still open. */
  abortNow(transaction: Transaction): void;
  /** Aborts and forgets the transaction of a session that ended or that writes with a newer number (`belowNumber`). */
  endSession(session: Uint8Array, belowNumber?: bigint): void;
  /** Aborts the transactions of a lost connection, unless another connection continues them within 5 s. */
  connectionLost(connection: number): void;
  /** Returns the conflict if an open transaction has locked the key. */
  lockConflict(key: Buffer): LockConflict | undefined;
  /** Aborts transactions that are older than 60 s and forgets completed ones after 30 min. */
  expire(): void;
  abortAll(): void;
};

/**
 * Thrown by a write that is not part of a transaction if an open transaction has locked the key. Retry after `released`
 * resolves.
 */
export class LockConflict extends Error {
  released: Promise<void>;

  constructor(released: Promise<void>) {
    super('a key is locked by an open transaction');
    this.released = released;
  }
}

export function createTransactions(getStorage: () => Storage): Transactions {
  const bySession = new Map<string, Transaction>();
  const keyOwners: KeyOwners<Transaction> = new Map();
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
      frees: false,
      closers: new Set<() => void>(),
      released: promise,
    };
    const transaction: Transaction = Object.assign(owner, {
      view: openOverlay(getStorage(), keyOwners, owner as Transaction),
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
        if (known && known.number > number) throw transactionTooOld(number, known.number);
        if (known?.number === number)
          throw storeError(
            117,
            'Only servers in a sharded cluster can start a new transaction at the active transaction number',
          );
        if (known) abortNow(known);
        return begin(session, sessionBytes, number, connection);
      }
      if (!known || known.number !== number) throw transactionNotFound(number, known);
      if (known.state === 'committed')
        throw storeError(256, `Transaction with { txnNumber: ${number} } has been committed.`);
      if (known.state !== 'open')
        throw noSuchTransaction(`Transaction with { txnNumber: ${number} } has been aborted.`);
      known.connection = connection;
      return known;
    },

    async commit(sessionBytes, number, beforeCommit) {
      const storage = getStorage();
      const known = bySession.get(sessionName(sessionBytes));
      if (!known || known.number !== number) {
        if (isCommitStored(storage, sessionBytes, number)) return;
        throw transactionNotFound(number, known);
      }
      if (known.state === 'committing') await known.released;
      if (known.state === 'committed') return;
      if (known.state !== 'open')
        throw noSuchTransaction(`Transaction with { txnNumber: ${number} } has been aborted.`);
      if (known.view.empty) return release(known, 'committed');
      known.state = 'committing';
      let outcome: 'committed' | 'aborted' = 'aborted';
      try {
        await storage.write(
          (view) => {
            known.view.apply(view);
            saveRetryRecord(view, { session: sessionBytes, number }, { reply: { committed: true } });
            beforeCommit(view);
          },
          { allowWhenFull: known.frees },
        );
        outcome = 'committed';
      } finally {
        release(known, outcome);
      }
    },

    abort(sessionBytes, number) {
      const known = bySession.get(sessionName(sessionBytes));
      if (!known || known.number !== number || known.state === 'aborted') throw transactionNotFound(number, known);
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
      }, ORPHAN_TIMEOUT_MS).unref();
    },

    lockConflict(key) {
      if (keyOwners.size === 0) return undefined;
      const holder = keyOwners.get(key.toString('latin1'));
      // Includes transactions that are committing: a write before them would make their commit fail. `apply` does not
      // claim keys again.
      return holder && new LockConflict(holder.released);
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
  };
}

// Detects a commit that is on disk although the driver did not receive the response.
function isCommitStored(storage: Storage, session: Uint8Array, number: bigint): boolean {
  const snapshot = storage.snapshot();
  try {
    return findRetryRecord(snapshot, { session, number }) !== undefined;
  } finally {
    snapshot.close();
  }
}

function transactionNotFound(number: bigint, known: Transaction | undefined): StoreError {
  const active = known ? ` The active transaction number is ${known.number}` : '';
  return noSuchTransaction(`Given transaction number ${number} does not match any in-progress transactions.${active}`);
}

const transactionTooOld = (number: bigint, active: bigint): StoreError =>
  storeError(
    225,
    `Cannot start transaction ${number} on session because a newer transaction ${active} has already started.`,
  );
