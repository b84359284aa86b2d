// The HTTP server of a component that runs without the API: its own address, /metrics and, for sweeps, /health.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { createAuthenticator } from '../http/authentication/authenticator.ts';
import { mountMetrics } from '../http/metrics/metrics.ts';
import { SUBGRAPHS, type SubgraphName } from '../subgraphs/core/domain/kinds.ts';
import { health } from '../subgraphs/core/health.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import type { Services } from '../subgraphs/core/work.ts';
import { listen } from './listen.ts';

/** Components in the order of their ports. */
const COMPONENTS = [...SUBGRAPHS, 'sweeps'] as const;

/** Mounts GET /metrics and listens on PDM_SUBGRAPH_PORT plus the position of the component; 0 chooses a free port. */
export async function startComponentServer(
  component: SubgraphName | 'sweeps',
  server: FastifyInstance,
  config: Config,
  services: Services,
): Promise<{ url: string; stop(): Promise<void> }> {
  mountMetrics(server, { authenticate: createAuthenticator(services).authenticate });
  const port = config.PDM_SUBGRAPH_PORT && config.PDM_SUBGRAPH_PORT + COMPONENTS.indexOf(component);
  const url = await listen(server, { host: config.PDM_HOST, port, setting: 'PDM_SUBGRAPH_PORT' });
  return { url, stop: () => server.close() };
}

/** Starts the server of sweeps that run without an API or a subgraph: GET /health (public) and GET /metrics. */
export function startSweepsServer(config: Config, services: Services): Promise<{ url: string; stop(): Promise<void> }> {
  const server = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  server.get('/health', async () => {
    await assertHealthy(services);
    return { status: 'ok' };
  });
  return startComponentServer('sweeps', server, config, services);
}

/** Throws unless the database and the file store respond. */
export async function assertHealthy(services: Services): Promise<void> {
  const { database, fileStore } = (await health(services)).parts;
  if (database.status !== 'ok' || fileStore.status !== 'ok') throw new Error('the database does not respond');
}
