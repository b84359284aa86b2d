// Graphile Worker on the PostgreSQL at the given address, as it is by default: each job is taken and completed by itself. (Its local queue, which takes hundreds for a process
// at once and completes them together, is many times as fast, but what it took waits hours for another process when this one dies.) Its connections stay open between the turns.
// The clock starts when the first worker asks for a job, after what run() sets up, and ends when no job is left in the table: a worker does not wait until a
// completion is on disk. stop() comes after the clock.
import { EventEmitter } from 'node:events';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { address, resident, startClock, waitsOf } from './resident.mjs';

const logger = new Logger(() => () => undefined);
const pgPool = new pg.Pool({ connectionString: address, max: 34, idleTimeoutMillis: 0 });
pgPool.on('error', (error) => console.error(error));
pgPool.on('connect', (client) => client.on('error', (error) => console.error(error)));
const own = new pg.Client({ connectionString: address });
await own.connect();
const utils = await makeWorkerUtils({ pgPool, logger });
await utils.migrate();

resident({
  queue: ({ jobs }) =>
    utils.addJobs(Array.from({ length: jobs }, (_, n) => ({ identifier: 'drained', payload: { n } }))).then(() => null),

  async drain({ workers, jobs }) {
    let left = jobs;
    let end;
    const all = new Promise((resolve) => {
      end = resolve;
    });
    const drained = async () => {
      left -= 1;
      if (!left) end();
    };
    let seconds;
    const events = new EventEmitter().once('worker:getJob:start', () => {
      seconds = startClock();
    });
    const runner = await started({ concurrency: workers, taskList: { drained }, events });
    await all;
    while (await anyLeft());
    const taken = seconds();
    await runner.stop();
    return taken;
  },

  waits: ({ count }) =>
    waitsOf(
      count,
      (n) => utils.addJob('waits', { n }),
      async (waits) => {
        const runner = await started({ concurrency: 1, taskList: { waits } });
        return () => runner.stop();
      },
    ),
});

function started(options) {
  return run({ pgPool, logger, noHandleSignals: true, crontab: ' ', ...options });
}

async function anyLeft() {
  const { rows } = await own.query('select exists (select from graphile_worker.jobs) as left');
  return rows[0].left;
}
