import { startTimeSlice } from '../protocol/time-slice.ts';
import { type Hit, PAUSE } from '../query/execute.ts';
import { prepareQuery } from '../query/query.ts';
import type { Storage } from '../storage/storage.ts';
import { HeldKey } from '../storage/transactions.ts';
import type { Catalog, Collection, Index } from './catalog.ts';
import { removeDocument } from './records.ts';

const AT_ONCE = 100;

/** Deletes the documents whose time in a TTL index has passed, a hundred at most and a slice of time per commit; those an open transaction holds wait for the next time. */
export async function removeExpired(storage: Storage, catalog: Catalog): Promise<number> {
  let removed = 0;
  for (const collection of catalog.all()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined) continue;
      for (let some = 1; some > 0; removed += some)
        some = await removeSome(storage, collection, index, index.expireAfterSeconds);
    }
  }
  return removed;
}

async function removeSome(
  storage: Storage,
  collection: Collection,
  index: Index,
  expireAfterSeconds: number,
): Promise<number> {
  const path = index.fields[0]?.path ?? '';
  const filter = { [path]: { $lte: new Date(Date.now() - expireAfterSeconds * 1000) } };
  const query = prepareQuery({ filter, hint: index.name, limit: AT_ONCE });
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
    if (error instanceof HeldKey) return 0;
    throw error;
  }
}
