// Starts as many threads as the limits allow; each writes over more memory than the caches hold, to disturb other
// processes.
import { Worker } from 'node:worker_threads';

const MiB = 2 ** 20;
const source = `const memory = Buffer.alloc(${16 * MiB}); for (let value = 0; ; value++) memory.fill(value);`;
for (let started = 0; started < 32; started++) {
  const worker = new Worker(source, { eval: true }).on('error', () => undefined);
  await new Promise((resolve) => worker.on('online', resolve).on('error', resolve));
}
