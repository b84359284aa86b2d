// BullMQ on Redis at the socket `address`. The worker connects before the clock starts. A job counts as completed when
// Redis, which writes to disk before it responds, has confirmed it.
import { Queue, Worker } from 'bullmq';
import { address, handleCommands, measureClaimLatencies, startClock } from './peer-process.mjs';

const connection = { path: address, maxRetriesPerRequest: null };
const drained = new Queue('drained', { connection });
const latencyQueue = new Queue('waits', { connection });

handleCommands({
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
    const elapsed = seconds();
    await worker.close();
    return elapsed;
  },

  claimLatencies: ({ count }) =>
    measureClaimLatencies(
      count,
      (n) => latencyQueue.add('job', { n }),
      async (claimed) => {
        const worker = new Worker('waits', claimed, { connection });
        await worker.waitUntilReady();
        return () => worker.close();
      },
    ),
});
