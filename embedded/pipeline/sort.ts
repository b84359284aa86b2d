import { sortWithPauses } from '../query/merge-sort.ts';
import type { Doc, Value } from '../values/bson.ts';
import { type Collation, compare, sortParts, sortValue } from '../values/compare.ts';
import { memoryMeter, paced, sizeOf } from '../values/memory.ts';

const ENOUGH = 2048;
const ENOUGH_BYTES = 8 * 2 ** 20;

/**
 * Sorts a stream in memory, equal ones in the order they came. With a `limit` not many more are kept. Long sorts give way to other work every few milliseconds;
 * more than 100 MiB of documents are refused (292).
 */
export async function* sortStream(
  input: AsyncIterable<Doc>,
  spec: Doc,
  limit = Infinity,
  collation?: Collation,
): AsyncGenerator<Doc> {
  const parts = sortParts(spec);
  const order = (a: Keyed, b: Keyed): number => {
    for (let at = 0; at < parts.length; at++) {
      const result = compare(a.keys[at], b.keys[at], collation);
      if (result !== 0) return result * parts[at]!.direction;
    }
    return 0;
  };
  const meter = memoryMeter('$sort');
  let kept: Keyed[] = [];
  let fresh = 0;
  for await (const doc of input) {
    const size = sizeOf(doc);
    meter.add(size);
    kept.push({ doc, size, keys: parts.map(({ path, direction }) => sortValue(doc, path, direction, collation)) });
    fresh += size;
    if (kept.length < 2 * limit || (kept.length < ENOUGH && fresh < ENOUGH_BYTES)) continue;
    const sorted = await sortWithPauses(kept, order);
    for (let at = limit; at < sorted.length; at++) meter.add(-sorted[at]!.size);
    kept = sorted.slice(0, limit);
    fresh = 0;
  }
  const sorted = await sortWithPauses(kept, order);
  for await (const { doc } of paced(sorted.slice(0, limit))) yield doc;
}

type Keyed = { doc: Doc; keys: Value[]; size: number };
