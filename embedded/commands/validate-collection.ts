// The validate command: verifies the checksums of all documents and that indexes and documents match.
import type { Collection, Index } from '../data/catalog.ts';
import { entriesOf } from '../data/index-keys.ts';
import { documentRange, type RecordId, recordOfDocumentKey, successor } from '../data/keys.ts';
import { recordOfUnique, verifyChecksum } from '../data/records.ts';
import { type Call, openView } from '../process/store.ts';
import { StoreError, storeError } from '../protocol/errors.ts';
import { int } from '../protocol/reply.ts';
import type { View } from '../storage/view.ts';
import { type Doc, decode } from '../values/bson.ts';
import { type Commands, collectionOf, namespaceOf } from './command.ts';

const MAX_ERRORS = 1000;

export const validationCommands: Commands = { validate: { kind: 'plain', run: validate } };

async function validate(call: Call): Promise<Doc> {
  const collection = collectionOf(call);
  if (!collection) throw storeError(26, `Collection '${namespaceOf(call)}' does not exist to validate.`);
  const { view, release } = openView(call);
  const errors: string[] = [];
  const expected = new Map<Index, number>(collection.indexes.map((index) => [index, 0]));
  let records = 0;
  try {
    for (const { key, value } of view.range(...documentRange(collection.id))) {
      records++;
      verifyDocument(view, collection, recordOfDocumentKey(key), value, expected, errors);
      if (call.timeSlice.shouldPause()) await call.timeSlice.pause();
    }
    const keysPerIndex: Doc = {};
    for (const [index, expectedEntries] of expected) {
      let entries = 0;
      for (const _ of view.range(index.prefix, successor(index.prefix), { keysOnly: true })) {
        entries++;
        if ((entries & 255) === 0 && call.timeSlice.shouldPause()) await call.timeSlice.pause();
      }
      keysPerIndex[index.name] = int(entries);
      if (entries !== expectedEntries)
        errors.push(`index ${index.name} has ${entries} entries, but its documents need ${expectedEntries}`);
    }
    return {
      ns: collection.namespace,
      nrecords: int(records),
      nIndexes: int(collection.indexes.length),
      keysPerIndex,
      valid: errors.length === 0,
      errors: errors.slice(0, MAX_ERRORS),
      warnings: [],
    };
  } finally {
    release();
  }
}

function verifyDocument(
  view: View,
  collection: Collection,
  record: RecordId,
  stored: Buffer,
  expected: Map<Index, number>,
  errors: string[],
): void {
  try {
    const doc = decode(verifyChecksum(stored, collection, record));
    for (const [index, sum] of expected) {
      const { keys } = entriesOf(index, doc, record);
      expected.set(index, sum + keys.length);
      for (const key of keys) {
        const entry = view.get(key);
        if (!entry) errors.push(`record ${record} is missing from index ${index.name}`);
        else if (index.unique && recordOfUnique(entry) !== record)
          errors.push(`the entry of record ${record} in index ${index.name} refers to another record`);
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    errors.push(error.message);
  }
}
