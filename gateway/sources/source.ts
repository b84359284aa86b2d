// The interface between the executor and a subgraph; implemented by local-source.ts and remote-source.ts.
import type { RequestContext } from '../../subgraphs/core/work.ts';

/** One fetch of a plan: an operation of one subgraph and its variables. */
export type SubgraphRequest = { query: string; operationName?: string; variables?: Record<string, unknown> };

/** An error of a subgraph; `path` is relative to its response. */
export type SubgraphError = {
  message: string;
  path?: readonly (string | number)[];
  extensions?: Record<string, unknown>;
};

export type SubgraphResponse = { data?: Record<string, unknown> | null; errors?: readonly SubgraphError[] };

/** Runs the operations of one subgraph. The context is one object per operation. */
export type Source = {
  process(fetch: { request: SubgraphRequest; context: RequestContext }): Promise<SubgraphResponse>;
  close(): Promise<void>;
};

export type Sources = Readonly<Record<string, Source>>;

/** Returns the source of a subgraph. Throws if there is none. */
export function sourceOf(sources: Sources, subgraph: string): Source {
  const source = sources[subgraph];
  if (!source) throw new Error(`The supergraph contains the subgraph ${subgraph}, but it has no source`);
  return source;
}
