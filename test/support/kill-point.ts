// Preloaded with `node --import`: kills its process right after a database operation.
// PDM_TEST_KILL_POINT: method, collection and which of these calls, such as `insertMany files.chunks 3`.
import { Collection } from 'mongodb';

const [method = '', collection, count] = (process.env.PDM_TEST_KILL_POINT ?? '').split(' ');
const prototype = Collection.prototype as unknown as Record<
  string,
  (this: Collection, ...args: unknown[]) => Promise<unknown>
>;
const original = prototype[method];
if (!original) throw new Error(`A collection has no method '${method}'`);

let calls = 0;
prototype[method] = async function (...args) {
  const result = await original.apply(this, args);
  if (this.collectionName === collection && ++calls === Number(count)) process.kill(process.pid, 'SIGKILL');
  return result;
};
