// The writing half of the sealed log. Records and seals are only ever inserted; what waits is moved in one transaction.
import { randomUUID } from 'node:crypto';
import { MongoServerError } from 'mongodb';
import { type LogTree, type Pending, sealed } from '../domain/seal-log.ts';
import type { AuditTreeRecord } from './collections.ts';
import { collection, type Scope, within } from './scope.ts';

/** The most records sealed in one transaction. */
const BATCH = 2_000;
const DUPLICATE = 11000;

export type Sealer = { id: string; now: Date; leaseMs: number; sign(text: string, name: string): string };

/** The tree of the log, begun if there is none; a log has a name of its own from then on. */
export async function auditTree(scope: Scope): Promise<AuditTreeRecord> {
  const empty = { log: randomUUID(), size: 0, peaks: [], note: null, sealer: null, leaseUntil: new Date(0) };
  await collection(scope, 'auditTree').updateOne({ _id: 'tree' }, { $setOnInsert: empty }, { upsert: true }).catch(unlessDuplicate);
  const tree = await presentTree(scope);
  if (!tree) throw new Error('The tree of the audit log was removed while it was read');
  return tree;
}

/** The tree of the log; null before the first record was sealed. */
export function presentTree(scope: Scope): Promise<AuditTreeRecord | null> {
  return collection(scope, 'auditTree').findOne({ _id: 'tree' });
}

/** Whether records wait to be sealed. */
export async function recordsWait(scope: Scope): Promise<boolean> {
  return (await collection(scope, 'auditPending').findOne({}, { projection: { _id: 1 } })) !== null;
}

/**
 * Seals what waits, at most 2,000 records, and answers how many; 0 while another sealer's lease runs. The tree is written in the same
 * transaction, so that of two sealers whose leases overlap one starts again. Chains are taken from their beginning, so what is taken of
 * a chain has no gap.
 */
export async function sealPending({ db }: Scope, sealer: Sealer): Promise<number> {
  const session = db.client.startSession();
  try {
    return await session.withTransaction(
      async () => {
        const scope: Scope = { db, session };
        const tree = await collection(scope, 'auditTree').findOne({ _id: 'tree' }, { session });
        if (!tree || isHeldByAnother(tree, sealer)) return 0;
        const pending = await collection(scope, 'auditPending').find({}, { session }).sort({ chain: 1, chainSeq: 1 }).limit(BATCH).toArray();
        if (!pending.length) return 0;
        const next = sealed(tree, pending, sealer.sign);
        const lease = { sealer: sealer.id, leaseUntil: new Date(sealer.now.getTime() + sealer.leaseMs) };
        await collection(scope, 'auditTree').updateOne({ _id: 'tree' }, { $set: { ...fieldsOf(next.tree), ...lease } }, { session });
        await collection(scope, 'auditSeals').insertMany(next.seals, { session });
        await removeUpTo(scope, pending);
        return pending.length;
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    );
  } finally {
    await session.endSession();
  }
}

// By their order instead of by their ids: one range instead of two thousand keys. The snapshot has no others in it.
async function removeUpTo(scope: Scope, pending: readonly Pending[]): Promise<void> {
  const { chain = '', chainSeq = 0 } = pending.at(-1) ?? {};
  const range = { $or: [{ chain: { $lt: chain } }, { chain, chainSeq: { $lte: chainSeq } }] };
  const { deletedCount } = await collection(scope, 'auditPending').deleteMany(range, within(scope));
  if (deletedCount !== pending.length) throw new Error(`${pending.length} audit records were sealed and ${deletedCount} no longer wait`);
}

/** Ends a sealer's lease, so that the next one need not wait for it to run out. */
export async function releaseSealer(scope: Scope, id: string): Promise<void> {
  await collection(scope, 'auditTree').updateOne({ _id: 'tree', sealer: id }, { $set: { sealer: null, leaseUntil: new Date(0) } });
}

/** Keeps a checkpoint; one of the same size that is kept already stays. */
export async function keepCheckpoint(scope: Scope, checkpoint: { size: number; note: string; at: Date }): Promise<void> {
  const { size, note, at } = checkpoint;
  await collection(scope, 'auditCheckpoints').insertOne({ _id: size, note, at }).catch(unlessDuplicate);
}

/** How many records the newest kept checkpoint covers. */
export async function checkpointedSize(scope: Scope): Promise<number> {
  const newest = await collection(scope, 'auditCheckpoints').findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  return newest?._id ?? 0;
}

function isHeldByAnother({ sealer, leaseUntil }: AuditTreeRecord, { id, now }: Sealer): boolean {
  return sealer !== null && sealer !== id && leaseUntil > now;
}

function fieldsOf({ size, peaks, note }: LogTree) {
  return { size, peaks, note };
}

function unlessDuplicate(error: unknown): void {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE) throw error;
}
