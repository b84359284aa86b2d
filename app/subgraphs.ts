// The four subgraphs: loaded where they run, in the process of the gateway or in one of their own.

import type { RemoteSubgraph } from '../gateway/gateway.ts';
import { identityKey } from '../gateway/sources/identity.ts';
import { createSubgraphServer } from '../gateway/sources/subgraph-server.ts';
import { SUBGRAPHS, type SubgraphName } from '../subgraphs/core/domain/kinds.ts';
import type { Subgraph } from '../subgraphs/core/graphql.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import { secretOf } from '../subgraphs/core/platform/secret.ts';
import type { Services } from '../subgraphs/core/work.ts';
import { healthy, listenAs } from './part-server.ts';

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

/** Serves a subgraph for gateways with the same secret, at PDM_SUBGRAPH_PORT and the three after it. */
export async function startSubgraph(
  name: SubgraphName,
  config: Config,
  services: Services,
): Promise<{ url: string; stop(): Promise<void> }> {
  const keys = [identityKey(secretOf(config.PDM_DATA_DIR))];
  const server = createSubgraphServer({
    subgraph: await LOADED[name](services),
    keys,
    log: services.log,
    healthy: () => healthy(services),
  });
  const { url, stop } = await listenAs(name, server, config, services);
  return { url: `${url}/graphql`, stop };
}
