export { ApiError, RetryableError, UnrecoverableError } from './errors.ts';
export type { InputFile, Job, JobDocument, JobMetadata, JobVersion } from './job.ts';
export type { Content, JobContext, UploadOptions } from './job-context.ts';
export { runWorker, type WorkerOptions } from './run-worker.ts';
