// The limits of running operations.
import { GraphQLError } from 'graphql';

/** The limits of the executor. They also cover unpaged lists, whose length the guard cannot know in advance. */
export type Limits = {
  /** Compiled operations in the cache; the least recently used is dropped. */
  operations: number;
  /** Entities in one request to a subgraph. */
  representations: number;
  /** Objects in one response: enough for a bill of materials of 100,000 rows with their versions. */
  objects: number;
  /** Duration of one operation. Operations that upload a file have no limit. */
  milliseconds: number;
};

export const LIMITS: Limits = { operations: 500, representations: 10_000, objects: 250_000, milliseconds: 10_000 };

/** Creates the error of an operation that exceeds `limit`; `allowed` is the maximum. */
export function limitExceeded(limit: 'representations' | 'objects', allowed: number): GraphQLError {
  return new GraphQLError(
    `The operation reads more than ${allowed} ${limit === 'objects' ? 'objects' : 'records at once'}. Request smaller pages.`,
    { extensions: { code: 'validation_failed', limit, allowed } },
  );
}
