// Removes expired documents.

import { startTimeSlice } from '../protocol/time-slice.ts';
import { type Hit, PAUSE } from '../query/execute.ts';
import { prepareQuery } from '../query/query.ts';
import type { Storage } from '../storage/storage.ts';
import { LockConflict } from '../storage/transactions.ts';
import type { Catalog, Collection, Index } from './catalog.ts';
import { removeDocument } from './records.ts';

const BATCH_DOCUMENTS = 100;

/**
 * Deletes the expired documents of all TTL indexes in commits of up to 100 documents or one time slice. Skips documents
 * locked by transactions.
 */
export async function removeExpired(storage: Storage, catalog: Catalog): Promise<number> {
  let removed = 0;
  for (const collection of catalog.all()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined) continue;
      for (let batch = 1; batch > 0; removed += batch)
        batch = await removeBatch(storage, collection, index, index.expireAfterSeconds);
    }
  }
  return removed;
}

async function removeBatch(
  storage: Storage,
  collection: Collection,
  index: Index,
  expireAfterSeconds: number,
): Promise<number> {
  const path = index.fields[0]?.path ?? '';
  const filter = { [path]: { $lte: new Date(Date.now() - expireAfterSeconds * 1000) } };
  const query = prepareQuery({ filter, hint: index.name, limit: BATCH_DOCUMENTS });
  try {
    return await storage.write(
      (view) => {
        const timeSlice = startTimeSlice();
        const hits: Hit[] = [];
        for (const hit of query.run(view, collection, timeSlice)) {
          if (hit === PAUSE) break;
          hits.push(hit);
        }
        let removed = 0;
        for (const { record, doc } of hits) {
          removeDocument(view, collection, record, doc);
          removed++;
          if (timeSlice.shouldPause()) break;
        }
        return removed;
      },
      { allowWhenFull: true },
    );
  } catch (error) {
    if (error instanceof LockConflict) return 0;
    throw error;
  }
}
