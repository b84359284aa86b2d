// The scheduler process. The service starts it, or it runs alone for an API on another machine.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Config, EX_CONFIG, readConfigOrExit } from '../subgraphs/core/platform/config.ts';
import { natsPermits } from '../subgraphs/core/platform/dispatch-nats.ts';
import { createLog } from '../subgraphs/core/platform/log.ts';
import { version } from '../subgraphs/core/platform/version.ts';
import { occtEngine } from './engines/occt/engine.ts';
import { withGeneratorRuns } from './generator/with-generator-runs.ts';
import type { Isolation } from './sandbox/program.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { startScheduler } from './scheduler.ts';
import { createWorkFolder } from './work-folder.ts';

const EXIT_INTERNAL_ERROR = 70;
// Jobs not given back by then return to the queue when their leases expire.
const MAX_DRAIN_MILLISECONDS = 10_000;

await main();

async function main(): Promise<void> {
  process.umask(0o077);
  const config = readConfigOrExit();
  const log = createLog({ name: 'scheduler', pretty: config.PDM_LOG === 'pretty', level: config.PDM_LOG_LEVEL });
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(EXIT_INTERNAL_ERROR);
  });
  const { PDM_API_URL: apiUrl, PDM_WORKER_TOKEN: token } = config;
  if (!apiUrl || !token) {
    console.error('The scheduler needs PDM_API_URL and PDM_WORKER_TOKEN.');
    process.exit(EX_CONFIG);
  }

  const workDir = await createWorkFolder(join(config.PDM_DATA_DIR, 'scheduler'));
  const slots = config.PDM_ENGINE_SLOTS || Math.max(1, Math.min(2, availableParallelism() - 1));
  const lightSlots = config.PDM_ENGINE_LIGHT_SLOTS;
  const timeout = config.PDM_ENGINE_TIMEOUT_SECONDS;
  const isolation = isolationOf(config);
  const sandbox = createSandbox(
    (line) => log.info(line),
    isolation.mode === 'trusted' ? { mode: 'strict' } : isolation,
  );
  // PDM_SANDBOX=trusted applies to generators only; CAD files are still opened in the sandbox
  const importMode = config.PDM_SANDBOX_IMPORT;
  const geometry = occtEngine({
    slots: slots + lightSlots,
    lightSlots,
    workDir,
    maxStepMb: config.PDM_ENGINE_MAX_STEP_MB,
    memoryMb: config.PDM_ENGINE_MAX_MEMORY_MB,
    lowMemory: config.PDM_ENGINE_LOW_MEMORY,
    timeoutSeconds: timeout ? { convert: timeout, assemble: timeout, export: timeout } : {},
    ...(importMode === 'limited' ? {} : { sandbox: { instance: sandbox, mode: importMode } }),
    log: (line) => log.info(line),
  });
  const runs = {
    isolation,
    sandbox,
    seconds: config.PDM_RUN_TIMEOUT_SECONDS,
    maxStepMb: config.PDM_ENGINE_MAX_STEP_MB,
  };
  const engine = withGeneratorRuns(geometry, { ...runs, log: (line) => log.info(line) });
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
  drainOnSignal(() => scheduler.stop());
  // The parent process requests the status over the IPC channel, without a token or port.
  process.on('message', () => process.send?.({ status: scheduler.status() }));
  if (process.send) process.send({ url: scheduler.url });
  else console.log(`pdm ${version} is ready: scheduler ${scheduler.url}/scheduler/status · API ${apiUrl}`);

  function drainOnSignal(stop: () => Promise<void>): void {
    let draining = false;
    const drain = () => {
      if (draining) return;
      draining = true;
      log.info('draining');
      setTimeout(() => process.exit(0), MAX_DRAIN_MILLISECONDS).unref();
      stop().then(
        () => process.exit(0),
        (error: Error) => {
          log.fatal({ err: error }, 'stop failed');
          process.exit(EXIT_INTERNAL_ERROR);
        },
      );
    };
    process.on('SIGTERM', drain);
    process.on('SIGINT', drain);
    // The parent process has ended.
    process.on('disconnect', drain);
  }
}

function isolationOf({ PDM_SANDBOX: mode, PDM_SANDBOX_ENGINE: engine, PDM_SANDBOX_IMAGE: image }: Config): Isolation {
  return mode === 'container' ? { mode, engine, image } : { mode };
}
