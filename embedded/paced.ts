import { setImmediate } from 'node:timers/promises';

/** What is held in memory, one by one, giving way to other work every few milliseconds. */
export async function* paced<T>(items: Iterable<T>): AsyncGenerator<T> {
  let due = performance.now() + SLICE;
  for (const item of items) {
    if (performance.now() > due) {
      await setImmediate();
      due = performance.now() + SLICE;
    }
    yield item;
  }
}

const SLICE = 5;
