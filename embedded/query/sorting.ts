// Sorts query results in memory.
import { encodeKey } from '../data/keystring.ts';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { TimeSlice } from '../protocol/time-slice.ts';
import type { Doc } from '../values/bson.ts';
import { type Collation, compileSort, sortParts, sortValue } from '../values/compare.ts';
import { type Hit, type Hits, PAUSE, toUndecodedHit } from './execute.ts';
import { mergeSort } from './merge-sort.ts';

/**
 * Yields the hits in sort order. A `limit` other than 0 bounds the memory use. Throws
 * QueryExceededMemoryLimitNoDiskUseAllowed (292) above 100 MiB.
 */
export function* sortHits(hits: Hits, spec: Doc, limit: number, timeSlice: TimeSlice, collation?: Collation): Hits {
  const order = collation ? orderByComparison(spec, collation) : orderByKey(spec);
  const maxItems = limit > 0 ? Math.max(limit * 2, 1000) : Number.POSITIVE_INFINITY;
  let items: Item[] = [];
  let bytes = 0;
  for (const hit of hits) {
    if (hit === PAUSE) {
      yield PAUSE;
      continue;
    }
    items.push(order.item(hit));
    bytes += hit.bytes.length;
    if (items.length >= maxItems) {
      items = (yield* mergeSort(items, order.compare, timeSlice.shouldPause)).slice(0, limit);
      bytes = items.reduce((sum, item) => sum + item.hit.bytes.length, 0);
    }
    if (bytes > LIMITS.memoryBytes)
      throw storeError(
        292,
        `Sort exceeded memory limit of ${LIMITS.memoryBytes} bytes, but did not opt in to external sorting.`,
      );
  }
  let returned = 0;
  for (const item of yield* mergeSort(items, order.compare, timeSlice.shouldPause)) {
    yield item.hit;
    if ((++returned & 255) === 0 && timeSlice.shouldPause()) yield PAUSE;
  }
}

type Item = { hit: Hit; key: string };
type Order = { item(hit: Hit): Item; compare(left: Item, right: Item): number };

// Sorts by index keys. As strings they compare faster and take less memory than buffers.
function orderByKey(spec: Doc): Order {
  const parts = sortParts(spec);
  const directions = parts.map(({ direction }) => direction);
  return {
    item(hit) {
      const values = parts.map(({ path, direction }) => sortValue(hit.doc, path, direction));
      // Stores only the bytes: decoded documents of a long list would not fit into memory.
      return { hit: toUndecodedHit(hit), key: encodeKey(values, directions).toString('latin1') };
    },
    compare: (left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0),
  };
}

function orderByComparison(spec: Doc, collation: Collation): Order {
  const compare = compileSort(spec, collation);
  return { item: (hit) => ({ hit, key: '' }), compare: (left, right) => compare(left.hit.doc, right.hit.doc) };
}
