// Starts the roles of this process in order and stops them in reverse. Each role loads its code when it starts.
import { join } from 'node:path';
import { SUBGRAPHS, type SubgraphName } from '../subgraphs/core/domain/kinds.ts';
import { bootstrapToken, type Config, searchPath, workerToken } from '../subgraphs/core/platform/config.ts';
import type { Dispatch } from '../subgraphs/core/platform/dispatch.ts';
import { ensureDirectory } from '../subgraphs/core/platform/ensure-directory.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { createServices } from '../subgraphs/core/services.ts';
import type { Services } from '../subgraphs/core/work.ts';
import type { NatsProcess } from './nats-process.ts';
import type { SchedulerProcess } from './scheduler-process.ts';

/** The addresses of the servers of this process. `sweeps` is null if the API or a subgraph serves its metrics. */
export type Addresses = {
  api: string | null;
  scheduler: string | null;
  sweeps: string | null;
  subgraphs: { name: SubgraphName; url: string }[];
};
/**
 * `firstToken` is the token of the first administrator, on the first start only. `warm` prepares what the web page
 * loads first.
 */
export type Service = {
  addresses: Addresses;
  firstToken: string | null;
  services: Services;
  warm(): void;
  stop(): Promise<void>;
};

/**
 * `acceptLoss`: starts the embedded store without acknowledged writes that it has lost. For tests: `monitorCommands`
 * publishes store commands; `quiet` disables periodic sampling, so that commands can be counted.
 */
type Options = { monitorCommands?: boolean; quiet?: boolean; acceptLoss?: boolean };
type Stoppable = { name: string; stop(): Promise<void> | void };

/** Starts the roles in the settings. If one fails, stops those already started and throws its error. */
export async function startService(
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
  options: Options = {},
): Promise<Service> {
  const stops: Stoppable[] = [];
  const register = <T extends { stop(): Promise<void> | void }>(name: string, running: T): T => {
    stops.push({ name, stop: () => running.stop() });
    return running;
  };
  const stop = async () => {
    for (const { name, stop } of stops.splice(0).reverse()) {
      log.debug({ role: name }, 'stopping');
      await stop();
    }
  };
  try {
    return { ...(await startRoles(config, log, onFatal, register, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const IDLE_MS = 5_000;

/** Returns whether no other process writes to the store: it is the embedded one, with the API and all subgraphs here. */
export function isOnlyWriter({ MONGODB_URL, PDM_ROLES, PDM_SUBGRAPHS }: Config): boolean {
  return !MONGODB_URL && !PDM_SUBGRAPHS && PDM_ROLES.includes('api');
}

/** Registers a started role, so that it is stopped with the service, and returns it. */
type Register = <T extends { stop(): Promise<void> | void }>(name: string, running: T) => T;

async function startRoles(
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
  register: Register,
  options: Options,
): Promise<Omit<Service, 'stop'>> {
  const has = (role: Config['PDM_ROLES'][number]) => config.PDM_ROLES.includes(role);
  ensureDirectory(config.PDM_DATA_DIR);

  const url = config.MONGODB_URL ?? (await startEmbedded(config, log, onFatal, register, options));
  const { dispatch, natsUrl, schedulerNatsUrl } = await startDispatch(config, log, register);
  const services = {
    ...(await connectStore(url, dispatch, config, log, register, options)),
    backups: await startBackups(config, log, register),
  };
  const firstToken = has('api') ? await createFirstAdministrator(services, config) : null;
  const subgraphs: Addresses['subgraphs'] = [];
  for (const name of SUBGRAPHS.filter(has)) {
    const { startSubgraph } = await import('./subgraphs.ts');
    subgraphs.push({ name, url: register(name, await startSubgraph(name, config, services)).url });
  }

  // Starts before the API and so stops after it: the records of the last requests are sealed too.
  const isAlone = isOnlyWriter(config); // so each record is announced to the sealer
  if (has('sweeps'))
    register(
      'sealer',
      (await import('../subgraphs/documents/audit/seal-audit.ts')).startSealing(
        services,
        isAlone ? { idleMs: IDLE_MS } : {},
      ),
    );
  let currentScheduler: () => SchedulerProcess | null = () => null;
  const apiOptions = {
    scheduler: async () => currentScheduler()?.status() ?? null,
    sampleQueue: !options.quiet,
  };
  const server = has('api')
    ? register('api', await (await import('./api.ts')).startApi(config, services, apiOptions))
    : null;
  const api = server?.url ?? config.PDM_API_URL?.replace(/\/api\/v1\/?$/, '') ?? null;
  // The API and subgraph servers report the metrics of sweeps in their process.
  const sweepsAlone = has('sweeps') && !has('api') && !subgraphs.length;
  const sweeps = sweepsAlone
    ? register(
        'metrics of the sweeps',
        await (await import('./component-server.ts')).startSweepsServer(config, services),
      )
    : null;
  if (has('sweeps')) {
    register('baseline', (await import('../subgraphs/documents/audit/record-baseline.ts')).startBaseline(services));
    register('job sweep', (await import('../subgraphs/jobs/lease-sweep.ts')).startLeaseSweep(services));
    register('blob sweep', (await import('../subgraphs/artifacts/sweep-blobs.ts')).startBlobSweep(services));
    const polling = isAlone ? { pollMs: IDLE_MS } : {};
    register(
      'webhooks',
      (await import('../subgraphs/documents/webhooks/deliver-webhooks.ts')).startDelivering(services, {
        ...polling,
        isAlone,
      }),
    );
    if (natsUrl) {
      const publisher = register(
        'event connection',
        (await import('../subgraphs/core/platform/publish-nats.ts')).natsEventPublisher({ url: natsUrl, log }),
      );
      register(
        'events',
        (await import('../subgraphs/documents/events/publish-events.ts')).startPublishing(services, publisher, polling),
      );
    }
  }
  if (has('scheduler') && api) {
    const startScheduler = async () =>
      (await import('./scheduler-process.ts')).startSchedulerProcess({
        config,
        log,
        apiUrl: `${api}/api/v1`,
        natsUrl: schedulerNatsUrl,
        token:
          workerToken(config) ??
          (await (await import('../subgraphs/documents/access/issue-token.ts')).issueSchedulerToken(services)),
        onFatal,
      });
    if (services.isStoreFull()) {
      // Its token and every claim are writes.
      log.warn('the scheduler will start when the disk has space');
      const { startWhenSpace } = await import('./start-when-space.ts');
      const later = startWhenSpace({ isFull: services.isStoreFull, start: startScheduler, onFatal });
      currentScheduler = register('scheduler', later).current;
    } else {
      const scheduler = register('scheduler', await startScheduler());
      currentScheduler = () => scheduler;
    }
  }
  const addresses = {
    api: has('api') ? api : null,
    scheduler: currentScheduler()?.url ?? null,
    sweeps: sweeps?.url ?? null,
    subgraphs,
  };
  return { addresses, firstToken, services, warm: () => server?.warm() };
}

async function createFirstAdministrator(services: Services, config: Config): Promise<string | null> {
  const { issueFirstToken } = await import('../subgraphs/documents/access/issue-first-token.ts');
  return issueFirstToken(services, {
    adminToken: bootstrapToken(config),
    workerToken: workerToken(config),
    file: services.firstTokenFile,
  });
}

async function startEmbedded(
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
  register: Register,
  { acceptLoss = false }: Options,
): Promise<string> {
  const { startStore } = await import('../embedded/process/supervisor.ts');
  const store = await startStore({
    dataDir: join(config.PDM_DATA_DIR, 'store'),
    acceptLoss,
    log: (line) => log[/^(?:damaged|fatal):/.test(line) ? 'error' : 'info']({ part: 'store' }, line),
    onFatal: (reason) => onFatal(`the embedded store ended: ${reason}`),
  });
  return register('store', store).uri;
}

// Starts before the parts that report the backups. Returns their state.
async function startBackups(config: Config, log: Log, register: Register): Promise<Services['backups']> {
  if (!config.PDM_BACKUP_DIR) return () => null;
  const { backupPlan, startScheduledBackups } = await import('../operate/scheduled-backups.ts');
  const plan = backupPlan(config);
  return plan ? register('backups', startScheduledBackups(plan, log)).status : () => null;
}

/**
 * Chooses how schedulers learn of new jobs: the NATS server in NATS_URL; else a nats-server started here for an API and
 * a scheduler in one process; else each scheduler long-polls the API.
 */
async function startDispatch(
  config: Config,
  log: Log,
  register: Register,
): Promise<{ dispatch: Dispatch; natsUrl: string | null; schedulerNatsUrl: string | null }> {
  const local = config.PDM_ROLES.includes('api') && config.PDM_ROLES.includes('scheduler');
  const server = local && !config.NATS_URL ? await startNats(config, log, register) : null;
  const natsUrl = config.NATS_URL ?? server?.url ?? null;
  if (natsUrl)
    return {
      dispatch: register(
        'job notifications',
        (await import('../subgraphs/core/platform/dispatch-nats.ts')).natsDispatch({ url: natsUrl, log }),
      ),
      natsUrl,
      schedulerNatsUrl: server?.schedulerUrl ?? natsUrl,
    };
  if (local)
    log.info(
      'schedulers long-poll the API for jobs, because no nats-server was found; install nats-server or set NATS_URL',
    );
  const { localDispatch } = await import('../subgraphs/core/platform/dispatch-local.ts');
  return { dispatch: localDispatch(), natsUrl: null, schedulerNatsUrl: null };
}

async function startNats(config: Config, log: Log, register: Register): Promise<NatsProcess | null> {
  const { natsProgram, startNatsProcess } = await import('./nats-process.ts');
  const program = natsProgram(config.PDM_NATS_SERVER_BIN, searchPath());
  const server = program ? await startNatsProcess({ program, dataDir: config.PDM_DATA_DIR, log }) : null;
  return server && register('nats', server);
}

async function connectStore(
  url: string,
  dispatch: Dispatch,
  config: Config,
  log: Log,
  register: Register,
  options: Options,
): Promise<Services> {
  const { connectMongo } = await import('../subgraphs/core/store/mongo.ts');
  const mongo = await connectMongo(url, options);
  register('connection', { stop: () => mongo.close() });
  return createServices(mongo, config, log, dispatch);
}
