// The interface of the executors of the gateway. The service uses the compiled one; Apollo's own is for diagnosis.
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import type { DocumentNode, GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { JsonObject } from './merge.ts';

export type GraphqlResult = { data?: JsonObject | null; errors?: readonly GraphQLError[] };

/** One operation of a valid document. It is compiled once. */
export type Prepared = {
  /** Compiles the operation before its first run; throws if it cannot be planned. */
  compile(): void;
  run(variables: JsonObject, request: RequestContext): Promise<GraphqlResult>;
};

export type Executor = {
  prepare(document: DocumentNode, operationName?: string): Prepared;
  /** Runs an operation that Apollo Server has parsed and validated. */
  execute(request: GatewayGraphQLRequestContext): Promise<GraphqlResult>;
};
