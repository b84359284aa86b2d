// The scheduler as a process of its own: started by the service, or alone beside an API elsewhere.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Config, configOrExit, FAULTY_SETTINGS } from '../subgraphs/core/config.ts';
import { natsPermits } from '../subgraphs/core/dispatch-nats.ts';
import { createLog } from '../subgraphs/core/log.ts';
import { version } from '../subgraphs/core/version.ts';
import { occtEngine } from './engines/occt/engine.ts';
import { withRuns } from './generator/with-runs.ts';
import type { Isolation } from './sandbox/program.ts';
import { machineSandbox } from './sandbox/sandbox.ts';
import { startScheduler } from './scheduler.ts';
import { workFolder } from './work-folder.ts';

const BROKEN = 70;
// What is not given back by then is swept by the service when its lease has run out.
const LONGEST_DRAIN = 10_000;

await main();

async function main(): Promise<void> {
  process.umask(0o077);
  const config = configOrExit();
  const log = createLog({ name: 'scheduler', pretty: config.PDM_LOG === 'pretty', level: config.PDM_LOG_LEVEL });
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a fault of the program itself');
    process.exit(BROKEN);
  });
  const { PDM_API_URL: apiUrl, PDM_WORKER_TOKEN: token } = config;
  if (!apiUrl || !token) {
    console.error('The scheduler needs PDM_API_URL and PDM_WORKER_TOKEN.');
    process.exit(FAULTY_SETTINGS);
  }

  const workDir = await workFolder(join(config.PDM_DATA_DIR, 'scheduler'));
  const slots = config.PDM_ENGINE_SLOTS || Math.max(1, Math.min(2, availableParallelism() - 1));
  const longest = config.PDM_ENGINE_TIMEOUT_SECONDS;
  const isolation = isolationOf(config);
  const sandbox = machineSandbox(
    (line) => log.info(line),
    isolation.mode === 'trusted' ? { mode: 'strict' } : isolation,
  );
  // CAD files are opened in the sandbox also where generators do without
  const importing = config.PDM_SANDBOX_IMPORT;
  const geometry = occtEngine({
    slots,
    workDir,
    maxStepMb: config.PDM_ENGINE_MAX_STEP_MB,
    memoryMb: config.PDM_ENGINE_MEMORY_MB,
    lowMemory: config.PDM_ENGINE_LOW_MEMORY,
    timeoutSeconds: longest ? { convert: longest, assemble: longest, export: longest } : {},
    ...(importing === 'limited' ? {} : { sandbox: { of: sandbox, mode: importing } }),
    log: (line) => log.info(line),
  });
  const runs = { isolation, sandbox, seconds: config.PDM_RUN_SECONDS, maxStepMb: config.PDM_ENGINE_MAX_STEP_MB };
  const engine = withRuns(geometry, { ...runs, log: (line) => log.info(line) });
  const permits = config.NATS_URL ? natsPermits({ url: config.NATS_URL, log }) : null;
  const options = {
    apiUrl,
    token,
    permits,
    host: config.PDM_HOST,
    port: config.PDM_SCHEDULER_PORT,
    workDir,
    engine,
    log,
  };
  const scheduler = await startScheduler(options).catch((error: Error) => {
    console.error(`The scheduler could not start: ${error.message}`);
    process.exit(1);
  });
  drainOn(() => scheduler.stop());
  // Whoever started it asks over their channel how it is: it needs no token for that, and no port.
  process.on('message', () => process.send?.({ status: scheduler.status() }));
  if (process.send) process.send({ url: scheduler.url });
  else console.log(`pdm ${version} is ready: scheduler ${scheduler.url}/scheduler/status · works for ${apiUrl}`);

  function drainOn(stop: () => Promise<void>): void {
    let asked = false;
    const drain = () => {
      if (asked) return;
      asked = true;
      log.info('draining');
      setTimeout(() => process.exit(0), LONGEST_DRAIN).unref();
      stop().then(
        () => process.exit(0),
        (error: Error) => {
          log.fatal({ err: error }, 'stopping failed');
          process.exit(BROKEN);
        },
      );
    };
    process.on('SIGTERM', drain);
    process.on('SIGINT', drain);
    // The process that started it is gone.
    process.on('disconnect', drain);
  }
}

// How generators are kept apart.
function isolationOf({ PDM_SANDBOX: mode, PDM_SANDBOX_ENGINE: engine, PDM_SANDBOX_IMAGE: image }: Config): Isolation {
  return mode === 'container' ? { mode, engine, image } : { mode };
}
