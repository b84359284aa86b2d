// Stores document counts at a clean shutdown, and counts again after a crash.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Double } from 'bson';
import type { Storage } from '../storage/storage.ts';
import type { View, WriteView } from '../storage/view.ts';
import { asNumber, type Doc, decode } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { Collection } from './catalog.ts';
import { documentKey, metaKey } from './keys.ts';

const COUNTS = metaKey('counts');
const BATCH_RECORDS = 10_000;

/** Stores the document counts in the last commit before a shutdown. Stores nothing if a count is still running. */
export function saveCounts(view: WriteView, collections: Collection[], commit: number): void {
  if (collections.some(({ counting }) => counting)) return;
  const counts = collections.map(({ id, count }) => ({ id: new Double(id), count: new Double(count) }));
  view.put(COUNTS, encodeBytes({ commit: new Double(commit), counts }));
}

/**
 * Returns the stored counts by collection id. They are valid only for the commit that stored them; after a crash they
 * are outdated.
 */
export function loadCounts(view: View, commit: number): Map<number, number> | undefined {
  const stored = view.get(COUNTS);
  const saved = stored && decode(stored);
  if (!saved || asNumber(saved.commit) !== commit || !Array.isArray(saved.counts)) return undefined;
  return new Map(saved.counts.map((entry: Doc) => [asNumber(entry.id) ?? 0, asNumber(entry.count) ?? 0]));
}

/**
 * Counts the documents of a snapshot in the background and adds them to the changes since. Returns a function that
 * stops the count.
 */
export function countInBackground(storage: Storage, collections: Collection[]): () => void {
  const snapshot = storage.snapshot();
  let stopped = false;
  const stop = () => {
    stopped = true;
    snapshot.close();
  };
  const counting = countAll();
  for (const collection of collections) collection.counting = counting;

  async function countAll(): Promise<void> {
    for (const collection of collections) {
      const end = collection.nextRecord;
      let documents = 0;
      for (let from = 0; from < end; from += BATCH_RECORDS) {
        await nextTurn();
        if (stopped) return;
        documents += snapshot.count(
          documentKey(collection.id, from),
          documentKey(collection.id, Math.min(end, from + BATCH_RECORDS)),
        );
      }
      collection.count += documents;
      collection.counting = undefined;
    }
    stop();
  }

  return stop;
}
