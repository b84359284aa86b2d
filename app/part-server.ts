// What every part that runs alone has besides its work: an address of its own, and the figures of what it does there.
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { doorOf } from '../http/authentication/context.ts';
import { mountMetrics } from '../http/metrics/metrics.ts';
import { SUBGRAPHS, type SubgraphName } from '../subgraphs/core/domain/kinds.ts';
import { health } from '../subgraphs/core/health.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import { version } from '../subgraphs/core/platform/version.ts';
import type { Services } from '../subgraphs/core/work.ts';

/** The parts in the order of their ports. */
const PARTS = [...SUBGRAPHS, 'sweeps'] as const;

/** Mounts GET /metrics and listens at PDM_SUBGRAPH_PORT or as many ports after it as the part comes later; 0 takes a free one. */
export async function listenAs(
  part: SubgraphName | 'sweeps',
  server: FastifyInstance,
  config: Config,
  services: Services,
): Promise<{ url: string; stop(): Promise<void> }> {
  mountMetrics(server, { authenticate: doorOf(services).authenticate });
  const port = config.PDM_SUBGRAPH_PORT && config.PDM_SUBGRAPH_PORT + PARTS.indexOf(part);
  await server.listen({ host: config.PDM_HOST, port }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`port ${port} is in use. Stop what uses it, or set PDM_SUBGRAPH_PORT to another.`)
      : error;
  });
  const { port: taken } = server.server.address() as AddressInfo;
  const host = config.PDM_HOST === '0.0.0.0' || config.PDM_HOST === '::' ? '127.0.0.1' : config.PDM_HOST;
  return { url: `http://${host}:${taken}`, stop: () => server.close() };
}

/** The address of sweeps that run without an API or a subgraph beside them: GET /health for everybody, and the figures. */
export function startSweepsServer(config: Config, services: Services): Promise<{ url: string; stop(): Promise<void> }> {
  const server = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  server.get('/health', async () => {
    await healthy(services);
    return { status: 'ok' };
  });
  return listenAs('sweeps', server, config, services);
}

/** Throws while the database does not answer. */
export async function healthy(services: Services): Promise<void> {
  const { status } = await health(services, version);
  if (status !== 'ok') throw new Error('the database does not answer');
}
