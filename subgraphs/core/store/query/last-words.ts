// Writes that go to the store together as the last of a transaction, in one command where the server takes writes to several collections in one.
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

/** A write that waits for the last command of its transaction: an update of one record, or a new one. */
export type LastWord =
  | { into: CollectionName; filter: Filter<Stored>; update: Document; upsert?: boolean }
  | { into: CollectionName; document: Stored };

type Stored = Document & { _id: string | ObjectId };

/** Writes them in their order. Answers whether each update found its record; a value that must be there once and exists already is a duplicate (`isDuplicate`). */
export async function storeLastWords(
  scope: Scope & { services: { mongo: Mongo } },
  words: readonly LastWord[],
): Promise<boolean> {
  const found = scope.services.mongo.oneWord ? await storeAtOnce(scope, words) : await storeInTurn(scope, words);
  return found === words.filter((word) => 'update' in word).length;
}

export function isDuplicate(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === DUPLICATE;
}

/** An error that has the transaction run again from its beginning. */
export function beginAgain(message: string): MongoServerError {
  const error = new MongoServerError({ message });
  error.addErrorLabel('TransientTransactionError');
  return error;
}

const DUPLICATE = 11000;

async function storeAtOnce(scope: Scope, words: readonly LastWord[]): Promise<number> {
  const models = words.map(({ into, ...word }): AnyClientBulkWriteModel<Stored> => {
    const namespace = `${scope.db.databaseName}.${into}`;
    return 'update' in word ? { name: 'updateOne', namespace, ...word } : { name: 'insertOne', namespace, ...word };
  });
  try {
    const { matchedCount, upsertedCount } = await scope.db.client.bulkWrite<Record<string, Stored>>(
      models,
      within(scope),
    );
    return matchedCount + upsertedCount;
  } catch (error) {
    if (!(error instanceof MongoClientBulkWriteError)) throw error;
    // the driver wraps what ended the whole command; its labels, by which a transaction is run again, are on the cause alone
    if (error.cause instanceof MongoServerError) throw error.cause;
    const [first] = error.writeErrors.values();
    throw first ? new MongoServerError({ message: first.message, code: first.code }) : error;
  }
}

async function storeInTurn(scope: Scope, words: readonly LastWord[]): Promise<number> {
  let found = 0;
  for (let from = 0; from < words.length; ) {
    const { into } = words[from]!;
    const other = words.findIndex((word, n) => n > from && word.into !== into);
    const some = words.slice(from, other < 0 ? words.length : other);
    const models = some.map((word): AnyBulkWriteOperation<Stored> => {
      if ('document' in word) return { insertOne: { document: word.document } };
      const { filter, update, upsert = false } = word;
      return { updateOne: { filter, update, upsert } };
    });
    const { matchedCount, upsertedCount } = await scope.db.collection<Stored>(into).bulkWrite(models, within(scope));
    found += matchedCount + upsertedCount;
    from += some.length;
  }
  return found;
}
