// Sorts a stream of documents.

import { sortWithPauses } from '../query/merge-sort.ts';
import type { Doc, Value } from '../values/bson.ts';
import { type Collation, compare, sortParts, sortValue } from '../values/compare.ts';
import { memoryMeter, sizeOf, withPauses } from '../values/memory.ts';

const MIN_TRIM_DOCUMENTS = 2048;
const MIN_TRIM_BYTES = 8 * 2 ** 20;

/**
 * Sorts a stream in memory; the order of equal documents is preserved. With a `limit`, surplus documents are discarded
 * from time to time. Long sorts pause every few milliseconds. Throws QueryExceededMemoryLimitNoDiskUseAllowed (292) if
 * the documents exceed 100 MiB.
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
  let candidates: Keyed[] = [];
  let bytesSinceTrim = 0;
  for await (const doc of input) {
    const size = sizeOf(doc);
    meter.add(size);
    candidates.push({
      doc,
      size,
      keys: parts.map(({ path, direction }) => sortValue(doc, path, direction, collation)),
    });
    bytesSinceTrim += size;
    const isSmall = candidates.length < MIN_TRIM_DOCUMENTS && bytesSinceTrim < MIN_TRIM_BYTES;
    if (candidates.length < 2 * limit || isSmall) continue;
    const sorted = await sortWithPauses(candidates, order);
    for (let at = limit; at < sorted.length; at++) meter.add(-sorted[at]!.size);
    candidates = sorted.slice(0, limit);
    bytesSinceTrim = 0;
  }
  const sorted = await sortWithPauses(candidates, order);
  for await (const { doc } of withPauses(sorted.slice(0, limit))) yield doc;
}

type Keyed = { doc: Doc; keys: Value[]; size: number };
