// Cancels a job for a user.
import { cancel } from '../core/domain/jobs/job-lifecycle.ts';
import { changeJob } from '../core/store/jobs/jobs.ts';
import { get } from '../core/store/query/records.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import type { Work } from '../core/work.ts';
import { describeJob, recordTransition } from './record-transition.ts';

/** Cancels a waiting job or requests a running one to stop. Throws `job_not_cancellable` if the job has finished. */
export async function cancelJob(work: Work, { id }: { id: string }): Promise<JobRecord> {
  const job = await get(work, 'jobs', id);

  const change = cancel(job, work.now);
  if (job.cancelAsked) {
    work.unchanged();
    return job;
  }

  const after = await changeJob(work, job, change, { log: ['A user cancelled the job.'], now: work.now });
  const ended = after.status === 'cancelled';
  recordTransition(work, job, after, {
    action: ended ? 'job.cancelled' : 'job.cancel_requested',
    summary: ended ? `${describeJob(job)} was cancelled.` : `The worker of the ${job.type} job was requested to stop.`,
  });
  return after;
}
