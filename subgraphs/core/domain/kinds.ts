/** What a document is; fixed when it is created. */
export type DocumentKind = 'model' | 'assembly' | 'code';
/** What an engine is asked to do. */
export type JobType = 'convert' | 'assemble' | 'export' | 'run';
export type JobStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
