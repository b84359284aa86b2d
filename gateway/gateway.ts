// The gateway: the subgraphs of this process or of others, joined behind one executor.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Subgraph } from '../subgraphs/core/graphql.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { type Execute, execution, type Operation, preparation } from './execute.ts';
import { createCompiledExecutor } from './executor/compiled-executor.ts';
import type { Executor } from './executor/executor.ts';
import type { Limits } from './executor/limits.ts';
import { checkLiterals } from './literals.ts';
import { localSource } from './sources/local-source.ts';
import { remoteSource } from './sources/remote-source.ts';
import type { Source } from './sources/source.ts';

/** A subgraph that another process serves, at the address of its /graphql. */
export type RemoteSubgraph = { name: string; url: string };

export type GatewayOptions = {
  subgraphs: readonly (Subgraph | RemoteSubgraph)[];
  /** What requests to other processes are sealed with (identityKey of identity.ts). */
  key: Buffer;
  log: Log;
  /** `apollo` is the slower executor of Apollo's package, for what the compiled one does not do. */
  executor?: 'compiled' | 'apollo';
  limits?: Partial<Limits>;
  /** Told after a write to a subgraph of another process. */
  wroteTo?: (subgraph: string) => unknown;
  /** The composed supergraph; left out, the generated one of the product. */
  supergraphSdl?: string;
};

export type Gateway = {
  /** What clients see. */
  schema: GraphQLSchema;
  /** Checks an operation of the service's own; to be called at start, the operation kept. */
  prepare(document: DocumentNode): Operation;
  execute: Execute;
  /** Plans all prepared operations, one at a time, so that requests are answered meanwhile. For after listening. */
  warm(): Promise<void>;
  close(): Promise<void>;
  executor: Executor;
};

const SUPERGRAPH = new URL('generated/supergraph.graphql', import.meta.url);

/** Makes the gateway: loads the supergraph, opens a way to each subgraph. Subgraphs of other processes need not be up. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { subgraphs, log } = options;
  const sources = Object.fromEntries(subgraphs.map((subgraph) => [subgraph.name, sourceOf(subgraph, options)]));
  const executor = await createExecutor(options, sources);
  checkLiterals(executor.schema);
  const prepare = preparation(executor);
  const operations: Operation[] = [];
  let closed = false;
  return {
    schema: executor.schema,
    executor,
    execute: execution(log),
    prepare(document) {
      const operation = prepare(document);
      operations.push(operation);
      return operation;
    },
    async warm() {
      for (const { name, prepared } of operations) {
        await setImmediate();
        if (closed) return;
        try {
          prepared.warm();
        } catch (error) {
          log.error({ err: error, operation: name }, 'an operation cannot be planned');
        }
      }
    },
    async close() {
      closed = true;
      await executor.forApollo.stop();
      await Promise.all(Object.values(sources).map((source) => source.close()));
    },
  };
}

function sourceOf(subgraph: Subgraph | RemoteSubgraph, { key, wroteTo }: GatewayOptions): Source {
  return 'url' in subgraph
    ? remoteSource({ ...subgraph, key, wrote: () => wroteTo?.(subgraph.name) })
    : localSource(subgraph);
}

async function createExecutor(
  { executor, limits, log, supergraphSdl = readFileSync(SUPERGRAPH, 'utf8') }: GatewayOptions,
  sources: Record<string, Source>,
) {
  if (executor === 'apollo') {
    const { createApolloExecutor } = await import('./executor/apollo-executor.ts');
    return createApolloExecutor({ supergraphSdl, sources, milliseconds: limits?.milliseconds });
  }
  const onBroken = (operation: string | undefined, fields: readonly string[]) =>
    log.warn({ operation, fields }, 'a subgraph answered null where the schema promises a value');
  return createCompiledExecutor({ supergraphSdl, sources, limits, onBroken });
}
