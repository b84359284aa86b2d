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

/** A new record; an update or a deletion of one record, or with `many` of all that match, however many these are. */
export type BulkWrite =
  | { into: CollectionName; document: Stored }
  | { into: CollectionName; filter: Filter<Stored>; update: Document; upsert?: boolean; many?: boolean }
  | { into: CollectionName; filter: Filter<Stored>; remove: true; many?: boolean };

/** A stored record of any collection. */
export type Stored = Document & { _id: string | ObjectId };

/**
 * Sends the writes in order. Returns whether each update of one record matched it. Throws an error that
 * `isDuplicateKey` recognizes if a unique value exists already.
 */
export async function flushDeferredWrites(
  scope: Scope & { services: { mongo: Mongo } },
  writes: readonly BulkWrite[],
): Promise<boolean> {
  const send = scope.services.mongo.supportsClientBulkWrite ? writeInOneCommand : writePerCollection;
  const matched = await send(scope, writes);
  return matched === writes.filter(isUpdateOfOne).length;
}

function isUpdateOfOne(write: BulkWrite): boolean {
  return 'update' in write && !write.many;
}

/** Returns an error that makes the driver run the transaction again. */
export function transientConflict(message: string): MongoServerError {
  const error = new MongoServerError({ message });
  error.addErrorLabel('TransientTransactionError');
  return error;
}

// Returns how many updates of one record matched it.
async function writeInOneCommand(scope: Scope, writes: readonly BulkWrite[]): Promise<number> {
  const models = writes.map((write): AnyClientBulkWriteModel<Stored> => {
    const namespace = `${scope.db.databaseName}.${write.into}`;
    if ('document' in write) return { name: 'insertOne', namespace, document: write.document };
    const { filter, many = false } = write;
    if ('remove' in write) return { name: many ? 'deleteMany' : 'deleteOne', namespace, filter };
    const { update, upsert = false } = write;
    return { name: many ? 'updateMany' : 'updateOne', namespace, filter, update, ...(upsert ? { upsert } : {}) };
  });
  // the total counts do not show which updates matched
  const verboseResults = writes.some((write) => 'update' in write && write.many);
  try {
    const result = await scope.db.client.bulkWrite<Record<string, Stored>>(models, {
      ...within(scope),
      ...(verboseResults ? { verboseResults } : {}),
    });
    if (!verboseResults) return result.matchedCount + result.upsertedCount;
    const isMatched = (_: BulkWrite, n: number) => {
      const update = result.updateResults?.get(n);
      return update !== undefined && (update.matchedCount > 0 || update.upsertedId !== undefined);
    };
    return writes.filter((write, n) => isUpdateOfOne(write) && isMatched(write, n)).length;
  } catch (error) {
    if (!(error instanceof MongoClientBulkWriteError)) throw error;
    // if the whole command failed, only the cause has the labels that make the driver run the transaction again
    if (error.cause instanceof MongoServerError) throw error.cause;
    const [first] = error.writeErrors.values();
    throw first ? new MongoServerError({ message: first.message, code: first.code }) : error;
  }
}

// Consecutive writes of the same kind to one collection share a command.
async function writePerCollection(scope: Scope, writes: readonly BulkWrite[]): Promise<number> {
  const groupOf = (write: BulkWrite) => `${write.into} ${isUpdateOfOne(write)}`;
  let matched = 0;
  for (let start = 0; start < writes.length; ) {
    const first = writes[start]!;
    const end = writes.findIndex((write, n) => n > start && groupOf(write) !== groupOf(first));
    const group = writes.slice(start, end < 0 ? writes.length : end);
    const models = group.map((write): AnyBulkWriteOperation<Stored> => {
      if ('document' in write) return { insertOne: { document: write.document } };
      const { filter, many = false } = write;
      if ('remove' in write) return many ? { deleteMany: { filter } } : { deleteOne: { filter } };
      const { update, upsert = false } = write;
      return many ? { updateMany: { filter, update, upsert } } : { updateOne: { filter, update, upsert } };
    });
    const collection = scope.db.collection<Stored>(first.into);
    // as the driver does for writeInOneCommand: null instead would not agree with the hash of an audit record
    const { matchedCount, upsertedCount } = await collection.bulkWrite(models, {
      ...within(scope),
      ignoreUndefined: true,
    });
    if (isUpdateOfOne(first)) matched += matchedCount + upsertedCount;
    start += group.length;
  }
  return matched;
}
