// What runs in this process: role by role, started in order, stopped in reverse. Each role loads its code when it starts.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { SUBGRAPHS, type SubgraphName } from '../subgraphs/core/domain/kinds.ts';
import { bootstrapToken, type Config, searchPath, workerToken } from '../subgraphs/core/platform/config.ts';
import type { Dispatch } from '../subgraphs/core/platform/dispatch.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { makeFolder } from '../subgraphs/core/platform/make-folder.ts';
import { servicesOn } from '../subgraphs/core/services.ts';
import type { Services } from '../subgraphs/core/work.ts';
import type { SchedulerProcess } from './scheduler-process.ts';

/** Where the service answers, and the first administrator's token if this is the first start. */
export type Addresses = {
  api: string | null;
  scheduler: string | null;
  sweeps: string | null;
  subgraphs: { name: SubgraphName; url: string }[];
};
/** `warm` makes what the first visitor of the web page would wait for. */
export type Service = {
  addresses: Addresses;
  firstToken: string | null;
  services: Services;
  warm(): void;
  stop(): Promise<void>;
};

/** `monitorCommands` lets tests see what is asked of the store; `quiet`: nothing is asked that nobody wants to know, so that they can count. */
type Options = { monitorCommands?: boolean; quiet?: boolean };
type Stop = { name: string; stop(): Promise<void> | void };

/** Starts the roles of the settings; when one fails, those already started are stopped and the reason is thrown. */
export async function startService(
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
  options: Options = {},
): Promise<Service> {
  const stops: Stop[] = [];
  const started = <T extends { stop(): Promise<void> | void }>(name: string, running: T): T => {
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
    return { ...(await startRoles(config, log, onFatal, started, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started = <T extends { stop(): Promise<void> | void }>(name: string, running: T) => T;

async function startRoles(
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
  started: Started,
  options: Options,
): Promise<Omit<Service, 'stop'>> {
  const has = (role: Config['PDM_ROLES'][number]) => config.PDM_ROLES.includes(role);
  makeFolder(config.PDM_DATA_DIR);

  const url = config.MONGODB_URL ?? (await startEmbedded(config, log, onFatal, started));
  const { dispatch, natsUrl } = await startDispatch(config, log, started);
  const services = await connect(url, dispatch, config, log, started, options);
  const firstToken = has('api') ? await letFirstIn(services, config) : null;
  const subgraphs: Addresses['subgraphs'] = [];
  for (const name of SUBGRAPHS.filter(has)) {
    const { startSubgraph } = await import('./subgraphs.ts');
    subgraphs.push({ name, url: started(name, await startSubgraph(name, config, services)).url });
  }

  // Before the API, so that it stops after it: what the last requests recorded is sealed too.
  if (has('sweeps'))
    started('sealer', (await import('../subgraphs/documents/audit/seal-audit.ts')).startSealing(services));
  let beside: SchedulerProcess | null = null;
  const toApi = { scheduler: async () => (beside ? beside.status() : null), samples: !options.quiet };
  const faces = has('api') ? started('api', await (await import('./api.ts')).startApi(config, services, toApi)) : null;
  const api = faces?.url ?? config.PDM_API_URL?.replace(/\/api\/v1\/?$/, '') ?? null;
  // Beside an API or a subgraph its figures are told there.
  const alone = has('sweeps') && !has('api') && !subgraphs.length;
  const sweeps = alone
    ? started('address of the sweeps', await (await import('./part-server.ts')).startSweepsServer(config, services))
    : null;
  if (has('sweeps')) {
    started('job sweep', (await import('../subgraphs/jobs/sweep.ts')).startSweep(services));
    started('blob sweep', (await import('../subgraphs/artifacts/sweep-blobs.ts')).startBlobSweep(services));
    started(
      'webhooks',
      (await import('../subgraphs/documents/webhooks/deliver-webhooks.ts')).startDelivering(services),
    );
    if (natsUrl) {
      const publisher = started(
        'event connection',
        (await import('../subgraphs/core/platform/publish-nats.ts')).natsEvents({ url: natsUrl, log }),
      );
      started(
        'events',
        (await import('../subgraphs/documents/events/publish-events.ts')).startPublishing(services, publisher),
      );
    }
  }
  if (has('scheduler') && api)
    beside = started(
      'scheduler',
      await (await import('./scheduler-process.ts')).startSchedulerProcess({
        config,
        log,
        apiUrl: `${api}/api/v1`,
        natsUrl,
        token:
          workerToken(config) ??
          (await (await import('../subgraphs/documents/access/issue-token.ts')).issueEngineToken(services)),
        onFatal,
      }),
    );
  const addresses = {
    api: has('api') ? api : null,
    scheduler: beside?.url ?? null,
    sweeps: sweeps?.url ?? null,
    subgraphs,
  };
  return { addresses, firstToken, services, warm: () => faces?.warm() };
}

async function letFirstIn(services: Services, config: Config): Promise<string | null> {
  const { letFirstIn } = await import('../subgraphs/documents/access/first-start.ts');
  return letFirstIn(services, {
    given: bootstrapToken(config),
    worker: workerToken(config),
    file: join(config.PDM_DATA_DIR, 'first-token'),
  });
}

async function startEmbedded(
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
  started: Started,
): Promise<string> {
  const { startStore } = await import('../embedded/process/supervisor.ts');
  const store = await startStore({
    dataDir: join(config.PDM_DATA_DIR, 'store'),
    log: (line) => log.info({ part: 'store' }, line),
    onFatal: (reason) => onFatal(`the embedded store ended: ${reason}`),
  });
  return started('store', store).uri;
}

/**
 * The doorbell: over NATS at its address, else over a nats-server run here for the API and the scheduler beside it; without either each scheduler
 * waits at the API. The last two are for one machine.
 */
async function startDispatch(
  config: Config,
  log: Log,
  started: Started,
): Promise<{ dispatch: Dispatch; natsUrl: string | null }> {
  const here = config.PDM_ROLES.includes('api') && config.PDM_ROLES.includes('scheduler');
  const natsUrl = config.NATS_URL ?? (here ? await startNats(config, log, started) : null);
  if (natsUrl)
    return {
      dispatch: started(
        'doorbell',
        (await import('../subgraphs/core/platform/dispatch-nats.ts')).natsDispatch({ url: natsUrl, log }),
      ),
      natsUrl,
    };
  if (here)
    log.info(
      'jobs are found by waiting at the API: there is no nats-server (apt-get install nats-server, or set NATS_URL)',
    );
  return { dispatch: (await import('../subgraphs/core/platform/dispatch-local.ts')).localDispatch(), natsUrl: null };
}

async function startNats(config: Config, log: Log, started: Started): Promise<string | null> {
  const { natsProgram, startNatsProcess } = await import('./nats-process.ts');
  const program = natsProgram(config.PDM_NATS_SERVER_BIN, searchPath());
  const server = program && (await startNatsProcess({ program, dataDir: config.PDM_DATA_DIR, log }));
  return server ? started('nats', server).url : null;
}

async function connect(
  url: string,
  dispatch: Dispatch,
  config: Config,
  log: Log,
  started: Started,
  options: Options,
): Promise<Services> {
  const { connectMongo } = await import('../subgraphs/core/store/mongo.ts');
  const mongo = await connectMongo(url, options);
  started('connection', { stop: () => mongo.close() });
  return servicesOn(mongo, config, log, dispatch);
}

/** Jobs the built-in engine works on at once: as set, else one less than the cores and at most 2. */
export function engineSlots(config: Config): number {
  return config.PDM_ENGINE_SLOTS || Math.max(1, Math.min(2, availableParallelism() - 1));
}
