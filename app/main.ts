// The entry point: starts the roles in PDM_ROLES, prints their addresses, and drains on SIGTERM, SIGINT or SIGHUP.
import { existsSync } from 'node:fs';
import {
  configureLibraries,
  EX_CONFIG,
  readConfigOrExit,
  unknownSettingWarnings,
} from '../subgraphs/core/platform/config.ts';
import { createLog } from '../subgraphs/core/platform/log.ts';
import { version } from '../subgraphs/core/platform/version.ts';

/** Exit code of an internal error (EX_SOFTWARE). */
const INTERNAL_ERROR = 70;
const DRAIN_TIMEOUT_MS = 20_000;
/** `npm start -- --accept-loss`: starts once without acknowledged writes that the embedded store has lost. */
const ACCEPT_LOSS = '--accept-loss';

await main();

async function main(): Promise<void> {
  process.umask(0o077);
  configureLibraries();
  const acceptLoss = parseArguments(process.argv.slice(2));
  const config = readConfigOrExit();
  const log = createLog({ name: 'pdm', pretty: config.PDM_LOG === 'pretty', level: config.PDM_LOG_LEVEL });
  for (const line of unknownSettingWarnings()) log.warn(line);
  // A scheduler alone stores nothing: it needs neither a store nor an administrator.
  if (config.PDM_ROLES.every((role) => role === 'scheduler')) {
    await import('../scheduler/main.ts');
    return;
  }
  const fatal = (reason: string) => {
    log.fatal(reason);
    process.exit(INTERNAL_ERROR);
  };
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(INTERNAL_ERROR);
  });

  const { startService } = await import('./start-service.ts');
  const starting = startService(config, log, fatal, { acceptLoss });
  // A signal during the start stops, in order, the roles that have started by then.
  drainOnSignal(['SIGTERM', 'SIGINT', 'SIGHUP'], async () => (await starting).stop());
  const service = await starting.catch((error: Error) => {
    console.error(`pdm could not start: ${error.message}`);
    log.debug({ err: error });
    process.exit(1);
  });

  const { api, scheduler, sweeps, subgraphs } = service.addresses;
  const endpoints = [
    api && `REST ${api}/api/v1`,
    api && config.PDM_GRAPHQL && `GraphQL ${api}/graphql`,
    ...subgraphs.map(({ name, url }) => `${name} ${url}`),
    sweeps && `sweeps ${sweeps}/metrics`,
    scheduler && `scheduler ${scheduler}/scheduler/status`,
  ];
  console.log(`pdm ${version} is ready: ${endpoints.filter(Boolean).join(' · ')} · data ${config.PDM_DATA_DIR}`);
  service.warm();
  if (api && config.PDM_BOOTSTRAP_TOKEN)
    console.log(`Sign in at ${config.PDM_PUBLIC_URL ?? api}/ with the token in PDM_BOOTSTRAP_TOKEN.`);
  const { firstTokenFile } = service.services;
  if (service.firstToken && api)
    console.log(
      `First start. Open ${config.PDM_PUBLIC_URL ?? api}/#token=${service.firstToken}\nThe token is shown once; it is also in ${firstTokenFile}. It expires after 7 days, or when you have set up your account.`,
    );
  else if (api && existsSync(firstTokenFile))
    console.log(
      `Your account is not set up. Sign in at ${config.PDM_PUBLIC_URL ?? api}/ with the token in ${firstTokenFile}.`,
    );

  function drainOnSignal(signals: NodeJS.Signals[], stop: () => Promise<void>): void {
    let draining = false;
    for (const signal of signals)
      process.on(signal, () => {
        if (draining) return;
        draining = true;
        log.info({ signal }, 'draining');
        setTimeout(() => fatal('draining took longer than 20 s'), DRAIN_TIMEOUT_MS).unref();
        stop().then(
          () => process.exit(0),
          (error) => fatal(`stopping failed: ${error.message}`),
        );
      });
  }
}

// Returns whether to accept a loss. Ignored arguments would be misleading: `npm start -- --port 9000` would start on
// another port.
function parseArguments(args: readonly string[]): boolean {
  if (args.length === 1 && args[0] === ACCEPT_LOSS) return true;
  if (!args.length) return false;
  console.error(
    `Unexpected argument: ${args.join(' ')}. Settings are environment variables, e.g. PDM_PORT=9000 npm start; docs/operating.md lists them.`,
  );
  process.exit(EX_CONFIG);
}
