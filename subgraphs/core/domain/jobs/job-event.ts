// The message that announces a waiting job over NATS, as a CloudEvent 1.0.
import type { JobType } from '../kinds.ts';

/** The fields of a job that its message contains. */
export type AnnouncedJob = {
  _id: string;
  type: JobType;
  /** The number of attempts so far. The next claim starts attempt + 1. */
  attempt: number;
  documentId: string;
  versionId: string;
  runId: string | null;
  format: string | null;
  inputSha256: string | null;
  environment: readonly string[];
};

/** Returns the message as JSON. `id` is the same for repeated messages about one attempt. */
export function formatJobEvent(id: string, job: AnnouncedJob, time: Date): string {
  const { _id: jobId, type, attempt, documentId, versionId, runId, format, inputSha256, environment } = job;
  return JSON.stringify({
    specversion: '1.0',
    id,
    source: '/api/v1/jobs',
    type: 'job.ready',
    subject: documentId,
    time,
    datacontenttype: 'application/json',
    data: { jobId, type, attempt, documentId, versionId, runId, format, inputSha256, environment },
  });
}
