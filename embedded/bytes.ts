import { type Doc, encode, firstField, hasField, idFirst } from './bson.ts';

export { encode as encodeBytes } from './bson.ts';

/** The bytes to store of a new document: `_id` first, made when it is missing. The given bytes are kept when nothing has to move. */
export function bytesToStore(doc: Doc, bytes: Buffer | undefined, newId: () => unknown): { doc: Doc; bytes: Buffer } {
  if (bytes && firstField(doc) === '_id') return { doc, bytes };
  const complete = hasField(doc, '_id') ? idFirst(doc) : { _id: newId(), ...doc };
  return { doc: complete, bytes: encode(complete) };
}
