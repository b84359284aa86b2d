// The gateway: joins the subgraphs of this process and of others behind one executor.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Subgraph } from '../subgraphs/core/graphql.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { validateDateTimeLiterals } from './date-time-literals.ts';
import { createExecute, createPrepare, type Execute, type Operation } from './execute.ts';
import { createCompiledExecutor } from './executor/compiled-executor.ts';
import type { Executor } from './executor/executor.ts';
import type { Limits } from './executor/limits.ts';
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
  /**
   * Default: `compiled`. `apollo` is the slower executor of Apollo's package, for features that the compiled one lacks.
   */
  executor?: 'compiled' | 'apollo';
  limits?: Partial<Limits>;
  /** Called after a write to a subgraph of another process. */
  onRemoteWrite?: (subgraph: string) => unknown;
  /** The composed supergraph. Default: the generated one of the product. */
  supergraphSdl?: string;
};

export type Gateway = {
  /** The schema that clients see. */
  schema: GraphQLSchema;
  /** Validates an operation of the service itself. Call it at start and keep the operation. */
  prepare(document: DocumentNode): Operation;
  execute: Execute;
  /** Plans all prepared operations, yielding to requests between two of them. Call it after listening. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
  executor: Executor;
};

const SUPERGRAPH_FILE = new URL('generated/supergraph.graphql', import.meta.url);

/** Creates the gateway: loads the supergraph and creates a source for each subgraph. Remote subgraphs may be down. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { subgraphs, log } = options;
  const sources = Object.fromEntries(subgraphs.map((subgraph) => [subgraph.name, createSource(subgraph, options)]));
  const executor = await createExecutor(options, sources);
  validateDateTimeLiterals(executor.schema);
  const prepare = createPrepare(executor);
  const operations: Operation[] = [];
  let closed = false;
  return {
    schema: executor.schema,
    executor,
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
      await executor.apolloGateway.stop();
      await Promise.all(Object.values(sources).map((source) => source.close()));
    },
  };
}

function createSource(subgraph: Subgraph | RemoteSubgraph, { key, onRemoteWrite }: GatewayOptions): Source {
  return 'url' in subgraph
    ? remoteSource({ ...subgraph, key, onWrite: () => onRemoteWrite?.(subgraph.name) })
    : localSource(subgraph);
}

async function createExecutor(
  { executor, limits, log, supergraphSdl = readFileSync(SUPERGRAPH_FILE, 'utf8') }: GatewayOptions,
  sources: Record<string, Source>,
) {
  if (executor === 'apollo') {
    const { createApolloExecutor } = await import('./executor/apollo-executor.ts');
    return createApolloExecutor({ supergraphSdl, sources, milliseconds: limits?.milliseconds });
  }
  const onNullViolation = (operation: string | undefined, fields: readonly string[]) =>
    log.warn({ operation, fields }, 'subgraph returned null for a non-null field');
  return createCompiledExecutor({ supergraphSdl, sources, limits, onNullViolation });
}
