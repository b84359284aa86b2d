// Writes that are sent as the last step of a transaction, in one command if the server supports it.
import {
  type AnyBulkWriteOperation,
  type AnyClientBulkWriteModel,
  type Document,
  type Filter,
  MongoClientBulkWriteError,
  MongoServerError,
  type ObjectId,
} from 'mongodb';
import type { Mongo } from '../mongo.ts';
import type { CollectionName } from '../schema/collections.ts';
import { type Scope, within } from './scope.ts';

/** An update of one record, or a new record. */
export type BulkWrite =
  | { into: CollectionName; filter: Filter<Stored>; update: Document; upsert?: boolean }
  | { into: CollectionName; document: Stored };

type Stored = Document & { _id: string | ObjectId };

/**
 * Sends the writes in order. Returns whether each update matched its record. Throws an error that `isDuplicateKey`
 * recognizes if a unique value exists already.
 */
export async function flushDeferredWrites(
  scope: Scope & { services: { mongo: Mongo } },
  writes: readonly BulkWrite[],
): Promise<boolean> {
  const send = scope.services.mongo.supportsClientBulkWrite ? writeInOneCommand : writePerCollection;
  const matched = await send(scope, writes);
  return matched === writes.filter((write) => 'update' in write).length;
}

/** Returns an error that makes the driver run the transaction again. */
export function transientConflict(message: string): MongoServerError {
  const error = new MongoServerError({ message });
  error.addErrorLabel('TransientTransactionError');
  return error;
}

async function writeInOneCommand(scope: Scope, writes: readonly BulkWrite[]): Promise<number> {
  const models = writes.map(({ into, ...write }): AnyClientBulkWriteModel<Stored> => {
    const namespace = `${scope.db.databaseName}.${into}`;
    return 'update' in write ? { name: 'updateOne', namespace, ...write } : { name: 'insertOne', namespace, ...write };
  });
  try {
    const { matchedCount, upsertedCount } = await scope.db.client.bulkWrite<Record<string, Stored>>(
      models,
      within(scope),
    );
    return matchedCount + upsertedCount;
  } catch (error) {
    if (!(error instanceof MongoClientBulkWriteError)) throw error;
    // if the whole command failed, only the cause has the labels that make the driver run the transaction again
    if (error.cause instanceof MongoServerError) throw error.cause;
    const [first] = error.writeErrors.values();
    throw first ? new MongoServerError({ message: first.message, code: first.code }) : error;
  }
}

async function writePerCollection(scope: Scope, writes: readonly BulkWrite[]): Promise<number> {
  let matched = 0;
  for (let start = 0; start < writes.length; ) {
    const { into } = writes[start]!;
    const end = writes.findIndex((write, n) => n > start && write.into !== into);
    const group = writes.slice(start, end < 0 ? writes.length : end);
    const models = group.map((write): AnyBulkWriteOperation<Stored> => {
      if ('document' in write) return { insertOne: { document: write.document } };
      const { filter, update, upsert = false } = write;
      return { updateOne: { filter, update, upsert } };
    });
    const { matchedCount, upsertedCount } = await scope.db.collection<Stored>(into).bulkWrite(models, within(scope));
    matched += matchedCount + upsertedCount;
    start += group.length;
  }
  return matched;
}
