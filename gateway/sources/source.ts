// The port between the executor and a subgraph; local-source.ts and remote-source.ts are its two implementations.
import type { RequestContext } from '../../subgraphs/core/work.ts';

/** One fetch of a plan: an operation of one subgraph and its variables. */
export type SubgraphRequest = { query: string; operationName?: string; variables?: Record<string, unknown> };

/** An error as a subgraph reports it; `path` is inside that subgraph's answer. */
export type SubgraphError = {
  message: string;
  path?: readonly (string | number)[];
  extensions?: Record<string, unknown>;
};

export type SubgraphAnswer = { data?: Record<string, unknown> | null; errors?: readonly SubgraphError[] };

/** Where the operations of one subgraph are run. The context is one object per operation: what is made once for it is kept under it. */
export type Source = {
  process(fetch: { request: SubgraphRequest; context: RequestContext }): Promise<SubgraphAnswer>;
  close(): Promise<void>;
};

export type Sources = Readonly<Record<string, Source>>;
