// Loads the four subgraphs where they run: in the process of the gateway or in their own.
import type { RemoteSubgraph } from '../gateway/gateway.ts';
import { identityKey } from '../gateway/sources/identity.ts';
import { createSubgraphServer } from '../gateway/sources/subgraph-server.ts';
import { SUBGRAPHS, type SubgraphName } from '../subgraphs/core/domain/kinds.ts';
import type { Subgraph } from '../subgraphs/core/graphql.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import { readOrCreateSecret } from '../subgraphs/core/platform/secret.ts';
import type { Services } from '../subgraphs/core/work.ts';
import { assertHealthy, startComponentServer } from './component-server.ts';

const LOADERS: Record<SubgraphName, (services: Services) => Promise<Subgraph>> = {
  documents: async (services) => (await import('../subgraphs/documents/subgraph.ts')).documentsSubgraph(services),
  versioning: async (services) => (await import('../subgraphs/versioning/subgraph.ts')).versioningSubgraph(services),
  artifacts: async (services) => (await import('../subgraphs/artifacts/subgraph.ts')).artifactsSubgraph(services),
  jobs: async (services) => (await import('../subgraphs/jobs/subgraph.ts')).jobsSubgraph(services),
};

/** Returns the subgraphs for the gateway: those in PDM_SUBGRAPHS by their URL, the others loaded here. */
export function subgraphsOf({ PDM_SUBGRAPHS }: Config, services: Services): Promise<(Subgraph | RemoteSubgraph)[]> {
  return Promise.all(
    SUBGRAPHS.map(async (name) => {
      const url = PDM_SUBGRAPHS?.[name];
      return url ? { name, url } : LOADERS[name](services);
    }),
  );
}

/**
 * Serves a subgraph to gateways that share the secret. The four subgraphs take PDM_SUBGRAPH_PORT and the three ports
 * after it.
 */
export async function startSubgraph(
  name: SubgraphName,
  config: Config,
  services: Services,
): Promise<{ url: string; stop(): Promise<void> }> {
  const keys = [identityKey(readOrCreateSecret(config.PDM_DATA_DIR))];
  const server = createSubgraphServer({
    subgraph: await LOADERS[name](services),
    keys,
    log: services.log,
    assertHealthy: () => assertHealthy(services),
  });
  const { url, stop } = await startComponentServer(name, server, config, services);
  return { url: `${url}/graphql`, stop };
}
