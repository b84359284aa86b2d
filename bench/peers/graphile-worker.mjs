// Graphile Worker on PostgreSQL at `address` with its defaults: jobs are claimed and completed one by one. (Its local
// queue, which claims and completes in batches, is many times faster, but jobs of a dead process stay locked for
// hours.) Connections stay open between measurements. The clock starts at the first getJob, after the setup in run(),
// and stops when the table is empty, because a worker does not wait until completions are on disk. stop() is not
// measured.
import { EventEmitter } from 'node:events';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { address, handleCommands, measureClaimLatencies, startClock } from './peer-process.mjs';

const logger = new Logger(() => () => undefined);
const pgPool = new pg.Pool({ connectionString: address, max: 34, idleTimeoutMillis: 0 });
pgPool.on('error', (error) => console.error(error));
pgPool.on('connect', (client) => client.on('error', (error) => console.error(error)));
const client = new pg.Client({ connectionString: address });
await client.connect();
const utils = await makeWorkerUtils({ pgPool, logger });
await utils.migrate();

handleCommands({
  queue: ({ jobs }) =>
    utils.addJobs(Array.from({ length: jobs }, (_, n) => ({ identifier: 'drained', payload: { n } }))).then(() => null),

  async drain({ workers, jobs }) {
    let remaining = jobs;
    let finish;
    const all = new Promise((resolve) => {
      finish = resolve;
    });
    const drained = async () => {
      remaining -= 1;
      if (!remaining) finish();
    };
    let seconds;
    const events = new EventEmitter().once('worker:getJob:start', () => {
      seconds = startClock();
    });
    const runner = await startRunner({ concurrency: workers, taskList: { drained }, events });
    await all;
    while (await hasJobs());
    const elapsed = seconds();
    await runner.stop();
    return elapsed;
  },

  claimLatencies: ({ count }) =>
    measureClaimLatencies(
      count,
      (n) => utils.addJob('waits', { n }),
      async (waits) => {
        const runner = await startRunner({ concurrency: 1, taskList: { waits } });
        return () => runner.stop();
      },
    ),
});

function startRunner(options) {
  return run({ pgPool, logger, noHandleSignals: true, crontab: ' ', ...options });
}

async function hasJobs() {
  const { rows } = await client.query('select exists (select from graphile_worker.jobs) as found');
  return rows[0].found;
}
