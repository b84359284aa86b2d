// pg-boss on the PostgreSQL at the given address: prints its figures as one line of JSON.
import { PgBoss } from 'pg-boss';

const [, , connectionString, jobs, waits, ...workers] = process.argv;
const boss = new PgBoss({ connectionString, max: 34 });
boss.on('error', (error) => console.error(error));
await boss.start();

const perSecond = {};
for (const count of workers.map(Number)) {
  const queue = `drained-by-${count}`;
  await boss.createQueue(queue);
  await boss.insert(
    queue,
    Array.from({ length: Number(jobs) }, (_, n) => ({ data: { n } })),
  );
  const begun = performance.now();
  await Promise.all(Array.from({ length: count }, () => drained(queue)));
  perSecond[count] = Number(jobs) / ((performance.now() - begun) / 1000);
}

async function drained(queue) {
  for (;;) {
    const [job] = await boss.fetch(queue, { batchSize: 1 });
    if (!job) return;
    await boss.complete(queue, job.id);
  }
}

// As often as it looks: it polls.
await boss.createQueue('waits');
let claimed = () => {};
await boss.work('waits', { pollingIntervalSeconds: 0.5 }, async () => claimed(performance.now()));
const times = [];
for (let n = 0; n < Number(waits); n++) {
  const next = new Promise((resolve) => {
    claimed = resolve;
  });
  await boss.send('waits', { n });
  const queued = performance.now();
  times.push((await next) - queued);
}
console.log(JSON.stringify({ perSecond, waits: times }));
await boss.stop({ graceful: false });
process.exit(0);
