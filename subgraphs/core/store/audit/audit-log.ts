// Reads the sealed log: sequence numbers of records, and the whole log for the verification, in batches in index order.
import { BSON, type Filter, type FindCursor, type Sort } from 'mongodb';
import { hashedLinkFromBson } from '../../domain/audit/audit-bson.ts';
import { auditHash } from '../../domain/audit/audit-event.ts';
import type { PendingLink } from '../../domain/audit/seal-log.ts';
import type { HashedLink, StoredLog } from '../../domain/audit/verify-log.ts';
import { collection, type Scope } from '../query/scope.ts';
import type { AuditRecord, CollectionName, Records } from '../schema/collections.ts';
import { findAuditTree, pendingLinks } from './audit-seals.ts';

const BATCH = 1_000;

/** Returns the sequence numbers of records in the log; records that are not sealed yet have none. */
export async function seqOfRecords(scope: Scope, auditIds: readonly string[]): Promise<Map<string, number>> {
  const seals = await collection(scope, 'auditSeals')
    .find({ auditId: { $in: [...auditIds] } })
    .toArray();
  return new Map(seals.map(({ auditId, _id }) => [auditId, _id]));
}

/** Yields the records of one chain in order, in batches. */
export function recordsOfChain(scope: Scope, chain: string): AsyncGenerator<AuditRecord[]> {
  return batches(scope, 'audit', { chain: { $eq: chain } }, { chain: -1, chainSeq: 1 });
}

/** Returns the log as the verifier reads it. */
export function storedLog(scope: Scope): StoredLog {
  const [audit, auditSeals] = [collection(scope, 'audit'), collection(scope, 'auditSeals')];
  const among = (ids: readonly string[]) => ({ $in: [...ids] });
  return {
    tree: () => findAuditTree(scope),
    checkpoints: () => batches(scope, 'auditCheckpoints', {}, { _id: 1 }),
    heads: () => batches(scope, 'chains', {}, { _id: 1 }),
    head: (id) => collection(scope, 'chains').findOne({ _id: { $eq: id } }),
    hashedRecords: () => hashedRecords(scope),
    storedRecords: () => batches(scope, 'audit', {}, { _id: 1 }),
    recordsOf: (chain) => recordsOfChain(scope, chain),
    seals: (after) => batches(scope, 'auditSeals', after ? { _id: { $gt: after } } : {}, { _id: 1 }),
    sealsById: () => batches(scope, 'auditSeals', {}, { auditId: 1 }),
    sealsOf: (ids) => auditSeals.find({ auditId: among(ids) }).toArray(),
    pending: () => pendingRecords(scope),
    pendingAmong: pendingAmong(scope),
    recordsAmong: (ids) => audit.find({ _id: among(ids) }, { projection: { chain: 1 } }).toArray(),
  };
}

async function* pendingRecords(scope: Scope): AsyncGenerator<PendingLink[]> {
  for await (const batch of batches(scope, 'auditPending', {}, { _id: 1 })) yield batch.flatMap(pendingLinks);
}

// Returns those of the ids whose records are pending. Caches all pending ids, and reads them again if an id is not
// among them; an id that is among them may have been sealed since.
function pendingAmong(scope: Scope): (ids: readonly string[]) => Promise<string[]> {
  let known = new Set<string>();
  return async (ids) => {
    if (ids.some((id) => !known.has(id))) {
      known = new Set();
      for await (const links of pendingRecords(scope)) for (const { _id } of links) known.add(_id);
    }
    return ids.filter((id) => known.has(id));
  };
}

function batches<N extends CollectionName>(
  scope: Scope,
  name: N,
  filter: Filter<Records[N]>,
  sort: Sort,
): AsyncGenerator<Records[N][]> {
  return batchesOf(collection(scope, name).find(filter).sort(sort).batchSize(BATCH) as FindCursor<Records[N]>);
}

// Hashes most records in their BSON form, without decoding them.
async function* hashedRecords({ db }: Scope): AsyncGenerator<HashedLink[]> {
  const cursor = db
    .collection<Uint8Array & { _id: string }>('audit')
    .find({}, { raw: true })
    .sort({ _id: 1 })
    .batchSize(BATCH);
  for await (const batch of batchesOf(cursor))
    yield batch.map((bson) => hashedLinkFromBson(bson) ?? hashedLink(BSON.deserialize(bson) as AuditRecord));
}

function hashedLink(record: AuditRecord): HashedLink {
  const { _id, chain, chainSeq, prevHash, hash } = record;
  return { _id, chain, chainSeq, prevHash, hash, expectedHash: auditHash(prevHash, record) };
}

// Reads the next batch while the current one is processed. By batch, because an await for each record would cost more
// than its hash.
async function* batchesOf<T>(cursor: FindCursor<T>): AsyncGenerator<T[]> {
  const next = async () => ((await cursor.hasNext()) ? cursor.readBufferedDocuments() : null);
  try {
    let reading = next();
    for (let batch = await reading; batch; batch = await reading) {
      reading = next();
      reading.catch(() => undefined); // thrown by the await above
      yield batch;
    }
  } finally {
    await cursor.close();
  }
}
