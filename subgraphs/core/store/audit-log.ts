// The reading half of the sealed log: places of records, and all of it for the verifier, batch by batch in the order of an index.
import type { Filter, Sort } from 'mongodb';
import type { StoredLog } from '../domain/verify-log.ts';
import { presentTree } from './audit-seals.ts';
import type { AuditRecord, CollectionName, Records } from './collections.ts';
import { collection, type Scope } from './scope.ts';
import { batched } from './whole-collections.ts';

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
  return batches(scope, 'audit', { chain }, { chain: -1, chainSeq: 1 });
}

/** The log as the verifier reads it; `chain` leaves out the records and heads of all other chains. */
export function storedLog(scope: Scope, chain?: string): StoredLog {
  const among = async (name: 'audit' | 'auditPending', ids: readonly string[]) => {
    const found = await scope.db
      .collection<{ _id: string }>(name)
      .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } })
      .toArray();
    return found.map(({ _id }) => _id);
  };
  return {
    tree: () => presentTree(scope),
    checkpoints: () => batches(scope, 'auditCheckpoints', {}, { _id: 1 }),
    heads: () => batches(scope, 'chains', chain === undefined ? {} : { _id: chain }, { _id: 1 }),
    head: (id) => collection(scope, 'chains').findOne({ _id: id }),
    records: () => batches(scope, 'audit', chain === undefined ? {} : { chain }, { chain: -1, chainSeq: 1 }),
    seals: () => batches(scope, 'auditSeals', {}, { _id: 1 }),
    sealsOf: (ids) =>
      collection(scope, 'auditSeals')
        .find({ auditId: { $in: [...ids] } })
        .toArray(),
    pendingAmong: (ids) => among('auditPending', ids),
    recordsAmong: (ids) => among('audit', ids),
  };
}

function batches<N extends CollectionName>(scope: Scope, name: N, filter: Filter<Records[N]>, sort: Sort): AsyncGenerator<Records[N][]> {
  const cursor = collection(scope, name).find(filter).sort(sort).batchSize(BATCH);
  return batched(cursor as AsyncIterable<Records[N]>, BATCH);
}
