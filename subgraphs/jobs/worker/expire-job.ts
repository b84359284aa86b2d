// Takes a job from a worker whose lease has expired.
import { notifyWorkers } from '../../core/commands/queue-job.ts';
import type { AuditAction } from '../../core/domain/audit/audit-action.ts';
import { endLostAttempt, isLeaseExpired, MAX_TRIES } from '../../core/domain/jobs/job-lifecycle.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { find } from '../../core/store/query/records.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { describeJob, recordTransition } from '../record-transition.ts';

/** Queues or fails a job whose lease or time limit has expired. Returns null if it was renewed or ended meanwhile. */
export async function expireJob(work: Work, { id }: { id: string }): Promise<JobRecord | null> {
  const job = await find(work, 'jobs', id);

  if (!job || !isLeaseExpired(job, work.now, work.services.limits.leaseSeconds)) {
    work.unchanged();
    return null;
  }
  const change = endLostAttempt(job, work.now);

  const timeout = change.error?.code === 'timeout' ? change.error : null;
  const line = timeout
    ? `timeout: ${timeout.message}`
    : `Worker ${job.workerId} disappeared (${job.lost + 1} of ${MAX_TRIES}).`;
  const after = await changeJob(work, job, change, { log: [line], now: work.now, sameLease: true });
  recordTransition(work, job, after, {
    action: actionFor(after.status),
    summary: timeout
      ? `${describeJob(job)} failed: timeout.`
      : `${describeJob(job)} lost its worker and is ${after.status}.`,
  });
  if (after.status === 'waiting') notifyWorkers(work, after);
  return after;
}

function actionFor(status: JobRecord['status']): AuditAction {
  if (status === 'waiting') return 'job.requeued';
  return status === 'failed' ? 'job.failed' : 'job.cancelled';
}
