// Limits the memory of a stage, and pauses long iterations.

import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { startTimeSlice } from '../protocol/time-slice.ts';
import { type Doc, isDocument, type Value } from './bson.ts';
import { binaryParts, RANK, rankOf } from './compare.ts';

export type Meter = { add(bytes: number): void };

/**
 * Adds up the memory use of a stage; negative values release memory. Throws QueryExceededMemoryLimitNoDiskUseAllowed
 * (292) above 100 MiB.
 */
export function memoryMeter(stage: string): Meter {
  let used = 0;
  return {
    add(bytes) {
      used += bytes;
      if (used <= LIMITS.memoryBytes) return;
      throw storeError(
        292,
        `${stage} exceeded memory limit of ${LIMITS.memoryBytes} bytes, but did not opt in to external sorting.`,
      );
    },
  };
}

/** Iterates over items in memory and pauses every few milliseconds so that other work can run. */
export async function* withPauses<T>(items: Iterable<T>): AsyncGenerator<T> {
  const timeSlice = startTimeSlice();
  for (const item of items) {
    if (timeSlice.shouldPause()) await timeSlice.pause();
    yield item;
  }
}

/** Collects all documents of a stream and reports their size to the meter. */
export async function collectAll(docs: AsyncIterable<Doc>, meter: Meter): Promise<Doc[]> {
  const gathered: Doc[] = [];
  for await (const doc of docs) {
    meter.add(sizeOf(doc));
    gathered.push(doc);
  }
  return gathered;
}

/** Estimates the size of a value in BSON in bytes. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length + 7;
  if (Array.isArray(value)) {
    let size = 7;
    for (const item of value) size += 3 + sizeOf(item);
    return size;
  }
  if (isDocument(value)) {
    let size = 7;
    for (const key in value) size += key.length + sizeOf(value[key]);
    return size;
  }
  return rankOf(value) === RANK.binary ? binaryParts(value).bytes.length + 7 : 14;
}
