// Writes the sealed log. Records and seals are only inserted; pending links are removed in the transaction that seals
// them.
import { randomUUID } from 'node:crypto';
import {
  type LogTree,
  type PendingLink,
  type PendingTransaction,
  type Seal,
  sealRecords,
  selectSealable,
} from '../../domain/audit/seal-log.ts';
import type { Mongo } from '../mongo.ts';
import { flushDeferredWrites, transientConflict } from '../query/deferred-writes.ts';
import { isDuplicateKey } from '../query/duplicate-key.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { AuditTreeRecord, PendingRecord } from '../schema/collections.ts';
import { keepSealed } from './recent-events.ts';

/** The maximum number of transactions whose records are sealed at once. */
export const MAX_SEALED_TRANSACTIONS = 1_000;
/** The expected number of records of a transaction. It bounds the size of a sealing transaction. */
const RECORDS_PER_TRANSACTION = 2;

/**
 * A process that seals. `tree`: the tree as this sealer left it, which need not be read again. `checkpoint`: whether to
 * store a checkpoint too.
 */
export type Sealer = {
  id: string;
  now: Date;
  leaseMs: number;
  batch?: number;
  tree?: AuditTreeRecord | null;
  checkpoint?: boolean;
  sign(text: string, name: string): string;
};

/** How many records were sealed, and the tree after that; null if another sealer holds the lease. */
export type Sealing = { count: number; tree: AuditTreeRecord | null };

/** Returns the tree of the log; creates it with a new name for the log if there is none. */
export async function ensureAuditTree(scope: Scope): Promise<AuditTreeRecord> {
  const empty = { log: randomUUID(), size: 0, peaks: [], note: null, sealer: null, leaseUntil: new Date(0) };
  await collection(scope, 'auditTree')
    .updateOne({ _id: 'tree' }, { $setOnInsert: empty }, { upsert: true })
    .catch(ignoreDuplicate);
  const tree = await findAuditTree(scope);
  if (!tree) throw new Error('the tree of the audit log was deleted while it was read');
  return tree;
}

/** Returns the tree of the log; null before the first record was sealed. */
export function findAuditTree(scope: Scope): Promise<AuditTreeRecord | null> {
  return collection(scope, 'auditTree').findOne({ _id: 'tree' });
}

/** Returns whether records wait to be sealed. */
export async function hasPendingRecords(scope: Scope): Promise<boolean> {
  return (await collection(scope, 'auditPending').findOne({}, { projection: { _id: 1 } })) !== null;
}

/**
 * Seals the records of at most 1,000 transactions (about 2,000 records); none while another sealer holds the lease.
 * Writes the tree in the same transaction, so that of two sealers with overlapping leases one runs again. Takes the
 * records of each chain from its first pending one, without a gap.
 */
export async function sealPending(mongo: Mongo, sealer: Sealer): Promise<Sealing> {
  const { db } = mongo;
  const session = db.client.startSession();
  let known = sealer.tree ?? null;
  let seals: readonly Seal[] = [];
  try {
    const sealed = await session.withTransaction(
      async () => {
        seals = [];
        const scope = { db, session, services: { mongo } };
        const before = known ?? (await collection(scope, 'auditTree').findOne({ _id: 'tree' }, { session }));
        known = null;
        if (!before || isHeldByAnother(before, sealer)) return { count: 0, tree: null };
        const waiting = await nextToSeal(scope, sealer.batch ?? MAX_SEALED_TRANSACTIONS);
        const pending = waiting.flatMap(({ links }) => links);
        if (!pending.length) return { count: 0, tree: before };
        const next = sealRecords(before, pending, sealer.sign);
        const lease = { sealer: sealer.id, leaseUntil: new Date(sealer.now.getTime() + sealer.leaseMs) };
        const tree = { ...before, ...fieldsOf(next.tree), ...lease };
        const { size, note } = tree;
        const isMoved = await flushDeferredWrites(scope, [
          {
            into: 'auditTree',
            filter: { _id: 'tree', log: before.log, size: before.size, sealer: before.sealer },
            update: { $set: { ...fieldsOf(next.tree), ...lease } },
          },
          ...next.seals.map((document) => ({ into: 'auditSeals' as const, document: document as never })),
          { into: 'auditPending', filter: { _id: { $in: waiting.map(({ _id }) => _id) } }, remove: true, many: true },
          ...(sealer.checkpoint && note !== null
            ? [{ into: 'auditCheckpoints' as const, document: { _id: size, note, at: sealer.now } as never }]
            : []),
        ]);
        if (!isMoved) throw transientConflict('Another process sealed records.');
        seals = next.seals;
        return { count: pending.length, tree };
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    );
    if (sealed.tree && seals.length) keepSealed(db, sealed.tree.log, seals);
    return sealed;
  } finally {
    await session.endSession();
  }
}

// Reads the oldest by id. Because the clocks of processes differ, a record may follow one with a later id that was not
// read: if that leaves nothing to seal, reads twice as many.
async function nextToSeal(scope: Scope, batch: number): Promise<readonly PendingTransaction[]> {
  for (let max = batch; ; max *= 2) {
    const found = await collection(scope, 'auditPending').find({}, within(scope)).sort({ _id: 1 }).limit(max).toArray();
    const waiting = takeFirst(found, max * RECORDS_PER_TRANSACTION);
    if (waiting.length === found.length && found.length < max) return waiting;
    const next = selectSealable(waiting, await sealedBefore(scope, waiting));
    if (next.length) return next;
  }
}

// Takes at least one transaction, however many records it has.
function takeFirst(found: readonly PendingRecord[], maxRecords: number): PendingTransaction[] {
  const waiting: PendingTransaction[] = [];
  let records = 0;
  for (const record of found) {
    const links = pendingLinks(record);
    records += links.length;
    if (waiting.length && records > maxRecords) break;
    waiting.push({ _id: record._id, links });
  }
  return waiting;
}

/** Returns the links that a transaction recorded. */
export function pendingLinks(record: PendingRecord): PendingLink[] {
  return record.links ?? [record];
}

// Returns up to which record each chain is sealed, if that is the one before its first pending record.
async function sealedBefore(scope: Scope, waiting: readonly PendingTransaction[]): Promise<Map<string, number>> {
  const firsts = new Map<string, number>();
  for (const { chain, chainSeq } of waiting.flatMap(({ links }) => links))
    firsts.set(chain, Math.min(chainSeq, firsts.get(chain) ?? chainSeq));
  const before = [...firsts].flatMap(([chain, first]) => (first > 1 ? [{ chain, chainSeq: first - 1 }] : []));
  if (!before.length) return new Map();
  const records = await collection(scope, 'audit')
    .find({ $or: before }, { ...within(scope), projection: { chain: 1, chainSeq: 1 } })
    .toArray();
  const seals = await collection(scope, 'auditSeals')
    .find({ auditId: { $in: records.map(({ _id }) => _id) } }, within(scope))
    .toArray();
  const sealedIds = new Set(seals.map(({ auditId }) => auditId));
  return new Map(
    records.flatMap(({ _id, chain, chainSeq }) => (sealedIds.has(_id) ? [[chain, chainSeq] as const] : [])),
  );
}

/** Releases a sealer's lease, so that the next one need not wait until it expires. */
export async function releaseSealer(scope: Scope, id: string): Promise<void> {
  await collection(scope, 'auditTree').updateOne(
    { _id: 'tree', sealer: id },
    { $set: { sealer: null, leaseUntil: new Date(0) } },
  );
}

/** Stores a checkpoint. Does not replace one of the same size. */
export async function insertCheckpoint(
  scope: Scope,
  checkpoint: { size: number; note: string; at: Date },
): Promise<void> {
  const { size, note, at } = checkpoint;
  await collection(scope, 'auditCheckpoints').insertOne({ _id: size, note, at }).catch(ignoreDuplicate);
}

/** Returns how many records the newest stored checkpoint covers. */
export async function newestCheckpointSize(scope: Scope): Promise<number> {
  const newest = await collection(scope, 'auditCheckpoints').findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  return newest?._id ?? 0;
}

// A lease that ends too far in the future was acquired while the clock was ahead, and has expired.
function isHeldByAnother({ sealer, leaseUntil }: AuditTreeRecord, { id, now, leaseMs }: Sealer): boolean {
  const remainingMs = leaseUntil.getTime() - now.getTime();
  return sealer !== null && sealer !== id && remainingMs > 0 && remainingMs <= 2 * leaseMs;
}

function fieldsOf({ size, peaks, note }: LogTree) {
  return { size, peaks, note };
}

function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}
