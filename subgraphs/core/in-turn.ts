import type { Services } from './work.ts';

const last = new WeakMap<object, Promise<unknown>>();

/**
 * Runs a write that changes who uses whom after those that were begun before it in this process. They would conflict in the store and be run
 * again and again; this is only the faster way: between processes the store's conflicts keep the order.
 */
export function inTurn<R>({ mongo }: Pick<Services, 'mongo'>, write: () => Promise<R>): Promise<R> {
  const before = last.get(mongo) ?? Promise.resolve();
  const mine = before.then(write, write);
  last.set(mongo, mine);
  return mine;
}
