// The reading half of the sealed log: places of records, and all of it for the verifier, batch by batch in the order of an index.
import type { Filter, Sort } from 'mongodb';
import type { StoredLog } from '../domain/verify-log.ts';
import { presentTree } from './audit-seals.ts';
import type { AuditRecord, CollectionName, Records } from './collections.ts';
import { collection, type Scope } from './scope.ts';

const BATCH = 1_000;

/** The places of records in the log; those that wait to be sealed have none. */
export async function placesInLog(scope: Scope, auditIds: readonly string[]): Promise<Map<string, number>> {
  const seals = await collection(scope, 'auditSeals')
    .find({ auditId: { $in: [...auditIds] } })
    .toArray();
  return new Map(seals.map(({ auditId, _id }) => [auditId, _id]));
}

/** The records of one chain in their order, in batches. */
export function recordsOfChain(scope: Scope, chain: string): AsyncGenerator<AuditRecord[]> {
  return batches(scope, 'audit', { chain: { $eq: chain } }, { chain: -1, chainSeq: 1 });
}

/** The log as the verifier reads it. */
export function storedLog(scope: Scope): StoredLog {
  const [audit, auditPending, auditSeals] = [collection(scope, 'audit'), collection(scope, 'auditPending'), collection(scope, 'auditSeals')];
  const among = (ids: readonly string[]) => ({ $in: [...ids] });
  return {
    tree: () => presentTree(scope),
    checkpoints: () => batches(scope, 'auditCheckpoints', {}, { _id: 1 }),
    heads: () => batches(scope, 'chains', {}, { _id: 1 }),
    head: (id) => collection(scope, 'chains').findOne({ _id: { $eq: id } }),
    records: () => batches(scope, 'audit', {}, { _id: 1 }),
    recordsOf: (chain) => recordsOfChain(scope, chain),
    seals: (after) => batches(scope, 'auditSeals', after ? { _id: { $gt: after } } : {}, { _id: 1 }),
    sealsById: () => batches(scope, 'auditSeals', {}, { auditId: 1 }),
    sealsOf: (ids) => auditSeals.find({ auditId: among(ids) }).toArray(),
    pending: () => batches(scope, 'auditPending', {}, { chain: 1, chainSeq: 1 }),
    pendingAmong: async (ids) => (await auditPending.find({ _id: among(ids) }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id),
    recordsAmong: (ids) => audit.find({ _id: among(ids) }, { projection: { chain: 1 } }).toArray(),
  };
}

// While one batch is worked on, the next one is on its way. Read batch by batch, not record by record: a pause for each would cost more than its hash.
async function* batches<N extends CollectionName>(scope: Scope, name: N, filter: Filter<Records[N]>, sort: Sort): AsyncGenerator<Records[N][]> {
  const cursor = collection(scope, name).find(filter).sort(sort).batchSize(BATCH);
  const next = async () => ((await cursor.hasNext()) ? (cursor.readBufferedDocuments() as Records[N][]) : null);
  try {
    let reading = next();
    for (let batch = await reading; batch; batch = await reading) {
      reading = next();
      reading.catch(() => undefined); // told when it is waited for
      yield batch;
    }
  } finally {
    await cursor.close();
  }
}
