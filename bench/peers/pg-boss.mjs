// pg-boss on the PostgreSQL at the given address. Loops of fetch and complete, as its work() polls; each complete is on disk when it answers. Its workers are woken
// by NOTIFY where the wait is measured. Its connections stay open, and what it does by the clock is switched off: it would fall into the turns of others.
import { PgBoss } from 'pg-boss';
import { address, resident, startClock, waitsOf } from './resident.mjs';

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

resident({
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
    const taken = seconds();
    const count = done.reduce((sum, one) => sum + one, 0);
    if (count !== jobs) throw new Error(`pg-boss handed out ${count} jobs of ${jobs}`);
    return taken;
  },

  waits: ({ count }) =>
    waitsOf(
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
