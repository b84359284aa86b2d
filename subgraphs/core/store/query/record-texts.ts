import { BSON } from 'mongodb';
import type { Scope } from './scope.ts';

const BATCH = 500;

/**
 * Every record of every collection of the database as one text with all its strings in it, the bytes of files left out. The texts have other
 * characters between them too: they are for searching, not for showing.
 */
export async function* textsOfRecords({ db }: Scope): AsyncGenerator<{ collection: string; id: string; text: string }> {
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
