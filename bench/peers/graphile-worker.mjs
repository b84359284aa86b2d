// Graphile Worker on the PostgreSQL at the given address: prints its figures as one line of JSON.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';

const [, , connectionString, jobs, waits, ...workers] = process.argv;
const logger = new Logger(() => () => undefined);
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();

const perSecond = {};
for (const count of workers.map(Number)) {
  const identifier = `drained-by-${count}`;
  await utils.addJobs(Array.from({ length: Number(jobs) }, (_, n) => ({ identifier, payload: { n } })));
  let done = 0;
  let end = () => {};
  const drained = new Promise((resolve) => {
    end = resolve;
  });
  const task = async () => {
    done += 1;
    if (done === Number(jobs)) end();
  };
  const begun = performance.now();
  const runner = await started({ concurrency: count, taskList: { [identifier]: task } });
  await drained;
  // Completions are on disk when it has stopped.
  await runner.stop();
  perSecond[count] = Number(jobs) / ((performance.now() - begun) / 1000);
}

let claimed = () => {};
const runner = await started({ concurrency: 1, taskList: { waits: async () => claimed(performance.now()) } });
const times = [];
for (let n = 0; n < Number(waits); n++) {
  const next = new Promise((resolve) => {
    claimed = resolve;
  });
  await utils.addJob('waits', { n });
  const queued = performance.now();
  times.push((await next) - queued);
}
console.log(JSON.stringify({ perSecond, waits: times }));
await runner.stop();
await utils.release();

function started(options) {
  return run({ connectionString, logger, noHandleSignals: true, maxPoolSize: 34, crontab: ' ', ...options });
}
