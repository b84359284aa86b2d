// The one entry: starts the roles of the settings, says where they answer, drains when asked to stop.
import {
  configureLibraries,
  EX_CONFIG,
  readConfigOrExit,
  unknownSettingWarnings,
} from '../subgraphs/core/platform/config.ts';
import { createLog } from '../subgraphs/core/platform/log.ts';
import { version } from '../subgraphs/core/platform/version.ts';

const BROKEN = 70;
const DRAIN = 20_000;

await main();

async function main(): Promise<void> {
  process.umask(0o077);
  configureLibraries();
  refuseArguments(process.argv.slice(2));
  const config = readConfigOrExit();
  const log = createLog({ name: 'pdm', pretty: config.PDM_LOG === 'pretty', level: config.PDM_LOG_LEVEL });
  for (const line of unknownSettingWarnings()) log.warn(line);
  // a scheduler beside an API elsewhere has nothing to keep: no store, no administrator
  if (config.PDM_ROLES.every((role) => role === 'scheduler')) {
    await import('../scheduler/main.ts');
    return;
  }
  const fatal = (reason: string) => {
    log.fatal(reason);
    process.exit(BROKEN);
  };
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a fault of the program itself');
    process.exit(BROKEN);
  });

  const { startService } = await import('./roles.ts');
  const starting = startService(config, log, fatal);
  // also while it starts: what has been started by then is stopped in order
  drainOn(['SIGTERM', 'SIGINT', 'SIGHUP'], async () => (await starting).stop());
  const service = await starting.catch((error: Error) => {
    console.error(`pdm could not start: ${error.message}`);
    log.debug({ err: error });
    process.exit(1);
  });

  const { api, scheduler, sweeps, subgraphs } = service.addresses;
  const answers = [
    api && `REST ${api}/api/v1`,
    api && config.PDM_GRAPHQL && `GraphQL ${api}/graphql`,
    ...subgraphs.map(({ name, url }) => `${name} ${url}`),
    sweeps && `sweeps ${sweeps}/metrics`,
    scheduler && `scheduler ${scheduler}/scheduler/status`,
  ];
  console.log(`pdm ${version} is ready: ${answers.filter(Boolean).join(' · ')} · data ${config.PDM_DATA_DIR}`);
  service.warm();
  if (service.firstToken && api)
    console.log(
      `First start. Open ${config.PDM_PUBLIC_URL ?? api}/#token=${service.firstToken}\nThe token is shown once; it is also in ${config.PDM_DATA_DIR}/first-token.`,
    );

  function drainOn(signals: NodeJS.Signals[], stop: () => Promise<void>): void {
    let asked = false;
    for (const signal of signals)
      process.on(signal, () => {
        if (asked) return;
        asked = true;
        log.info({ signal }, 'draining');
        setTimeout(() => fatal('draining took longer than 20 s'), DRAIN).unref();
        stop().then(
          () => process.exit(0),
          (error) => fatal(`stopping failed: ${error.message}`),
        );
      });
  }
}

// passed over, `npm start -- --port 9000` would start, and not at that port
function refuseArguments(given: readonly string[]): void {
  if (!given.length) return;
  console.error(
    `There is nothing to be said with ${given.join(' ')}: settings are environment variables, e.g. PDM_PORT=9000 npm start. docs/operating.md lists them.`,
  );
  process.exit(EX_CONFIG);
}
