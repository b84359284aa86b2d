// How far those have come who follow the log, and which process does the following: leases by the clock, like that of the sealer.
import { MongoServerError } from 'mongodb';
import { collection, type Scope, within } from '../query/scope.ts';

const DUPLICATE = 11000;

/** Who follows in this process, and until when if nothing more is heard of it. */
export type Holder = { id: string; now: Date; leaseMs: number };

/** Begins a cursor at a place, unless it was begun before. */
export async function beginCursor(scope: Scope, name: string, seq: number): Promise<void> {
  const fresh = { seq, lock: 0, holder: null, leaseUntil: new Date(0) };
  try {
    await collection(scope, 'eventCursors').updateOne(
      { _id: { $eq: name } },
      { $setOnInsert: fresh },
      { ...within(scope), upsert: true },
    );
  } catch (error) {
    // another process began it at the same moment
    if (!(error instanceof MongoServerError) || error.code !== DUPLICATE || scope.session) throw error;
  }
}

/** The place a cursor has come to; null when it was never begun. */
export async function cursorPlace(scope: Scope, name: string): Promise<number | null> {
  return (
    (
      await collection(scope, 'eventCursors').findOne(
        { _id: { $eq: name } },
        { ...within(scope), projection: { seq: 1 } },
      )
    )?.seq ?? null
  );
}

/** Makes a cursor this transaction's, so that another one that does the same at that time conflicts; answers its place. */
export async function lockCursor(scope: Scope, name: string): Promise<number> {
  const found = await collection(scope, 'eventCursors').findOneAndUpdate(
    { _id: { $eq: name } },
    { $inc: { lock: 1 } },
    { ...within(scope), returnDocument: 'after' },
  );
  if (!found) throw new Error(`There is no cursor ${name}`);
  return found.seq;
}

/** Moves a cursor on, of a holder only while it holds it; answers whether it did. */
export async function moveCursor(scope: Scope, name: string, seq: number, holder?: string): Promise<boolean> {
  const filter = { _id: { $eq: name }, ...(holder === undefined ? {} : { holder: { $eq: holder } }) };
  return (
    (await collection(scope, 'eventCursors').updateOne(filter, { $set: { seq } }, within(scope))).matchedCount === 1
  );
}

/** Takes or keeps the lease of a cursor; answers its place then, null while another process has it. */
export async function holdCursor(scope: Scope, name: string, { id, now, leaseMs }: Holder): Promise<number | null> {
  const found = await collection(scope, 'eventCursors').findOneAndUpdate(
    { _id: { $eq: name }, $or: [{ holder: { $eq: id } }, { holder: null }, { leaseUntil: { $lte: now } }] },
    { $set: { holder: id, leaseUntil: new Date(now.getTime() + leaseMs) } },
    { returnDocument: 'after' },
  );
  return found?.seq ?? null;
}

/** Keeps the lease of a cursor that is held; one that was lost meanwhile stays lost. */
export async function keepCursor(scope: Scope, name: string, { id, now, leaseMs }: Holder): Promise<void> {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  await collection(scope, 'eventCursors').updateOne(
    { _id: { $eq: name }, holder: { $eq: id } },
    { $set: { leaseUntil } },
  );
}

/** Ends a lease, so that the next process need not wait for it to run out. */
export async function releaseCursor(scope: Scope, name: string, holder: string): Promise<void> {
  await collection(scope, 'eventCursors').updateOne(
    { _id: { $eq: name }, holder: { $eq: holder } },
    { $set: { holder: null, leaseUntil: new Date(0) } },
  );
}
