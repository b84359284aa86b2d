// Positions of consumers of the event log, with leases that give each cursor to one process.
import { isDuplicateKey } from '../query/duplicate-key.ts';
import { collection, type Scope, within } from '../query/scope.ts';

/** A process that holds a cursor, and how long its lease lasts without renewal. */
export type Holder = { id: string; now: Date; leaseMs: number };

/** Creates a cursor at a position, unless it exists. */
export async function createCursor(scope: Scope, name: string, seq: number): Promise<void> {
  const newCursor = { seq, lock: 0, holder: null, leaseUntil: new Date(0) };
  try {
    await collection(scope, 'eventCursors').updateOne(
      { _id: { $eq: name } },
      { $setOnInsert: newCursor },
      { ...within(scope), upsert: true },
    );
  } catch (error) {
    // another process created it at the same time; in a transaction, the error has ended the transaction
    if (!isDuplicateKey(error) || scope.session) throw error;
  }
}

/** Moves a cursor that no process holds, but not back. */
export async function moveCursor(scope: Scope, name: string, seq: number): Promise<void> {
  const filter = { _id: { $eq: name }, holder: null, seq: { $lt: seq } };
  await collection(scope, 'eventCursors').updateOne(filter, { $set: { seq } });
}

/**
 * Acquires the lease of a cursor. Returns its position and whether this process had the lease last; null if another
 * process holds it or the cursor does not exist. A lease that ends too far in the future was acquired while the clock
 * was ahead, and has expired.
 */
export async function acquireCursor(
  scope: Scope,
  name: string,
  { id, now, leaseMs }: Holder,
): Promise<{ seq: number; wasHeld: boolean } | null> {
  const found = await collection(scope, 'eventCursors').findOneAndUpdate(
    {
      _id: { $eq: name },
      $or: [
        { holder: { $eq: id } },
        { holder: null },
        { leaseUntil: { $not: { $gt: now, $lte: new Date(now.getTime() + 2 * leaseMs) } } },
      ],
    },
    { $set: { holder: id, leaseUntil: new Date(now.getTime() + leaseMs) } },
    { returnDocument: 'before' },
  );
  return found && { seq: found.seq, wasHeld: found.holder === id };
}

/** Stores the position of a cursor and renews its lease. Returns whether the process still had it. */
export async function saveCursor(
  scope: Scope,
  name: string,
  seq: number,
  { id, now, leaseMs }: Holder,
): Promise<boolean> {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const { matchedCount } = await collection(scope, 'eventCursors').updateOne(
    { _id: { $eq: name }, holder: { $eq: id } },
    { $set: { seq, leaseUntil } },
  );
  return matchedCount === 1;
}

/** Stores the position and releases the lease, so that the next process need not wait until it expires. */
export async function releaseCursor(scope: Scope, name: string, holder: string, seq: number): Promise<void> {
  await collection(scope, 'eventCursors').updateOne(
    { _id: { $eq: name }, holder: { $eq: holder } },
    { $set: { seq, holder: null, leaseUntil: new Date(0) } },
  );
}
