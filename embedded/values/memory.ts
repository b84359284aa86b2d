import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { startTimeSlice } from '../protocol/time-slice.ts';
import { type Doc, isDocument, type Value } from './bson.ts';
import { binaryParts, RANK, rankOf } from './compare.ts';

export type Meter = { add(bytes: number): void };

/** Counts what a stage holds in memory, less what it lets go (negative bytes); beyond 100 MiB it refuses (292). */
export function memoryMeter(stage: string): Meter {
  let held = 0;
  return {
    add(bytes) {
      held += bytes;
      if (held <= LIMITS.memoryBytes) return;
      throw storeError(
        292,
        `${stage} exceeded memory limit of ${LIMITS.memoryBytes} bytes, but did not opt in to external sorting.`,
      );
    },
  };
}

/** What is held in memory, one by one, giving way to other work every few milliseconds. */
export async function* paced<T>(items: Iterable<T>): AsyncGenerator<T> {
  const timeSlice = startTimeSlice();
  for (const item of items) {
    if (timeSlice.shouldPause()) await timeSlice.pause();
    yield item;
  }
}

/** All documents of a stream, counted. */
export async function gather(docs: AsyncIterable<Doc>, meter: Meter): Promise<Doc[]> {
  const gathered: Doc[] = [];
  for await (const doc of docs) {
    meter.add(sizeOf(doc));
    gathered.push(doc);
  }
  return gathered;
}

/** About the bytes a value takes as BSON. */
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
