// BullMQ on the Redis at the given socket. Each Worker is connected before the clock starts; a job is 'completed' when Redis, which writes to disk before it
// answers, has said so.
import { Queue, Worker } from 'bullmq';
import { address, resident, startClock, waitsOf } from './resident.mjs';

const connection = { path: address, maxRetriesPerRequest: null };
const drained = new Queue('drained', { connection });
const waiting = new Queue('waits', { connection });

resident({
  queue: ({ jobs }) =>
    drained.addBulk(Array.from({ length: jobs }, (_, n) => ({ name: 'job', data: { n } }))).then(() => null),

  async drain({ workers, jobs }) {
    const worker = new Worker('drained', async () => {}, { connection, concurrency: workers, autorun: false });
    await worker.waitUntilReady();
    let done = 0;
    const all = new Promise((resolve) => {
      worker.on('completed', () => {
        done += 1;
        if (done === jobs) resolve();
      });
    });
    const seconds = startClock();
    worker.run();
    await all;
    const taken = seconds();
    await worker.close();
    return taken;
  },

  waits: ({ count }) =>
    waitsOf(
      count,
      (n) => waiting.add('job', { n }),
      async (claimed) => {
        const worker = new Worker('waits', claimed, { connection });
        await worker.waitUntilReady();
        return () => worker.close();
      },
    ),
});
