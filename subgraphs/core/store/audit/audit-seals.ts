// The writing half of the sealed log. Records and seals are only ever inserted; what waits is moved in one transaction.
import { randomUUID } from 'node:crypto';
import { MongoServerError } from 'mongodb';
import { type LogTree, type Pending, sealable, sealed, type Waiting } from '../../domain/audit/seal-log.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { AuditTreeRecord, PendingRecord } from '../schema/collections.ts';

/** What so many transactions recorded is sealed at once: where fewer records were, that was all. */
export const SEALED_AT_ONCE = 1_000;
/** And so many records for each of them, as most leave one or two: what is sealed at once stays small beside what a transaction may write. */
const RECORDS_EACH = 2;
const DUPLICATE = 11000;

export type Sealer = {
  id: string;
  now: Date;
  leaseMs: number;
  batch?: number;
  sign(text: string, name: string): string;
};

/** The tree of the log, begun if there is none; a log has a name of its own from then on. */
export async function auditTree(scope: Scope): Promise<AuditTreeRecord> {
  const empty = { log: randomUUID(), size: 0, peaks: [], note: null, sealer: null, leaseUntil: new Date(0) };
  await collection(scope, 'auditTree')
    .updateOne({ _id: 'tree' }, { $setOnInsert: empty }, { upsert: true })
    .catch(unlessDuplicate);
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
 * Seals what waits, of at most 1,000 transactions and about 2,000 records at once, and answers how many records; 0 while another sealer's lease runs. The tree is written in the same
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
        const waiting = await nextToSeal(scope, sealer.batch ?? SEALED_AT_ONCE);
        const pending = waiting.flatMap(({ links }) => links);
        if (!pending.length) return 0;
        const next = sealed(tree, pending, sealer.sign);
        const lease = { sealer: sealer.id, leaseUntil: new Date(sealer.now.getTime() + sealer.leaseMs) };
        await collection(scope, 'auditTree').updateOne(
          { _id: 'tree' },
          { $set: { ...fieldsOf(next.tree), ...lease } },
          { session },
        );
        await collection(scope, 'auditSeals').insertMany(next.seals, { session });
        await removeSealed(scope, waiting);
        return pending.length;
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    );
  } finally {
    await session.endSession();
  }
}

// The oldest first, as well as their ids tell: clocks of processes differ, so of many some may go on from what comes later among them.
async function nextToSeal(scope: Scope, batch: number): Promise<readonly Waiting[]> {
  for (let most = batch; ; most *= 2) {
    const found = await collection(scope, 'auditPending')
      .find({}, within(scope))
      .sort({ _id: 1 })
      .limit(most)
      .toArray();
    const waiting = firstOf(found, most * RECORDS_EACH);
    if (waiting.length === found.length && found.length < most) return waiting;
    const next = sealable(waiting, await sealedBefore(scope, waiting));
    if (next.length) return next;
  }
}

// One at least, however many records it has.
function firstOf(found: readonly PendingRecord[], mostRecords: number): Waiting[] {
  const waiting: Waiting[] = [];
  let records = 0;
  for (const record of found) {
    const links = linksOf(record);
    records += links.length;
    if (waiting.length && records > mostRecords) break;
    waiting.push({ _id: record._id, links });
  }
  return waiting;
}

/** What waits together: all that a transaction recorded. */
export function linksOf(record: PendingRecord): Pending[] {
  return record.links ?? [record];
}

// Up to which record the chains of these are sealed, for those whose record before the first of these is.
async function sealedBefore(scope: Scope, waiting: readonly Waiting[]): Promise<Map<string, number>> {
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
  const areSealed = new Set(seals.map(({ auditId }) => auditId));
  return new Map(
    records.flatMap(({ _id, chain, chainSeq }) => (areSealed.has(_id) ? [[chain, chainSeq] as const] : [])),
  );
}

async function removeSealed(scope: Scope, waiting: readonly Waiting[]): Promise<void> {
  const { deletedCount } = await collection(scope, 'auditPending').deleteMany(
    { _id: { $in: waiting.map(({ _id }) => _id) } },
    within(scope),
  );
  if (deletedCount !== waiting.length)
    throw new Error(`The records of ${waiting.length} transactions were sealed and ${deletedCount} no longer wait`);
}

/** Ends a sealer's lease, so that the next one need not wait for it to run out. */
export async function releaseSealer(scope: Scope, id: string): Promise<void> {
  await collection(scope, 'auditTree').updateOne(
    { _id: 'tree', sealer: id },
    { $set: { sealer: null, leaseUntil: new Date(0) } },
  );
}

/** Keeps a checkpoint; one of the same size that is kept already stays. */
export async function keepCheckpoint(
  scope: Scope,
  checkpoint: { size: number; note: string; at: Date },
): Promise<void> {
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
