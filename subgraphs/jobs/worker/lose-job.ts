import { ringFor } from '../../core/commands/queue-job.ts';
import { expired, lost, TRIES } from '../../core/domain/jobs/job-lifecycle.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { find } from '../../core/store/query/records.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { recordTransition, theJob } from '../record-transition.ts';

/** Takes a job out of the hands of a worker whose lease has run out, by disappearance or because the attempt took too long; null when it has beaten or ended meanwhile. */
export async function loseJob(work: Work, { id }: { id: string }): Promise<JobRecord | null> {
  const job = await find(work, 'jobs', id);

  if (!job || !expired(job, work.now)) {
    work.unchanged();
    return null;
  }
  const change = lost(job, work.now);

  const timeout = change.error?.code === 'timeout' ? change.error : null;
  const line = timeout
    ? `timeout: ${timeout.message}`
    : `Worker ${job.workerId} disappeared (${job.lost + 1} of ${TRIES}).`;
  const after = await changeJob(work, job, change, { log: [line], now: work.now, sameLease: true });
  recordTransition(work, job, after, {
    action: after.status === 'waiting' ? 'job.requeued' : after.status === 'failed' ? 'job.failed' : 'job.cancelled',
    summary: timeout ? `${theJob(job)} failed: timeout.` : `${theJob(job)} lost its worker and is ${after.status}.`,
  });
  if (after.status === 'waiting') ringFor(work, after);
  return after;
}
