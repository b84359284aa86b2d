// The port of an executor; the compiled one runs, Apollo's own stands by (apollo-executor.ts).
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { JsonObject } from './merge.ts';

export type Answer = { data?: JsonObject | null; errors?: readonly GraphQLError[] };

/** An operation of a document that is known by the hash of its text. */
export type Asked = {
  document: DocumentNode;
  queryHash: string;
  operationName: string | undefined;
  variables: JsonObject | undefined;
};

/** One operation of a valid document, kept ready for as long as it is held. */
export type Prepared = {
  /** Plans it now rather than at its first run; throws when it cannot be planned. */
  warm(): void;
  run(variables: JsonObject, request: RequestContext): Promise<Answer>;
};

export type Executor = {
  /** What clients see. */
  schema: GraphQLSchema;
  prepare(document: DocumentNode, operationName?: string): Prepared;
  /** The same as Apollo Server's gateway, for operations that come from outside. */
  forApollo: GatewayInterface;
  /** The same for a valid document under the hash of its text, without what Apollo Server tells; left out where that is needed. */
  direct?(asked: Asked, request: RequestContext): Promise<Answer>;
};
