import { encodeKey } from '../data/keystring.ts';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Watch } from '../protocol/watch.ts';
import type { Doc } from '../values/bson.ts';
import { type Collation, compileSort, sortParts, sortValue } from '../values/compare.ts';
import { type Hit, type Hits, PAUSE, undecoded } from './execute.ts';
import { mergeSort } from './merge-sort.ts';

/** The hits in the order of a sort that no index gave: in memory (292 above 100 MiB), of a limited query only the first `most` are kept. */
export function* sortHits(hits: Hits, spec: Doc, most: number, watch: Watch, collation?: Collation): Hits {
  const order = collation ? byComparing(spec, collation) : byKey(spec);
  const keepMost = most > 0 ? Math.max(most * 2, 1000) : Number.POSITIVE_INFINITY;
  let items: Item[] = [];
  let bytes = 0;
  for (const hit of hits) {
    if (hit === PAUSE) {
      yield PAUSE;
      continue;
    }
    items.push(order.item(hit));
    bytes += hit.bytes.length;
    if (items.length >= keepMost) {
      items = (yield* mergeSort(items, order.compare, watch.due)).slice(0, most);
      bytes = items.reduce((sum, item) => sum + item.hit.bytes.length, 0);
    }
    if (bytes > LIMITS.memoryBytes)
      throw storeError(
        292,
        `Sort exceeded memory limit of ${LIMITS.memoryBytes} bytes, but did not opt in to external sorting.`,
      );
  }
  let given = 0;
  for (const item of yield* mergeSort(items, order.compare, watch.due)) {
    yield item.hit;
    if ((++given & 255) === 0 && watch.due()) yield PAUSE;
  }
}

type Item = { hit: Hit; key: string };
type Order = { item(hit: Hit): Item; compare(left: Item, right: Item): number };

// The order of index keys is the order of the sort; as texts they are compared sooner and are less to keep than as memory.
function byKey(spec: Doc): Order {
  const parts = sortParts(spec);
  const directions = parts.map(({ direction }) => direction);
  return {
    item(hit) {
      const values = parts.map(({ path, direction }) => sortValue(hit.doc, path, direction));
      // Only the bytes are held on to: the decoded documents of a long list would not fit.
      return { hit: undecoded(hit), key: encodeKey(values, directions).toString('latin1') };
    },
    compare: (left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0),
  };
}

function byComparing(spec: Doc, collation: Collation): Order {
  const compare = compileSort(spec, collation);
  return { item: (hit) => ({ hit, key: '' }), compare: (left, right) => compare(left.hit.doc, right.hit.doc) };
}
