// Retries a failed job.
import { notifyWorkers } from '../core/commands/queue-job.ts';
import { retry } from '../core/domain/jobs/job-lifecycle.ts';
import { assertWritableDocument } from '../core/domain/versions/lifecycle.ts';
import { publishQueue } from '../core/platform/instrumentation.ts';
import { lockDocument } from '../core/store/documents.ts';
import { changeJob } from '../core/store/jobs/jobs.ts';
import { get } from '../core/store/query/records.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import type { Work } from '../core/work.ts';
import { describeJob, recordTransition } from './record-transition.ts';

/** Queues a failed job again with three more attempts, keeping its log. Throws `job_not_failed` for any other job. */
export async function retryJob(work: Work, { id }: { id: string }): Promise<JobRecord> {
  const job = await get(work, 'jobs', id);
  const document = await lockDocument(work, job.documentId);

  assertWritableDocument(document);
  const change = retry(job, work.now);

  const waiting = await changeJob(work, job, change, { log: ['A user retried the job.'], now: work.now });
  recordTransition(work, job, waiting, { action: 'job.retried', summary: `${describeJob(job)} was queued again.` });
  notifyWorkers(work, waiting);
  work.afterCommit(() => publishQueue({ action: 'retried', type: waiting.type }));
  return waiting;
}
