// The Apollo gateway of the service. It loads the supergraph, plans operations and reports the schema to Apollo Server;
// `executor` runs the plans.
import { ApolloGateway } from '@apollo/gateway';
import type { QueryPlanner } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { configureLibraries } from '../../subgraphs/core/platform/config.ts';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import { type Source, type Sources, sourceOf } from '../sources/source.ts';

type LoadResult = ReturnType<ApolloGateway['load']>;
type Unsubscribe = ReturnType<ApolloGateway['onSchemaLoadOrUpdate']>;
type SchemaListener = Parameters<ApolloGateway['onSchemaLoadOrUpdate']>[0];

/** An Apollo gateway that is loaded before Apollo Server starts, because the REST adapter needs its schema, too. */
export class FederatedGateway extends ApolloGateway {
  /** The schema that clients see. */
  declare schema: GraphQLSchema;

  /** Loads the supergraph at the first call (about 100 ms). Apollo Server calls it again. */
  override async load(options?: Parameters<ApolloGateway['load']>[0]): LoadResult {
    if (!this.schema) await super.load(options);
    return { schema: this.schema, executor: this.executor };
  }

  /** Calls the listener after each update, and at once if the supergraph is loaded. */
  override onSchemaLoadOrUpdate(listener: SchemaListener): Unsubscribe {
    const { supergraphSdl } = this.__testing();
    if (supergraphSdl) listener({ apiSchema: this.schema, coreSupergraphSdl: supergraphSdl });
    return super.onSchemaLoadOrUpdate(listener);
  }

  /** The planner of the loaded supergraph. */
  get planner(): QueryPlanner {
    const { queryPlanner } = this.__testing();
    if (!queryPlanner) throw new Error('The supergraph is not loaded');
    return queryPlanner;
  }
}

/** Creates and loads the gateway. Throws if a subgraph of the supergraph has no source. */
export async function loadFederatedGateway(supergraphSdl: string, sources: Sources): Promise<FederatedGateway> {
  configureLibraries(); // otherwise the constructor starts to send telemetry
  const gateway = new FederatedGateway({
    supergraphSdl,
    buildService: ({ name }) => dataSource(sourceOf(sources, name)),
    validateSupergraph: false, // generated and tested
    __exposeQueryPlanExperimental: false,
    logger: SILENT_LOGGER,
  });
  await gateway.load();
  return gateway;
}

function dataSource({ process }: Source): ReturnType<NonNullable<BuildService>> {
  return {
    process: ({ request: { query = '', variables, operationName }, context }) =>
      process({ request: { query, variables, operationName }, context: context as RequestContext }),
  };
}

type BuildService = NonNullable<ConstructorParameters<typeof ApolloGateway>[0]>['buildService'];

/** For Apollo's packages, because the service logs the errors of operations itself. */
export const SILENT_LOGGER = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
