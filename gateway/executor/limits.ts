import { GraphQLError } from 'graphql';

/** What one operation may use while it runs. Cost counted beforehand cannot know how long the lists of the data are. */
export type Limits = {
  /** Plans kept; the least recently used goes. */
  operations: number;
  /** Entities asked of a subgraph in one fetch. */
  representations: number;
  /** Objects in the answer of one operation: enough for a bill of material of 100,000 rows, each with what it means. */
  objects: number;
  /** Time of one operation; one that carries a file takes as long as its file. */
  milliseconds: number;
};

export const LIMITS: Limits = { operations: 500, representations: 10_000, objects: 250_000, milliseconds: 10_000 };

/** The refusal of an operation that reads more than it may: `limit` names the limit, `allowed` its size. */
export function tooLarge(limit: 'representations' | 'objects', allowed: number): GraphQLError {
  return new GraphQLError(
    `The operation reads more than ${allowed} ${limit === 'objects' ? 'objects' : 'records at once'}; ask for smaller pages.`,
    {
      extensions: { code: 'validation_failed', limit, allowed },
    },
  );
}
