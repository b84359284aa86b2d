// The interface of executors. The service uses the compiled one; Apollo's own is a fallback (apollo-executor.ts).
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { JsonObject } from './merge.ts';

export type GraphqlResult = { data?: JsonObject | null; errors?: readonly GraphQLError[] };

/** A valid document, the hash of its text, and the operation and variables to run. */
export type OperationInput = {
  document: DocumentNode;
  queryHash: string;
  operationName: string | undefined;
  variables: JsonObject | undefined;
};

/** One operation of a valid document. It stays compiled. */
export type Prepared = {
  /** Compiles the operation before its first run; throws if it cannot be planned. */
  compile(): void;
  run(variables: JsonObject, request: RequestContext): Promise<GraphqlResult>;
};

export type Executor = {
  /** The schema that clients see. */
  schema: GraphQLSchema;
  prepare(document: DocumentNode, operationName?: string): Prepared;
  /** The executor as a gateway of Apollo Server, for client operations. */
  apolloGateway: GatewayInterface;
  /** Runs a valid document without Apollo Server. Not available in Apollo's executor. */
  runDocument?(input: OperationInput, request: RequestContext): Promise<GraphqlResult>;
};
