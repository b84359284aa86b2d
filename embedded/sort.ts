import type { Doc, Value } from './bson.ts';
import { type Collation, compare, sortParts, sortValue } from './compare.ts';
import { memoryMeter, paced, sizeOf } from './memory.ts';
import { mergeSort } from './merge-sort.ts';
import { startWatch } from './watch.ts';

const ENOUGH = 2048;
const ENOUGH_BYTES = 8 * 2 ** 20;

/**
 * Sorts a stream in memory, equal ones in the order they came. With a `limit` not many more are kept. Long sorts give way to other work every few milliseconds;
 * more than 100 MiB of documents are refused (292).
 */
export async function* sortStream(input: AsyncIterable<Doc>, spec: Doc, limit = Infinity, collation?: Collation): AsyncGenerator<Doc> {
  const parts = sortParts(spec);
  const order = (a: Keyed, b: Keyed): number => {
    for (let at = 0; at < parts.length; at++) {
      const result = compare(a.keys[at], b.keys[at], collation);
      if (result !== 0) return result * parts[at]!.direction;
    }
    return 0;
  };
  const meter = memoryMeter('$sort');
  const kept: Keyed[] = [];
  let fresh = 0;
  for await (const doc of input) {
    const size = sizeOf(doc);
    meter.add(size);
    kept.push({ doc, size, keys: parts.map(({ path, direction }) => sortValue(doc, path, direction, collation)) });
    fresh += size;
    if (kept.length < 2 * limit || (kept.length < ENOUGH && fresh < ENOUGH_BYTES)) continue;
    kept.sort(order);
    for (const dropped of kept.splice(limit)) meter.add(-dropped.size);
    fresh = 0;
  }
  const watch = startWatch();
  const sorting = mergeSort(kept, order, watch.due);
  let step = sorting.next();
  for (; !step.done; step = sorting.next()) await watch.pause();
  for await (const { doc } of paced(step.value.slice(0, limit))) yield doc;
}

type Keyed = { doc: Doc; keys: Value[]; size: number };
