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
type Operations<T> = { [name: string]: (target: T, fields: Document) => unknown };

/** Returns an operation bound to its entity; undefined if the driver does not have it. */
export function findOperation(target: unknown, name: string): ((fields: Document) => unknown) | undefined {
  if (target instanceof Collection) return bindOperation(COLLECTION[name], target);
  if (target instanceof Db) return bindOperation(DATABASE[name], target);
  if (target instanceof MongoClient) return bindOperation(CLIENT[name], target);
  if (target instanceof ClientSession) return bindOperation(SESSION[name], target);
  if (target instanceof GridFSBucket) return bindOperation(BUCKET[name], target);
  return undefined;
}

const bindOperation = <T>(operation: Operations<T>[string] | undefined, target: T) =>
  operation && ((fields: Document) => operation(target, fields));

const COLLECTION: Operations<Collection> = {
  insertOne: (target, { document, ...options }) => target.insertOne(document, options),
  insertMany: (target, { documents, ...options }) => target.insertMany(documents, options),
  find: (target, { filter, ...options }) => target.find(filter, options).toArray(),
  findOne: (target, { filter, ...options }) => target.findOne(filter, options),
  updateOne: (target, { filter, update, ...options }) => target.updateOne(filter, update, options),
  updateMany: (target, { filter, update, ...options }) => target.updateMany(filter, update, options),
  replaceOne: (target, { filter, replacement, ...options }) => target.replaceOne(filter, replacement, options),
  deleteOne: (target, { filter, ...options }) => target.deleteOne(filter, options),
  deleteMany: (target, { filter, ...options }) => target.deleteMany(filter, options),
  findOneAndUpdate: (target, { filter, update, ...options }) => target.findOneAndUpdate(filter, update, options),
  findOneAndReplace: (target, { filter, replacement, ...options }) =>
    target.findOneAndReplace(filter, replacement, options),
  findOneAndDelete: (target, { filter, ...options }) => target.findOneAndDelete(filter, options),
  bulkWrite: async (target, { requests, ...options }) => toPlainResult(await target.bulkWrite(requests, options)),
  aggregate: (target, { pipeline: stages, ...options }) => target.aggregate(stages, options).toArray(),
  countDocuments: (target, { filter, ...options }) => target.countDocuments(filter, options),
  estimatedDocumentCount: (target, options) => target.estimatedDocumentCount(options),
  count: (target, { filter, ...options }) => target.count(filter, options),
  distinct: (target, { fieldName, filter, ...options }) => target.distinct(fieldName, filter, options),
  createIndex: (target, { keys, ...options }) => target.createIndex(keys, options),
  dropIndex: (target, { name, ...options }) => target.dropIndex(name, options),
  listIndexes: (target, options) => target.listIndexes(options).toArray(),
  createSearchIndex: (target, { model }) => target.createSearchIndex(model),
  createSearchIndexes: (target, { models }) => target.createSearchIndexes(models),
  updateSearchIndex: (target, { name, definition }) => target.updateSearchIndex(name, definition),
  dropSearchIndex: (target, { name }) => target.dropSearchIndex(name),
  listSearchIndexes: (target, { name, aggregationOptions }) =>
    target.listSearchIndexes(name, aggregationOptions).toArray(),
};

const DATABASE: Operations<Db> = {
  aggregate: (target, { pipeline: stages, ...options }) => target.aggregate(stages, options).toArray(),
  createCollection: (target, { collection, ...options }) =>
    target.createCollection(collection, options).then(() => undefined),
  dropCollection: (target, { collection, ...options }) => target.dropCollection(collection, options),
  listCollections: (target, { filter, ...options }) => target.listCollections(filter, options).toArray(),
  modifyCollection: (target, { collection, session: _, ...changes }) =>
    target.command({ collMod: collection, ...changes }),
  runCommand: (target, { command, commandName: _, ...options }) => target.command(command, options),
};

const CLIENT: Operations<MongoClient> = {
  clientBulkWrite: async (target, { models, ...options }) =>
    toPlainResult(await target.bulkWrite(models.map(toDriverModel), options)),
};

const SESSION: Operations<ClientSession> = {
  startTransaction: (target, options) => target.startTransaction(options),
  commitTransaction: (target) => target.commitTransaction(),
  abortTransaction: (target) => target.abortTransaction(),
  endSession: (target) => target.endSession(),
};

const BUCKET: Operations<GridFSBucket> = {
  upload: async (target, { filename, source, ...options }) => {
    const to = target.openUploadStream(filename, options);
    await pipeline([Buffer.from(source.$$hexBytes, 'hex')], to);
    return to.id;
  },
  download: (target, { id }) => buffer(target.openDownloadStream(id)),
  downloadByName: (target, { filename, ...options }) => buffer(target.openDownloadStreamByName(filename, options)),
  delete: (target, { id }) => target.delete(id),
  rename: (target, { id, newFilename }) => target.rename(id, newFilename),
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
