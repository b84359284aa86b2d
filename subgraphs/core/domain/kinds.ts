/** What a document is; fixed when it is created. */
/** The four subgraphs, in the order of the ports that they take. */
export const SUBGRAPHS = ['documents', 'versioning', 'artifacts', 'jobs'] as const;
export type SubgraphName = (typeof SUBGRAPHS)[number];

export type DocumentKind = 'model' | 'assembly' | 'code';
/** What an engine is asked to do. */
export type JobType = 'convert' | 'assemble' | 'export' | 'run';
export type JobStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
