// The format number of the stored data: code that does not know a newer format does not open its data.
import type { Db } from 'mongodb';
import { FORMAT_COLLECTION } from './schema/internal-collections.ts';

/** Increase this number when earlier code would misread or damage the data that this code writes. */
export const STORE_FORMAT = 1;

const ID = 'store';
const MIGRATION_ID = 'migration';

/**
 * The state of a store that takes part in a migration. `incomplete`: its data is being copied from another store. `moved`:
 * another store, at `to`, has continued its data.
 */
export type Migration = { id: string; at: Date } & ({ state: 'incomplete' } | { state: 'moved'; to: string });
type FormatRecord = { _id: typeof ID; format: number } | (Migration & { _id: typeof MIGRATION_ID });

const records = (db: Db) => db.collection<FormatRecord>(FORMAT_COLLECTION);

/** Throws if newer code wrote the data, or if a migration moved it or has not ended. */
export async function assertUsable(db: Db): Promise<void> {
  const [format, migration] = await Promise.all([storedFormat(db), findMigration(db)]);
  if (format > STORE_FORMAT)
    throw new Error(
      `The data in database ${db.databaseName} has format ${format}, written by a newer version of PDM; this version supports format ${STORE_FORMAT}. Start the newer version, or restore a backup made with this version.`,
    );
  if (migration?.state === 'incomplete')
    throw new Error(
      `The data in database ${db.databaseName} is incomplete, because the migration to it has not ended. Run pdm migrate again.`,
    );
  if (migration?.state === 'moved')
    throw new Error(
      `The data in database ${db.databaseName} was moved to ${migration.to} on ${migration.at.toISOString()}. Start the service with that store, or move the data back with pdm migrate.`,
    );
}

/** Returns the migration that a store takes part in; null if there is none. */
export async function findMigration(db: Db): Promise<Migration | null> {
  const record = await records(db).findOne({ _id: MIGRATION_ID });
  return record && 'state' in record ? record : null;
}

/** Records the migration that a store takes part in; null: it has ended, and the store can be used. */
export async function recordMigration(db: Db, migration: Migration | null): Promise<void> {
  if (migration) await records(db).replaceOne({ _id: MIGRATION_ID }, migration, { upsert: true });
  else await records(db).deleteOne({ _id: MIGRATION_ID });
}

/** Records the current format, unless it is recorded already. */
export async function recordFormat(db: Db): Promise<void> {
  if ((await storedFormat(db)) >= STORE_FORMAT) return;
  await records(db).updateOne({ _id: ID }, { $max: { format: STORE_FORMAT } }, { upsert: true });
}

// Data without a number was written before there were numbers.
async function storedFormat(db: Db): Promise<number> {
  const record = await records(db).findOne({ _id: ID });
  return record && 'format' in record ? record.format : 0;
}
