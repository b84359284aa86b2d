// Lets concurrent operations share queries.
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import type { Scope } from './store/query/scope.ts';
import type { ReadByKeys } from './store/query/transaction-records.ts';

type Batch = { keys: Set<string>; found: Promise<Map<string, unknown[]>> };

/** Larger lists get a query of their own, so that they do not delay others. */
const MAX_KEYS = 50;

const waiting = new WeakMap<Scope['db'], Map<unknown, Batch>>();

/**
 * Returns the records of the keys, and perhaps of others, grouped by key. Operations that ask in the same iteration of
 * the event loop share a query. `query` identifies it: reads with the same one must be the same.
 */
export function readShared<R>(
  scope: Scope,
  query: unknown,
  read: ReadByKeys<R>,
  keyOf: (record: R) => string,
  keys: readonly string[],
): Promise<Map<string, R[]>> {
  if (scope.session || keys.length > MAX_KEYS) return read(scope, keys).then((records) => Map.groupBy(records, keyOf));
  const batches = waiting.get(scope.db) ?? new Map<unknown, Batch>();
  waiting.set(scope.db, batches);
  let batch = batches.get(query);
  if (!batch || batch.keys.size + keys.length > MAX_KEYS) {
    const wanted = new Set<string>();
    const run = async () => {
      await nextLoopIteration();
      if (batches.get(query) === started) batches.delete(query);
      return Map.groupBy(await read({ db: scope.db }, [...wanted]), keyOf);
    };
    const started: Batch = { keys: wanted, found: run() };
    batch = started;
    batches.set(query, batch);
  }
  for (const key of keys) batch.keys.add(key);
  return batch.found as Promise<Map<string, R[]>>;
}
