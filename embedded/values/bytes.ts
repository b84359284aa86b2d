// The stored form of documents.

import type { Timestamp } from 'bson';
import { notImplemented } from '../protocol/errors.ts';
import { bsonTag, type Doc, encode, hasField, idFirst } from './bson.ts';

export { encode as encodeBytes } from './bson.ts';

const ID_NAME = Buffer.from('_id\0').readUInt32LE();

/**
 * Returns a new document and its bytes with `_id` first; a missing `_id` is created. Reuses `bytes` if `_id` is already
 * first.
 */
export function bytesToStore(doc: Doc, bytes: Buffer | undefined, newId: () => unknown): { doc: Doc; bytes: Buffer } {
  assertNoZeroTimestamp(doc);
  if (bytes && bytes.length >= 9 && bytes.readUInt32LE(5) === ID_NAME) return { doc, bytes };
  const complete = hasField(doc, '_id') ? idFirst(doc) : { _id: newId(), ...doc };
  return { doc: complete, bytes: encode(complete) };
}

/** Throws NotImplemented (238) for a field with Timestamp(0, 0), which MongoDB replaces with the current time. */
export function assertNoZeroTimestamp(doc: Doc): void {
  for (const name in doc)
    if (name !== '_id' && bsonTag(doc[name]) === 'Timestamp' && (doc[name] as Timestamp).isZero())
      throw notImplemented('Timestamp(0, 0) in a field of a document');
}
