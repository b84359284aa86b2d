// The state of a running operation, and the type of its compiled steps.
import type { GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import type { JsonObject } from './merge.ts';

/** A running operation: `root` is the response so far. */
export type RunState = {
  root: JsonObject;
  variables: JsonObject;
  context: RequestContext;
  /** The client of a query, which stops when it disconnects; undefined for a write, which is completed. */
  client: RequestContext | undefined;
  errors: GraphQLError[];
  /** Why the operation was stopped; undefined while it runs. */
  abortedBy: GraphQLError | undefined;
};

/** A compiled part of a plan. It completes the target objects of the response. */
export type Step = (targets: readonly JsonObject[], run: RunState) => Promise<void>;
