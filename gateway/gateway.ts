// The gateway: joins the subgraphs of this process and of others in one Apollo gateway.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Subgraph } from '../subgraphs/core/graphql.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { validateDateTimeLiterals } from './date-time-literals.ts';
import { withPublicErrors } from './errors.ts';
import { createExecute, createPrepare, type Execute, type Operation } from './execute.ts';
import { createApolloExecutor } from './executor/apollo-executor.ts';
import { createCompiledExecutor } from './executor/compiled-executor.ts';
import type { Executor } from './executor/executor.ts';
import { type FederatedGateway, loadFederatedGateway } from './executor/federated-gateway.ts';
import type { Limits } from './executor/limits.ts';
import type { WatchStore } from './executor/with-time-limit.ts';
import { localSource } from './sources/local-source.ts';
import { remoteSource } from './sources/remote-source.ts';
import type { Source } from './sources/source.ts';

/** A subgraph in another process, and the URL of its /graphql. */
export type RemoteSubgraph = { name: string; url: string };

export type GatewayOptions = {
  subgraphs: readonly (Subgraph | RemoteSubgraph)[];
  /** The key that seals requests to other processes (identityKey of identity.ts). */
  key: Buffer;
  log: Log;
  /** Runs the plans of the Apollo gateway. Default: `compiled`. `apollo` is its own, slower executor. */
  executor?: 'compiled' | 'apollo';
  limits?: Partial<Limits>;
  /** Ends reads while the store does not respond. */
  watchStore?: WatchStore;
  /** Called after a write to a subgraph of another process. */
  onRemoteWrite?: (subgraph: string) => unknown;
  /** The composed supergraph. Default: the generated one of the product. */
  supergraphSdl?: string;
};

export type Gateway = {
  /** The schema that clients see. */
  schema: GraphQLSchema;
  /** Validates an operation of the service itself. Call it once at the start, and reuse the operation. */
  prepare(document: DocumentNode): Operation;
  execute: Execute;
  /** Plans all prepared operations, yielding to requests between two of them. Call it after listening. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
  /** The gateway for Apollo Server. Its errors are public errors. */
  apolloGateway: FederatedGateway;
};

const SUPERGRAPH_FILE = new URL('generated/supergraph.graphql', import.meta.url);

/** Creates the gateway: loads the supergraph and creates a source for each subgraph. Remote subgraphs may be down. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { subgraphs, log, supergraphSdl = readFileSync(SUPERGRAPH_FILE, 'utf8') } = options;
  const sources = Object.fromEntries(subgraphs.map((subgraph) => [subgraph.name, createSource(subgraph, options)]));
  const apolloGateway = await loadFederatedGateway(supergraphSdl, sources);
  const { schema } = apolloGateway;
  validateDateTimeLiterals(schema);
  const executor = createExecutor(apolloGateway, sources, options);
  apolloGateway.executor = withPublicErrors(executor.execute, log);
  const prepare = createPrepare(schema, executor);
  const operations: Operation[] = [];
  let closed = false;
  return {
    schema,
    apolloGateway,
    execute: createExecute(log),
    prepare(document) {
      const operation = prepare(document);
      operations.push(operation);
      return operation;
    },
    async warmUp() {
      for (const { name, prepared } of operations) {
        await setImmediate();
        if (closed) return;
        try {
          prepared.compile();
        } catch (error) {
          log.error({ err: error, operation: name }, 'operation cannot be planned');
        }
      }
    },
    async close() {
      closed = true;
      await apolloGateway.stop();
      await Promise.all(Object.values(sources).map((source) => source.close()));
    },
  };
}

function createSource(subgraph: Subgraph | RemoteSubgraph, { key, onRemoteWrite }: GatewayOptions): Source {
  return 'url' in subgraph
    ? remoteSource({ ...subgraph, key, onWrite: () => onRemoteWrite?.(subgraph.name) })
    : localSource(subgraph);
}

function createExecutor(
  apolloGateway: FederatedGateway,
  sources: Record<string, Source>,
  { executor, limits, log, watchStore }: GatewayOptions,
): Executor {
  if (executor === 'apollo') return createApolloExecutor(apolloGateway, limits?.milliseconds, watchStore);
  const onNullViolation = (operation: string | undefined, fields: readonly string[]) =>
    log.warn({ operation, fields }, 'subgraph returned null for a non-null field');
  return createCompiledExecutor(apolloGateway, { sources, limits, onNullViolation, watchStore });
}
