import { setImmediate as nextTurn } from 'node:timers/promises';
import { Double } from 'bson';
import type { Storage } from '../storage/storage.ts';
import type { View, WriteView } from '../storage/view.ts';
import { asNumber, type Doc, decode } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { Collection } from './catalog.ts';
import { documentKey, metaKey } from './keys.ts';

const COUNTS = metaKey('counts');
const RECORDS_AT_ONCE = 10_000;

/** Writes down how many documents there are, in the last commit before a stop; nothing while some are still being counted. */
export function noteCounts(view: WriteView, collections: Collection[], commit: number): void {
  if (collections.some(({ counting }) => counting)) return;
  const counts = collections.map(({ id, count }) => ({ id: new Double(id), count: new Double(count) }));
  view.put(COUNTS, encodeBytes({ commit: new Double(commit), counts }));
}

/** What was written down, by collection. It is true of that commit alone: any later one, also of a process that was killed, makes it worthless. */
export function notedCounts(view: View, commit: number): Map<number, number> | undefined {
  const stored = view.get(COUNTS);
  const noted = stored && decode(stored);
  if (!noted || asNumber(noted.commit) !== commit || !Array.isArray(noted.counts)) return undefined;
  return new Map(noted.counts.map((one: Doc) => [asNumber(one.id) ?? 0, asNumber(one.count) ?? 0]));
}

/** Counts the documents of this moment beside other work, and adds them to what writes change meanwhile. The answer ends it early. */
export function countBeside(storage: Storage, collections: Collection[]): () => void {
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
      for (let from = 0; from < end; from += RECORDS_AT_ONCE) {
        await nextTurn();
        if (stopped) return;
        documents += snapshot.count(
          documentKey(collection.id, from),
          documentKey(collection.id, Math.min(end, from + RECORDS_AT_ONCE)),
        );
      }
      collection.count += documents;
      collection.counting = undefined;
    }
    stop();
  }

  return stop;
}
