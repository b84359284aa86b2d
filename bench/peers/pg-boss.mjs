// pg-boss on PostgreSQL at `address`. Drains with loops of fetch and complete, like its work(); complete resolves when
// it is on disk. Claim latency is measured with NOTIFY. Connections stay open; its periodic tasks are disabled, because
// they would disturb the measurement of other queues.
import { PgBoss } from 'pg-boss';
import { address, handleCommands, measureClaimLatencies, startClock } from './peer-process.mjs';

const boss = new PgBoss({
  connectionString: address,
  max: 34,
  idleTimeoutMillis: 0,
  useListenNotify: true,
  supervise: false,
  schedule: false,
});
boss.on('error', (error) => console.error(error));
await boss.start();
await boss.createQueue('drained');
await boss.createQueue('waits', { notify: true });

handleCommands({
  queue: ({ jobs }) =>
    boss
      .insert(
        'drained',
        Array.from({ length: jobs }, (_, n) => ({ data: { n } })),
      )
      .then(() => null),

  async drain({ workers, jobs }) {
    const seconds = startClock();
    const done = await Promise.all(Array.from({ length: workers }, work));
    const elapsed = seconds();
    const count = done.reduce((sum, n) => sum + n, 0);
    if (count !== jobs) throw new Error(`pg-boss completed ${count} of ${jobs} jobs`);
    return elapsed;
  },

  claimLatencies: ({ count }) =>
    measureClaimLatencies(
      count,
      (n) => boss.send('waits', { n }),
      async (claimed) => {
        await boss.work('waits', { pollingIntervalSeconds: 0.5 }, claimed);
        return () => boss.offWork('waits');
      },
    ),
});

async function work() {
  for (let done = 0; ; done++) {
    const [job] = await boss.fetch('drained', { batchSize: 1 });
    if (!job) return done;
    await boss.complete('drained', job.id);
  }
}
