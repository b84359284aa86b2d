import type { Catalog, Collection, Index } from './catalog.ts';
import { PAUSE } from './execute.ts';
import { prepare } from './query.ts';
import { removeDocument } from './records.ts';
import type { Storage } from './storage.ts';
import { HeldKey } from './transactions.ts';
import { startWatch } from './watch.ts';

const AT_ONCE = 100;

/** Deletes the documents whose time in a TTL index has passed, a hundred per commit; those an open transaction holds wait for the next time. */
export async function removeExpired(storage: Storage, catalog: Catalog): Promise<number> {
  let removed = 0;
  for (const collection of catalog.all()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined) continue;
      for (let more = AT_ONCE; more === AT_ONCE; ) {
        more = await removeSome(storage, collection, index, index.expireAfterSeconds);
        removed += more;
      }
    }
  }
  return removed;
}

async function removeSome(storage: Storage, collection: Collection, index: Index, expireAfterSeconds: number): Promise<number> {
  const path = index.fields[0]?.path ?? '';
  const filter = { [path]: { $lte: new Date(Date.now() - expireAfterSeconds * 1000) } };
  const query = prepare({ filter, hint: index.name, limit: AT_ONCE });
  try {
    return await storage.write(
      (view) => {
        const hits = [...query.run(view, collection, startWatch())].filter((hit) => hit !== PAUSE);
        for (const { record, doc } of hits) removeDocument(view, collection, record, doc);
        return hits.length;
      },
      { shrinking: true },
    );
  } catch (error) {
    if (error instanceof HeldKey) return 0;
    throw error;
  }
}
