import type { GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { JsonObject } from './merge.ts';

/** One operation while it runs: the answer grows below `root`, what went wrong is gathered in `errors`. */
export type Run = {
  root: JsonObject;
  variables: JsonObject;
  context: RequestContext;
  /** For whom nothing more is fetched when its client has left; undefined for a write, which is done all the same. */
  client: RequestContext | undefined;
  errors: GraphQLError[];
  /** Why nothing more is to be fetched, once that is so. */
  stopped: GraphQLError | undefined;
};

/** A compiled part of a plan: completes the given objects of the answer. */
export type Step = (targets: readonly JsonObject[], run: Run) => Promise<void>;
