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

/** Returns the position of a cursor; null if it does not exist. */
export async function readCursor(scope: Scope, name: string): Promise<number | null> {
  return (
    (
      await collection(scope, 'eventCursors').findOne(
        { _id: { $eq: name } },
        { ...within(scope), projection: { seq: 1 } },
      )
    )?.seq ?? null
  );
}

/** Locks a cursor in a transaction, so that a concurrent one conflicts, and returns its position. */
export async function lockCursor(scope: Scope, name: string): Promise<number> {
  const found = await collection(scope, 'eventCursors').findOneAndUpdate(
    { _id: { $eq: name } },
    { $inc: { lock: 1 } },
    { ...within(scope), returnDocument: 'after' },
  );
  if (!found) throw new Error(`there is no cursor ${name}`);
  return found.seq;
}

/** Moves a cursor; with `holder`, only while that process holds it. Returns whether the cursor was moved. */
export async function moveCursor(scope: Scope, name: string, seq: number, holder?: string): Promise<boolean> {
  const filter = { _id: { $eq: name }, ...(holder === undefined ? {} : { holder: { $eq: holder } }) };
  return (
    (await collection(scope, 'eventCursors').updateOne(filter, { $set: { seq } }, within(scope))).matchedCount === 1
  );
}

/**
 * Acquires or renews the lease of a cursor. Returns its position, or null if another process holds it or the cursor
 * does not exist. A lease that ends too far in the future was acquired while the clock was ahead, and has expired.
 */
export async function acquireCursor(scope: Scope, name: string, { id, now, leaseMs }: Holder): Promise<number | null> {
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
    { returnDocument: 'after' },
  );
  return found?.seq ?? null;
}

/** Renews the lease of a cursor, unless it was lost. */
export async function renewCursor(scope: Scope, name: string, { id, now, leaseMs }: Holder): Promise<void> {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  await collection(scope, 'eventCursors').updateOne(
    { _id: { $eq: name }, holder: { $eq: id } },
    { $set: { leaseUntil } },
  );
}

/** Releases a lease, so that the next process need not wait until it expires. */
export async function releaseCursor(scope: Scope, name: string, holder: string): Promise<void> {
  await collection(scope, 'eventCursors').updateOne(
    { _id: { $eq: name }, holder: { $eq: holder } },
    { $set: { holder: null, leaseUntil: new Date(0) } },
  );
}
