// The four subgraphs: loaded where they run, in the process of the gateway or in one of their own.
import type { AddressInfo } from 'node:net';
import type { Config } from '../subgraphs/core/config.ts';
import { SUBGRAPHS, type SubgraphName } from '../subgraphs/core/domain/kinds.ts';
import type { Subgraph } from '../subgraphs/core/graphql.ts';
import { health } from '../subgraphs/core/health.ts';
import { version } from '../subgraphs/core/version.ts';
import type { Services } from '../subgraphs/core/work.ts';
import { doorOf } from './context.ts';
import type { RemoteSubgraph } from './gateway.ts';
import { identityKey } from './identity.ts';
import { mountMetrics } from './metrics.ts';
import { secretOf } from './secret.ts';
import { createSubgraphServer } from './subgraph-server.ts';

const LOADED: Record<SubgraphName, (services: Services) => Promise<Subgraph>> = {
  documents: async (services) => (await import('../subgraphs/documents/subgraph.ts')).documentsSubgraph(services),
  versioning: async (services) => (await import('../subgraphs/versioning/subgraph.ts')).versioningSubgraph(services),
  artifacts: async (services) => (await import('../subgraphs/artifacts/subgraph.ts')).artifactsSubgraph(services),
  jobs: async (services) => (await import('../subgraphs/jobs/subgraph.ts')).jobsSubgraph(services),
};

/** What the gateway joins: the subgraphs that the settings say run elsewhere by their address, the others here. */
export function subgraphsOf({ PDM_SUBGRAPHS }: Config, services: Services): Promise<(Subgraph | RemoteSubgraph)[]> {
  return Promise.all(
    SUBGRAPHS.map(async (name) => {
      const url = PDM_SUBGRAPHS?.[name];
      return url ? { name, url } : LOADED[name](services);
    }),
  );
}

/** Serves a subgraph for gateways with the same secret, at PDM_SUBGRAPH_PORT and the three after it, in the order of their names here; 0 takes a free one. */
export async function startSubgraph(name: SubgraphName, config: Config, services: Services): Promise<{ url: string; stop(): Promise<void> }> {
  const healthy = async () => {
    const { status } = await health(services, version);
    if (status !== 'ok') throw new Error('the database does not answer');
  };
  const keys = [identityKey(secretOf(config.PDM_DATA_DIR))];
  const server = createSubgraphServer({ subgraph: await LOADED[name](services), keys, log: services.log, healthy });
  mountMetrics(server, { authenticate: doorOf(services).authenticate });
  const port = config.PDM_SUBGRAPH_PORT && config.PDM_SUBGRAPH_PORT + SUBGRAPHS.indexOf(name);
  await server.listen({ host: config.PDM_HOST, port }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error(`port ${port} is in use. Stop what uses it, or set PDM_SUBGRAPH_PORT to another.`) : error;
  });
  const { port: taken } = server.server.address() as AddressInfo;
  const host = config.PDM_HOST === '0.0.0.0' || config.PDM_HOST === '::' ? '127.0.0.1' : config.PDM_HOST;
  return { url: `http://${host}:${taken}/graphql`, stop: () => server.close() };
}
