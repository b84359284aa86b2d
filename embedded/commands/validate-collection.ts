// The validate command: verifies the checksums of all documents and that indexes and documents match.
import type { Index } from '../data/catalog.ts';
import { documentRange, recordOfDocumentKey, successor } from '../data/keys.ts';
import { verifyDocument } from '../data/verify.ts';
import { type Call, openView } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import { int } from '../protocol/reply.ts';
import type { Doc } from '../values/bson.ts';
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
      const document = { record: recordOfDocumentKey(key), stored: value };
      const counts = verifyDocument(view, document, collection.indexes, ({ message }) => errors.push(message));
      for (const [index, count] of counts) expected.set(index, (expected.get(index) ?? 0) + count);
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
