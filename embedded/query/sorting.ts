// Sorts documents in memory: query results and the stream of a pipeline.
import { rowsOf } from '../data/index-keys.ts';
import { encodeKey } from '../data/keystring.ts';
import { notImplemented, StoreError, storeError } from '../protocol/errors.ts';
import type { TimeSlice } from '../protocol/time-slice.ts';
import { startTimeSlice } from '../protocol/time-slice.ts';
import { type Doc, isIndex, type Value } from '../values/bson.ts';
import { type Collation, compareSortKeys, sortParts } from '../values/compare.ts';
import { memoryMeter, sizeOf, withPauses } from '../values/memory.ts';
import { type Hit, type Hits, PAUSE, toUndecodedHit } from './execute.ts';
import { mergeSort, runPaused } from './merge-sort.ts';

const MIN_TRIM_ITEMS = 2048;
const MIN_TRIM_BYTES = 8 * 2 ** 20;

/**
 * Collects items and returns them in the order of their documents; the order of equal documents is preserved. With a
 * `limit` other than 0, `add` returns true from time to time: then `trim` discards what exceeds the limit. Throws
 * QueryExceededMemoryLimitNoDiskUseAllowed (292) above 100 MiB.
 */
function createSorter<T>(spec: Doc, limit: number, shouldPause: () => boolean, collation?: Collation) {
  const parts = sortParts(spec);
  const directions = parts.map(({ direction }) => direction);
  // As strings, index keys compare faster and take less memory than buffers. They have no order under a collation.
  const toKey = (row: Value[]) => (collation ? row : encodeKey(row, directions).toString('latin1'));
  const compareKeys: (a: Key, b: Key) => number = collation
    ? (a, b) => compareSortKeys(a as Value[], b as Value[], directions, collation)
    : (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  // As in MongoDB, the first of the keys that an index over the fields would contain.
  const keyOf = (doc: Doc) =>
    rowsToSort(parts, doc)
      .map(toKey)
      .reduce((first, key) => (compareKeys(key, first) < 0 ? key : first));
  const compareItems = (left: Item<T>, right: Item<T>) => compareKeys(left.key, right.key);
  const meter = memoryMeter('Sort');
  let items: Item<T>[] = [];
  let bytesSinceTrim = 0;
  const sort = function* (): Generator<null, Item<T>[]> {
    const sorted = yield* mergeSort(items, compareItems, shouldPause);
    return limit > 0 ? sorted.slice(0, limit) : sorted;
  };
  return {
    add(item: T, doc: Doc, size: number): boolean {
      meter.add(size);
      items.push({ item, size, key: keyOf(doc) });
      bytesSinceTrim += size;
      const isLarge = items.length >= MIN_TRIM_ITEMS || bytesSinceTrim >= MIN_TRIM_BYTES;
      return limit > 0 && items.length >= 2 * limit && isLarge;
    },
    *trim(): Generator<null, void> {
      const before = items;
      items = yield* sort();
      const sizeOfItems = (list: Item<T>[]) => list.reduce((sum, { size }) => sum + size, 0);
      meter.add(sizeOfItems(items) - sizeOfItems(before));
      bytesSinceTrim = 0;
    },
    sort,
  };
}

type Key = string | Value[];
type Item<T> = { item: T; size: number; key: Key };

function rowsToSort(parts: ReturnType<typeof sortParts>, doc: Doc): Value[][] {
  try {
    return rowsOf(parts, doc);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 171)) throw error;
    if (parts.some((part) => part.parts.some(isIndex))) throw notImplemented('a sort by elements of several arrays');
    throw storeError(2, 'cannot sort with keys that are parallel arrays');
  }
}

/** Yields the hits in sort order; a `limit` other than 0 bounds the memory use. Throws 292 above 100 MiB. */
export function* sortHits(hits: Hits, spec: Doc, limit: number, timeSlice: TimeSlice, collation?: Collation): Hits {
  const sorter = createSorter<Hit>(spec, limit, timeSlice.shouldPause, collation);
  for (const hit of hits) {
    if (hit === PAUSE) yield PAUSE;
    // Stores only the bytes: decoded documents of a long list would not fit into memory.
    else if (sorter.add(toUndecodedHit(hit), hit.doc, hit.bytes.length)) yield* sorter.trim();
  }
  let returned = 0;
  for (const { item } of yield* sorter.sort()) {
    yield item;
    if ((++returned & 255) === 0 && timeSlice.shouldPause()) yield PAUSE;
  }
}

/** Sorts a stream of documents, with pauses. Throws 292 above 100 MiB. */
export async function* sortStream(
  input: AsyncIterable<Doc>,
  spec: Doc,
  limit = 0,
  collation?: Collation,
): AsyncGenerator<Doc> {
  const timeSlice = startTimeSlice();
  const sorter = createSorter<Doc>(spec, limit, timeSlice.shouldPause, collation);
  for await (const doc of input) if (sorter.add(doc, doc, sizeOf(doc))) await runPaused(sorter.trim(), timeSlice);
  for await (const { item } of withPauses(await runPaused(sorter.sort(), timeSlice))) yield item;
}
