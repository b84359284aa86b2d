export { FinalError, PassingError, ServiceRefusal } from './faults.ts';
export type { InputFile, Job, JobDocument, JobPapers, JobVersion } from './job.ts';
export type { JobContext, UploadOptions } from './job-context.ts';
export { runWorker, type WorkerOptions } from './run-worker.ts';
