// Preloaded with `node --import`: kills its process at a database operation.
// PDM_TEST_KILL_POINT: method, collection and which of these calls, such as `insertMany files.chunks 3`. The process is
// killed right after the operation; with `unanswered` at the end, while the server works on it.
import { Collection } from 'mongodb';

const [method = '', collection, count, unanswered] = (process.env.PDM_TEST_KILL_POINT ?? '').split(' ');
const prototype = Collection.prototype as unknown as Record<
  string,
  (this: Collection, ...args: unknown[]) => Promise<unknown>
>;
const original = prototype[method];
if (!original) throw new Error(`A collection has no method '${method}'`);

let calls = 0;
prototype[method] = async function (...args) {
  const operation = original.apply(this, args);
  if (this.collectionName !== collection || ++calls !== Number(count)) return operation;
  // A list of the indexes, requested on another connection, is answered before a long operation ends.
  await (unanswered ? Promise.race([operation.then(assertUnanswered), this.indexes()]) : operation);
  process.kill(process.pid, 'SIGKILL');
};

function assertUnanswered(): never {
  throw new Error(`${process.env.PDM_TEST_KILL_POINT}: the operation was too short`);
}
