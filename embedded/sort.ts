import { setImmediate } from 'node:timers/promises';
import type { Doc, Value } from './bson.ts';
import { type Collation, compare, sortParts, sortValue } from './compare.ts';
import { memoryMeter, sizeOf } from './memory.ts';
import { paced } from './paced.ts';

/**
 * Sorts a stream in memory, equal ones in the order they came. With a `limit` not many more are kept. Long sorts give way to other work every few milliseconds;
 * more than 100 MiB of documents are refused (292).
 */
export async function* sortStream<T>(
  input: AsyncIterable<T>,
  spec: Doc,
  { docOf, collation, limit = Infinity }: { docOf: (item: T) => Doc; collation?: Collation; limit?: number },
): AsyncGenerator<T> {
  const parts = sortParts(spec);
  const order = (a: Keyed<T>, b: Keyed<T>): number => {
    for (let at = 0; at < parts.length; at++) {
      const result = compare(a.keys[at], b.keys[at], collation);
      if (result !== 0) return result * parts[at]!.direction;
    }
    return 0;
  };
  const meter = memoryMeter('$sort');
  const kept: Keyed<T>[] = [];
  let fresh = 0;
  for await (const item of input) {
    const doc = docOf(item);
    const size = sizeOf(doc);
    meter.add(size);
    kept.push({ item, size, keys: parts.map(({ path, direction }) => sortValue(doc, path, direction, collation)) });
    fresh += size;
    if (kept.length < 2 * limit || (kept.length < SLICE && fresh < SLICE_BYTES)) continue;
    kept.sort(order);
    for (const dropped of kept.splice(limit)) meter.add(-dropped.size);
    fresh = 0;
  }
  for await (const { item } of paced(await mergeSort(kept, order))) {
    if (limit-- <= 0) return;
    yield item;
  }
}

type Keyed<T> = { item: T; keys: Value[]; size: number };

const SLICE = 2048;
const SLICE_BYTES = 8 * 1024 * 1024;

// Runs of a few thousand are sorted at once and then merged, with a pause between the pieces.
async function mergeSort<T>(items: T[], order: (a: T, b: T) => number): Promise<T[]> {
  if (items.length <= SLICE) return items.sort(order);
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += SLICE) {
    runs.push(items.slice(at, at + SLICE).sort(order));
    await setImmediate();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(runs[at + 1] ? await merge(runs[at]!, runs[at + 1]!, order) : runs[at]!);
    runs = merged;
  }
  return runs[0]!;
}

async function merge<T>(a: T[], b: T[], order: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length && right < b.length) {
    merged.push(order(a[left]!, b[right]!) <= 0 ? a[left++]! : b[right++]!);
    if (merged.length % SLICE === 0) await setImmediate();
  }
  for (; left < a.length; left++) merged.push(a[left]!);
  for (; right < b.length; right++) merged.push(b[right]!);
  return merged;
}
