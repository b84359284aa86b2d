// The database and transaction that store functions use.
import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import type { RecordChange } from '../../domain/audit/proven-record.ts';
import type { CollectionName, Records } from '../schema/collections.ts';
import type { RecordBuffer } from './record-buffer.ts';
import type { WrittenRecords } from './written-records.ts';

/** A change to log, with the chain that logs it. */
export type ChainedChange = RecordChange & { chain: string };

/**
 * The database that a store function uses, and the session of the transaction, if there is one. `changes` collects what
 * a command writes, for its audit records; `buffer` holds its writes until they are sent. `written` has the records
 * that the write of the same operation stored.
 */
export type Scope = {
  db: Db;
  session?: ClientSession;
  changes?: ChainedChange[];
  buffer?: RecordBuffer;
  written?: WrittenRecords | undefined;
};

/** Returns the collection with its record type. */
export function collection<N extends CollectionName>(scope: Scope, name: N): Collection<Records[N]> {
  const records = scope.db.collection<Records[N]>(name);
  return scope.buffer ? (scope.buffer.collection(name, records as never) as never) : records;
}

/** Returns the driver option that runs a call in the scope's transaction. */
export function within(scope: Scope): { session?: ClientSession } {
  return scope.session ? { session: scope.session } : {};
}

/**
 * Counts the records that match a filter. Without a filter and a transaction, it uses the store's own count, which
 * reads no records.
 */
export function countRecords<N extends CollectionName>(
  scope: Scope,
  name: N,
  filter: Filter<Records[N]>,
): Promise<number> {
  const records = collection(scope, name);
  if (Object.keys(filter).length === 0 && !scope.session) return records.estimatedDocumentCount();
  return records.countDocuments(filter, within(scope));
}
