// The kinds of documents and jobs, and the subgraphs.

/** The four subgraphs, in the order of their ports. */
export const SUBGRAPHS = ['documents', 'versioning', 'artifacts', 'jobs'] as const;
export type SubgraphName = (typeof SUBGRAPHS)[number];

/** The kind of a document, fixed when it is created. */
export type DocumentKind = 'model' | 'assembly' | 'code';
/** The type of a job, i.e. what an engine does. */
export type JobType = 'convert' | 'assemble' | 'export' | 'run';
export type JobStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
