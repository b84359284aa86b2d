import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import type { CollectionName, Records } from '../schema/collections.ts';

/** Where a store function reads and writes: a database, and the session of the transaction if there is one. */
export type Scope = { db: Db; session?: ClientSession };

/** The collection with its record type. */
export function collection<N extends CollectionName>(scope: Scope, name: N): Collection<Records[N]> {
  return scope.db.collection<Records[N]>(name);
}

/** The driver's option that puts a call into the scope's transaction. */
export function within(scope: Scope): { session?: ClientSession } {
  return scope.session ? { session: scope.session } : {};
}

/** How many records match a filter; all of a collection are counted by the store itself, without reading one. */
export function countOf<N extends CollectionName>(scope: Scope, name: N, filter: Filter<Records[N]>): Promise<number> {
  const records = collection(scope, name);
  if (Object.keys(filter).length === 0 && !scope.session) return records.estimatedDocumentCount();
  return records.countDocuments(filter, within(scope));
}
