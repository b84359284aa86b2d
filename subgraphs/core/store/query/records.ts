// Operations on records of any collection. Other store files add the queries of their collections.
import type { Document, Filter, MatchKeysAndValues, OptionalUnlessRequiredId, UpdateFilter } from 'mongodb';
import {
  chainOfRecord,
  isProvenCollection,
  loggedFields,
  type StoredRecord,
} from '../../domain/audit/proven-record.ts';
import { notFound } from '../../domain/errors.ts';
import type { CollectionName, Records } from '../schema/collections.ts';
import type { Lockable } from '../schema/lockable.ts';
import type { Stored } from './deferred-writes.ts';
import { collection, type Scope, within } from './scope.ts';
import type { ReadByKeys } from './transaction-records.ts';
import type { Write } from './write.ts';

type LockableName = { [N in CollectionName]: Records[N] extends { lock: number } ? N : never }[CollectionName];

const LABELS: Partial<Record<CollectionName, string>> = {
  documents: 'document',
  folders: 'folder',
  workspaces: 'workspace',
  versions: 'draft or version',
  revisions: 'revision',
  views: 'view',
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
  if (scope.buffer) return (await scope.buffer.find(name, id)) as Records[N] | null;
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
  const { buffer } = scope;
  if (buffer) {
    const found = await Promise.all([...new Set(ids)].map((id) => buffer.find(name, id)));
    return found.filter((record) => record !== null) as Records[N][];
  }
  const filter = { _id: { $in: ids } } as Filter<Records[N]>;
  return (await collection(scope, name).find(filter, within(scope)).toArray()) as Records[N][];
}

/** Returns the records of one key. Commands that share a transaction share the query, if they run at the same time. */
export async function findOfKey<N extends CollectionName, R extends Records[N]>(
  scope: Scope,
  name: N,
  read: ReadByKeys<R>,
  keyOf: (record: R) => string,
  key: string,
): Promise<R[]> {
  return scope.buffer ? scope.buffer.findTogether(name, read, keyOf, key) : [...(await read(scope, [key]))];
}

/** Returns those of the ids that exist, without reading the records. */
export async function existingIds(scope: Scope, name: CollectionName, ids: readonly string[]): Promise<string[]> {
  const found = await collection(scope, name)
    .find({ _id: { $in: ids } } as Filter<Records[typeof name]>, { projection: { _id: 1 }, ...within(scope) })
    .toArray();
  return found.map(({ _id }) => String(_id));
}

export async function insert<N extends CollectionName>(scope: Scope, name: N, record: Records[N]): Promise<Records[N]> {
  if (scope.buffer) scope.buffer.insert(name, record as Stored);
  else await collection(scope, name).insertOne(record as OptionalUnlessRequiredId<Records[N]>, within(scope));
  logChange(scope, name, record);
  return record;
}

export async function insertAll<N extends CollectionName>(scope: Scope, name: N, records: Records[N][]): Promise<void> {
  if (!records.length) return;
  if (scope.buffer) for (const record of records) scope.buffer.insert(name, record as Stored);
  else await collection(scope, name).insertMany(records as OptionalUnlessRequiredId<Records[N]>[], within(scope));
  for (const record of records) logChange(scope, name, record);
}

/**
 * Reads a record and increments its `lock`, so that a concurrent transaction that locks the same record conflicts and
 * runs again. A snapshot read alone takes no lock. Throws `not_found`.
 */
export async function lock<N extends LockableName>(scope: Scope, name: N, id: string): Promise<Records[N]> {
  if (scope.buffer)
    return (await scope.buffer.lock(name, (await get(scope, name, id)) as Stored)) as unknown as Records[N];
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
  if (scope.buffer) {
    const changed = scope.buffer.update(name, (await get(scope, name, id)) as Stored, fields);
    logChange(scope, name, changed, Object.keys(fields));
    return changed as unknown as Records[N];
  }
  const update = { $set: fields as MatchKeysAndValues<Records[N]> } as UpdateFilter<Records[N]>;
  const found = await collection(scope, name).findOneAndUpdate(idIs<N>(id), update, {
    returnDocument: 'after',
    ...within(scope),
  });
  if (!found) throwNotFound(name, id);
  logChange(scope, name, found, Object.keys(fields));
  return found as Records[N];
}

/** Sets fields of all records that match. Returns how many. */
export async function changeAll<N extends CollectionName>(
  scope: Scope,
  name: N,
  filter: Filter<Records[N]>,
  fields: Partial<Records[N]>,
): Promise<number> {
  const found = await collection(scope, name).find(filter, within(scope)).toArray();
  if (!found.length) return 0;
  if (scope.buffer) {
    for (const record of found) {
      const changed = scope.buffer.update(name, record as Stored, fields);
      logChange(scope, name, changed, Object.keys(fields));
    }
    return found.length;
  }
  const update = { $set: fields as MatchKeysAndValues<Records[N]> } as UpdateFilter<Records[N]>;
  const matched = { _id: { $in: found.map(({ _id }) => _id) } } as Filter<Records[N]>;
  await collection(scope, name).updateMany(matched, update, within(scope));
  for (const record of found) logChange(scope, name, { ...record, ...fields }, Object.keys(fields));
  return found.length;
}

export async function remove(scope: Scope, name: CollectionName, id: string): Promise<void> {
  const { buffer } = scope;
  const removed = buffer
    ? await buffer.find(name, id)
    : await collection(scope, name).findOneAndDelete(idIs<typeof name>(id), within(scope));
  if (buffer && removed) buffer.remove(name, removed as Stored);
  if (removed) logChange(scope, name, removed, null);
}

/** Deletes all records that match. */
export async function removeAll<N extends CollectionName>(
  scope: Scope,
  name: N,
  filter: Filter<Records[N]>,
): Promise<void> {
  const found = await collection(scope, name).find(filter, within(scope)).toArray();
  if (!found.length) return;
  const matched = { _id: { $in: found.map(({ _id }) => _id) } } as Filter<Records[N]>;
  if (scope.buffer) for (const record of found) scope.buffer.remove(name, record as Stored);
  else await collection(scope, name).deleteMany(matched, within(scope));
  for (const record of found) logChange(scope, name, record, null);
}

/** Updates all records that match, without reading them. For collections that the log does not prove. */
export function updateMany<N extends CollectionName>(
  { buffer }: Write,
  name: N,
  filter: Filter<Records[N]>,
  update: Document,
): void {
  buffer.add({ into: name, filter: filter as Filter<Stored>, update, many: true });
}

/** Deletes all records that match, without reading them. For collections that the log does not prove. */
export function deleteMany<N extends CollectionName>({ buffer }: Write, name: N, filter: Filter<Records[N]>): void {
  buffer.add({ into: name, filter: filter as Filter<Stored>, remove: true, many: true });
}

/**
 * Adds a change to the audit record of the command, if the log proves the collection: these fields of the record as it
 * is now, or null if it was deleted. A write that does not use this module must call it.
 */
export function logChange(
  { changes }: Scope,
  name: CollectionName,
  record: StoredRecord,
  fields: readonly string[] | null = Object.keys(record),
): void {
  if (!changes || !isProvenCollection(name)) return;
  changes.push({
    collection: name,
    chain: chainOfRecord(name, record),
    id: String(record._id),
    fields: fields && loggedFields(name, record, fields),
  });
}

function idIs<N extends CollectionName>(id: string): Filter<Records[N]> {
  return { _id: { $eq: id } } as Filter<Records[N]>;
}

function throwNotFound(name: CollectionName, id: string): never {
  throw notFound(LABELS[name] ?? name, id);
}
