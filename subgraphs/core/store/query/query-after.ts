// Lets queries of a collection wait.
import type { Collection } from 'mongodb';

/** Runs a query when it may run. `scansOthers`: whether it may read other collections. */
export type Gate = {
  run<R>(isWrite: boolean, scansOthers: boolean, query: () => Promise<R>): Promise<R>;
};

type Methods = Record<string | symbol, unknown>;
type Method = (...args: unknown[]) => unknown;

const READS = new Set(['findOne', 'countDocuments', 'distinct']);
const WRITES = new Set([
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany', 'bulkWrite'],
  ...['findOneAndUpdate', 'findOneAndDelete', 'findOneAndReplace'],
]);
const CURSOR_READS = new Set(['toArray', 'next', 'tryNext', 'hasNext', 'forEach']);

/** Returns the collection with queries that run through the gate. */
export function queryAfter(collection: Collection, gate: Gate): Collection {
  return new Proxy(collection, {
    get(target, key) {
      const method = (target as unknown as Methods)[key];
      if (typeof method !== 'function') return method;
      const call = (method as Method).bind(target);
      if (READS.has(String(key)) || WRITES.has(String(key)))
        return (...args: unknown[]) =>
          gate.run(WRITES.has(String(key)), false, async () => (await call(...args)) as unknown);
      if (key === 'find' || key === 'aggregate')
        return (...args: unknown[]) => cursorAfter(call(...args) as object, gate, key === 'aggregate');
      return call;
    },
  });
}

function cursorAfter(cursor: object, gate: Gate, scansOthers: boolean): object {
  const proxy: object = new Proxy(cursor, {
    get(target, key) {
      if (key === Symbol.asyncIterator) return () => iterate(proxy as { next(): Promise<unknown> });
      const method = (target as Methods)[key];
      if (typeof method !== 'function') return method;
      const call = (method as Method).bind(target);
      if (CURSOR_READS.has(String(key)))
        return (...args: unknown[]) => gate.run(false, scansOthers, async () => (await call(...args)) as unknown);
      return (...args: unknown[]) => {
        const result = call(...args);
        return result === target ? proxy : result;
      };
    },
  });
  return proxy;
}

async function* iterate(cursor: { next(): Promise<unknown> }): AsyncGenerator<unknown> {
  for (let record = await cursor.next(); record !== null; record = await cursor.next()) yield record;
}
