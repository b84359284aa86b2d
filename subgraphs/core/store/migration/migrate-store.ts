// Moves all data of a store to another one.
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { CollectionName, Records } from '../schema/collections.ts';
import { findMigration, recordMigration } from '../store-format.ts';
import { copyIndexes, dropIndexes, hasRecords, type Synchronization, synchronize } from './synchronize.ts';

/** A store and what messages call it. */
export type MigratedStore = { db: Db; name: string };

/** The migration cannot start or end. The message says why. */
export class MigrationRefused extends Error {}

const MAX_RUNS = 5;

/**
 * Copies the source to the target until a comparison of all records finds no difference, creates the indexes, and then
 * declares the source moved before it releases the target, so that no service can use both. Neither can be used meanwhile
 * by a service that starts. If it is interrupted, it can be repeated with the same stores. Throws MigrationRefused if the
 * target contains other data, or if a service uses the source.
 */
export async function migrateStore(
  source: MigratedStore,
  target: MigratedStore,
  onProgress: (progress: Synchronization & { run: number }) => void,
): Promise<Synchronization> {
  await assertUnused(source);
  const id = await claimTarget(source, target);
  await dropIndexes(target.db);
  const result = await copy(source, target, onProgress);
  await copyIndexes(source.db, target.db);
  await assertUnused(source);
  await recordMigration(source.db, { id, state: 'moved', to: target.name, at: new Date() });
  await recordMigration(target.db, null);
  return result;
}

// Returns the id of the migration, which the target keeps until it ends.
async function claimTarget(source: MigratedStore, target: MigratedStore): Promise<string> {
  const [from, to] = await Promise.all([findMigration(source.db), findMigration(target.db)]);
  const resumed = to?.state === 'incomplete' ? to.id : null;
  if (from?.state === 'incomplete')
    throw new MigrationRefused(`${source.name} is the target of a migration that has not ended. Repeat that one.`);
  if (from && from.id !== resumed)
    throw new MigrationRefused(`The data of ${source.name} was moved to ${from.to} on ${from.at.toISOString()}.`);
  if (!to && (await hasRecords(target.db)))
    throw new MigrationRefused(`${target.name} contains data. Choose an empty database or folder.`);
  const id = resumed ?? randomUUID();
  if (!resumed) await recordMigration(target.db, { id, state: 'incomplete', at: new Date() });
  return id;
}

async function copy(
  source: MigratedStore,
  target: MigratedStore,
  onProgress: (progress: Synchronization & { run: number }) => void,
): Promise<Synchronization> {
  for (let run = 1; run <= MAX_RUNS; run++) {
    const result = await synchronize(source.db, target.db, (progress) => onProgress({ ...progress, run }));
    if (result.changed === 0) return result;
  }
  throw new MigrationRefused(`The data of ${source.name} keeps changing. Stop every process that uses it.`);
}

const SEALED: CollectionName = 'auditTree';

// Processes with the role sweeps renew a lease while they run.
async function assertUnused({ db, name }: MigratedStore): Promise<void> {
  const tree = await db.collection<Records['auditTree']>(SEALED).findOne({ _id: 'tree' });
  if (tree?.sealer && tree.leaseUntil.getTime() > Date.now())
    throw new MigrationRefused(
      `A service uses ${name}. Stop all its processes, or wait ten seconds if they were killed.`,
    );
}
