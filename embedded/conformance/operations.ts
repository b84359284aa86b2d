// The operations of the unified test format on entities.
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  type ClientBulkWriteResult,
  ClientSession,
  Collection,
  Db,
  type Document,
  GridFSBucket,
  MongoClient,
} from 'mongodb';

/** Operations on one kind of entity. `options` contain the session instead of its id. */
type Operations<T> = { [name: string]: (on: T, given: Document) => unknown };

/** Returns an operation bound to its entity; undefined if the driver does not have it. */
export function findOperation(on: unknown, name: string): ((given: Document) => unknown) | undefined {
  if (on instanceof Collection) return bound(COLLECTION[name], on);
  if (on instanceof Db) return bound(DATABASE[name], on);
  if (on instanceof MongoClient) return bound(CLIENT[name], on);
  if (on instanceof ClientSession) return bound(SESSION[name], on);
  if (on instanceof GridFSBucket) return bound(BUCKET[name], on);
  return undefined;
}

const bound = <T>(operation: Operations<T>[string] | undefined, on: T) =>
  operation && ((given: Document) => operation(on, given));

const COLLECTION: Operations<Collection> = {
  insertOne: (on, { document, ...options }) => on.insertOne(document, options),
  insertMany: (on, { documents, ...options }) => on.insertMany(documents, options),
  find: (on, { filter, ...options }) => on.find(filter, options).toArray(),
  findOne: (on, { filter, ...options }) => on.findOne(filter, options),
  updateOne: (on, { filter, update, ...options }) => on.updateOne(filter, update, options),
  updateMany: (on, { filter, update, ...options }) => on.updateMany(filter, update, options),
  replaceOne: (on, { filter, replacement, ...options }) => on.replaceOne(filter, replacement, options),
  deleteOne: (on, { filter, ...options }) => on.deleteOne(filter, options),
  deleteMany: (on, { filter, ...options }) => on.deleteMany(filter, options),
  findOneAndUpdate: (on, { filter, update, ...options }) => on.findOneAndUpdate(filter, update, options),
  findOneAndReplace: (on, { filter, replacement, ...options }) => on.findOneAndReplace(filter, replacement, options),
  findOneAndDelete: (on, { filter, ...options }) => on.findOneAndDelete(filter, options),
  bulkWrite: async (on, { requests, ...options }) => toPlainResult(await on.bulkWrite(requests, options)),
  aggregate: (on, { pipeline: stages, ...options }) => on.aggregate(stages, options).toArray(),
  countDocuments: (on, { filter, ...options }) => on.countDocuments(filter, options),
  estimatedDocumentCount: (on, options) => on.estimatedDocumentCount(options),
  count: (on, { filter, ...options }) => on.count(filter, options),
  distinct: (on, { fieldName, filter, ...options }) => on.distinct(fieldName, filter, options),
  createIndex: (on, { keys, ...options }) => on.createIndex(keys, options),
  dropIndex: (on, { name, ...options }) => on.dropIndex(name, options),
  listIndexes: (on, options) => on.listIndexes(options).toArray(),
  createSearchIndex: (on, { model }) => on.createSearchIndex(model),
  createSearchIndexes: (on, { models }) => on.createSearchIndexes(models),
  updateSearchIndex: (on, { name, definition }) => on.updateSearchIndex(name, definition),
  dropSearchIndex: (on, { name }) => on.dropSearchIndex(name),
  listSearchIndexes: (on, { name, aggregationOptions }) => on.listSearchIndexes(name, aggregationOptions).toArray(),
};

const DATABASE: Operations<Db> = {
  aggregate: (on, { pipeline: stages, ...options }) => on.aggregate(stages, options).toArray(),
  createCollection: (on, { collection, ...options }) => on.createCollection(collection, options).then(() => undefined),
  dropCollection: (on, { collection, ...options }) => on.dropCollection(collection, options),
  listCollections: (on, { filter, ...options }) => on.listCollections(filter, options).toArray(),
  modifyCollection: (on, { collection, session: _, ...changes }) => on.command({ collMod: collection, ...changes }),
  runCommand: (on, { command, commandName: _, ...options }) => on.command(command, options),
};

const CLIENT: Operations<MongoClient> = {
  clientBulkWrite: async (on, { models, ...options }) =>
    toPlainResult(await on.bulkWrite(models.map(toDriverModel), options)),
};

const SESSION: Operations<ClientSession> = {
  startTransaction: (on, options) => on.startTransaction(options),
  commitTransaction: (on) => on.commitTransaction(),
  abortTransaction: (on) => on.abortTransaction(),
  endSession: (on) => on.endSession(),
};

const BUCKET: Operations<GridFSBucket> = {
  upload: async (on, { filename, source, ...options }) => {
    const to = on.openUploadStream(filename, options);
    await pipeline([Buffer.from(source.$$hexBytes, 'hex')], to);
    return to.id;
  },
  download: (on, { id }) => buffer(on.openDownloadStream(id)),
  downloadByName: (on, { filename, ...options }) => buffer(on.openDownloadStreamByName(filename, options)),
  delete: (on, { id }) => on.delete(id),
  rename: (on, { id, newFilename }) => on.rename(id, newFilename),
};

function toDriverModel(model: Document): { name: 'insertOne'; namespace: string; document: Document } {
  const [name, fields] = Object.entries(model)[0]!;
  return { name, ...fields };
}

/** Converts the result of a bulk write to the form of the test format: getters to fields, maps to documents. */
export function toPlainResult(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  const {
    insertedCount,
    upsertedCount,
    matchedCount,
    modifiedCount,
    deletedCount,
    insertedIds,
    upsertedIds,
    insertResults,
    updateResults,
    deleteResults,
  } = result as Document & Partial<ClientBulkWriteResult>;
  const counts = { insertedCount, upsertedCount, matchedCount, modifiedCount, deletedCount };
  return {
    ...counts,
    insertedIds,
    upsertedIds,
    insertResults: byIndex(insertResults),
    updateResults: byIndex(updateResults),
    deleteResults: byIndex(deleteResults),
  };
}

const byIndex = (results: ReadonlyMap<number, Document> | undefined): Document | undefined =>
  results && Object.fromEntries([...results].map(([index, { didUpsert: _, ...fields }]) => [index, fields]));
