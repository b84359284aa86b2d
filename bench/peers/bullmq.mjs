// BullMQ on the Redis at the given port: prints its figures as one line of JSON.
import { Queue, Worker } from 'bullmq';

const [, , port, jobs, waits, ...workers] = process.argv;
const connection = { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null };

const perSecond = {};
for (const count of workers.map(Number)) {
  const queue = new Queue(`drained-by-${count}`, { connection });
  await queue.addBulk(Array.from({ length: Number(jobs) }, (_, n) => ({ name: 'job', data: { n } })));
  const begun = performance.now();
  await new Promise((resolve) => {
    let done = 0;
    const worker = new Worker(queue.name, async () => {}, { connection, concurrency: count });
    worker.on('completed', () => {
      done += 1;
      if (done === Number(jobs)) resolve(worker.close());
    });
  });
  perSecond[count] = Number(jobs) / ((performance.now() - begun) / 1000);
  await queue.close();
}

const queue = new Queue('waits', { connection });
let claimed = () => {};
const worker = new Worker('waits', async () => claimed(performance.now()), { connection });
await worker.waitUntilReady();
const times = [];
for (let n = 0; n < Number(waits); n++) {
  const next = new Promise((resolve) => {
    claimed = resolve;
  });
  await queue.add('job', { n });
  const queued = performance.now();
  times.push((await next) - queued);
}
console.log(JSON.stringify({ perSecond, waits: times }));
process.exit(0);
