// The database and transaction that store functions use.
import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import type { RecordChange } from '../../domain/audit/proven-record.ts';
import type { CollectionName, Records } from '../schema/collections.ts';

/** A change to log, with the chain that logs it. */
export type ChainedChange = RecordChange & { chain: string };

/**
 * The database that a store function uses, and the session of the transaction, if there is one. `changes` collects what
 * a command writes, for its audit records.
 */
export type Scope = { db: Db; session?: ClientSession; changes?: ChainedChange[] };

/** Returns the collection with its record type. */
export function collection<N extends CollectionName>(scope: Scope, name: N): Collection<Records[N]> {
  return scope.db.collection<Records[N]>(name);
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
