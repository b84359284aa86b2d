// A database whose calls a test can delay, precede or fail.
import type { Db } from 'mongodb';

type Call = () => Promise<unknown>;

/**
 * Returns the database with interceptors of the calls of collections, by `collection.method`, e.g. `webhooks.insertOne`.
 * An interceptor of `find` runs when the cursor is read with `toArray`.
 */
export function interceptedDb(db: Db, interceptors: Record<string, (call: Call) => Promise<unknown>>): Db {
  const intercepted = <T extends object>(target: T, method: (name: string) => unknown): T =>
    new Proxy(target, {
      get: (_, key) => {
        const own = Reflect.get(target, key, target);
        return method(String(key)) ?? (typeof own === 'function' ? own.bind(target) : own);
      },
    });
  const collection = (name: string) => {
    const records = db.collection(name);
    return intercepted(records, (method) => {
      const interceptor = interceptors[`${name}.${method}`];
      if (!interceptor) return undefined;
      return (...args: unknown[]) => {
        if (method !== 'find') return interceptor(() => Reflect.apply(Reflect.get(records, method), records, args));
        const cursor = records.find(...(args as []));
        const read = cursor.toArray.bind(cursor);
        cursor.toArray = () => interceptor(read) as never;
        return cursor;
      };
    });
  };
  return intercepted(db, (method) => (method === 'collection' ? collection : undefined));
}
