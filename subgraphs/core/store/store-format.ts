// The format number of the stored data: code that does not know a newer format does not open its data.
import type { Db } from 'mongodb';
import { FORMAT_COLLECTION } from './schema/internal-collections.ts';

/** Increase this number when earlier code would misread or damage the data that this code writes. */
export const STORE_FORMAT = 1;

const ID = 'store';

/** Throws if the data was written by newer code. Data without a number was written before there were numbers. */
export async function assertFormatSupported(db: Db): Promise<void> {
  const format = await storedFormat(db);
  if (format > STORE_FORMAT)
    throw new Error(
      `The data in database ${db.databaseName} has format ${format}, written by a newer version of PDM; this version supports format ${STORE_FORMAT}. Start the newer version, or restore a backup made with this version.`,
    );
}

/** Records the current format, unless it is recorded already. */
export async function recordFormat(db: Db): Promise<void> {
  if ((await storedFormat(db)) >= STORE_FORMAT) return;
  await db
    .collection<{ _id: string }>(FORMAT_COLLECTION)
    .updateOne({ _id: ID }, { $max: { format: STORE_FORMAT } }, { upsert: true });
}

async function storedFormat(db: Db): Promise<number> {
  const record = await db.collection<{ _id: string; format: number }>(FORMAT_COLLECTION).findOne({ _id: ID });
  return record?.format ?? 0;
}
