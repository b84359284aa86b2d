// As many threads as it gets, each writing over memory that no cache holds, for ever: what disturbs its neighbours most.
import { Worker } from 'node:worker_threads';

const MiB = 2 ** 20;
const burn = `const memory = Buffer.alloc(${16 * MiB}); for (let value = 0; ; value++) memory.fill(value);`;
for (let started = 0; started < 32; started++) {
  const worker = new Worker(burn, { eval: true }).on('error', () => undefined);
  await new Promise((resolve) => worker.on('online', resolve).on('error', resolve));
}
