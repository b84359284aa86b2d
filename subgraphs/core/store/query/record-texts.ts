import { BSON } from 'mongodb';
import type { Scope } from './scope.ts';

const BATCH = 500;

/**
 * Yields every record of every collection as a text that contains its strings, for searching. The text contains other
 * characters too. Skips the bytes of files.
 */
export async function* recordTexts({ db }: Scope): AsyncGenerator<{ collection: string; id: string; text: string }> {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name === 'files.chunks') continue;
    const records = db
      .collection<Uint8Array & { _id: unknown }>(name)
      .find({}, { raw: true })
      .sort({ _id: 1 })
      .batchSize(BATCH);
    for await (const bson of records) {
      const bytes: Uint8Array = bson;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
      yield {
        collection: name,
        text,
        get id() {
          return String(BSON.deserialize(bytes)._id);
        },
      };
    }
  }
}
