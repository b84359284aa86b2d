// Operations on records of any collection. Other store files add the queries of their collections.
import type { Filter, MatchKeysAndValues, OptionalUnlessRequiredId, UpdateFilter } from 'mongodb';
import { notFound } from '../../domain/errors.ts';
import type { CollectionName, Records } from '../schema/collections.ts';
import type { Lockable } from '../schema/lockable.ts';
import { collection, type Scope, within } from './scope.ts';

type LockableName = { [N in CollectionName]: Records[N] extends { lock: number } ? N : never }[CollectionName];

const LABELS: Partial<Record<CollectionName, string>> = {
  documents: 'document',
  folders: 'folder',
  workspaces: 'workspace',
  versions: 'draft or version',
  revisions: 'revision',
  artifacts: 'artifact',
  draftBackups: 'draft backup',
  jobs: 'job',
  runs: 'run',
  tokens: 'token',
  users: 'user',
  webhooks: 'webhook',
  webhookDeliveries: 'delivery',
};

/** Returns the record with this id, or null. */
export async function find<N extends CollectionName>(scope: Scope, name: N, id: string): Promise<Records[N] | null> {
  return (await collection(scope, name).findOne(idIs<N>(id), within(scope))) as Records[N] | null;
}

/** Returns the record with this id. Throws `not_found`. */
export async function get<N extends CollectionName>(scope: Scope, name: N, id: string): Promise<Records[N]> {
  return (await find(scope, name, id)) ?? throwNotFound(name, id);
}

/** Returns the records with these ids in no particular order, without unknown ids. */
export async function findAll<N extends CollectionName>(
  scope: Scope,
  name: N,
  ids: readonly string[],
): Promise<Records[N][]> {
  const filter = { _id: { $in: ids } } as Filter<Records[N]>;
  return (await collection(scope, name).find(filter, within(scope)).toArray()) as Records[N][];
}

export async function insert<N extends CollectionName>(scope: Scope, name: N, record: Records[N]): Promise<Records[N]> {
  await collection(scope, name).insertOne(record as OptionalUnlessRequiredId<Records[N]>, within(scope));
  return record;
}

export async function insertAll<N extends CollectionName>(scope: Scope, name: N, records: Records[N][]): Promise<void> {
  if (records.length)
    await collection(scope, name).insertMany(records as OptionalUnlessRequiredId<Records[N]>[], within(scope));
}

/**
 * Reads a record and increments its `lock`, so that a concurrent transaction that locks the same record conflicts and
 * runs again. A snapshot read alone takes no lock. Throws `not_found`.
 */
export async function lock<N extends LockableName>(scope: Scope, name: N, id: string): Promise<Records[N]> {
  const increment: UpdateFilter<Lockable> = { $inc: { lock: 1 } };
  const update = increment as UpdateFilter<Records[N]>;
  const found = await collection(scope, name).findOneAndUpdate(idIs<N>(id), update, {
    returnDocument: 'after',
    ...within(scope),
  });
  return (found as Records[N] | null) ?? throwNotFound(name, id);
}

/** Sets fields of a record and returns the updated record. Throws `not_found`. */
export async function change<N extends CollectionName>(
  scope: Scope,
  name: N,
  id: string,
  fields: Partial<Records[N]>,
): Promise<Records[N]> {
  const update = { $set: fields as MatchKeysAndValues<Records[N]> } as UpdateFilter<Records[N]>;
  const found = await collection(scope, name).findOneAndUpdate(idIs<N>(id), update, {
    returnDocument: 'after',
    ...within(scope),
  });
  return (found as Records[N] | null) ?? throwNotFound(name, id);
}

export async function remove(scope: Scope, name: CollectionName, id: string): Promise<void> {
  await collection(scope, name).deleteOne(idIs<typeof name>(id), within(scope));
}

function idIs<N extends CollectionName>(id: string): Filter<Records[N]> {
  return { _id: { $eq: id } } as Filter<Records[N]>;
}

function throwNotFound(name: CollectionName, id: string): never {
  throw notFound(LABELS[name] ?? name, id);
}
