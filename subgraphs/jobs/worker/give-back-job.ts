// Returns a job of a stopping worker to the queue.
import { notifyWorkers } from '../../core/commands/queue-job.ts';
import { holderOf, isRepeatedEnd } from '../../core/domain/jobs/job-fence.ts';
import { assertHolder, giveBack } from '../../core/domain/jobs/job-lifecycle.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { get } from '../../core/store/query/records.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { describeJob, recordTransition } from '../record-transition.ts';

type Input = { id: string; attempt?: number | null; workerId?: string | null };

/** Returns a job to its position in the queue; the attempt does not count. Has no effect if repeated. */
export async function giveBackJob(work: Work, { id, ...worker }: Input): Promise<JobRecord> {
  const job = await get(work, 'jobs', id);

  const holder = holderOf(work.actor, worker);
  if (isRepeatedEnd(job, holder, 'giveBack')) {
    work.unchanged();
    return job;
  }
  assertHolder(job, holder);
  const change = giveBack(job, work.now);

  const after = await changeJob(work, job, change, { now: work.now });
  const isWaiting = after.status === 'waiting';
  recordTransition(work, job, after, {
    action: isWaiting ? 'job.given_back' : 'job.cancelled',
    summary: `${describeJob(job)} was ${isWaiting ? 'given back by its worker' : 'cancelled'}.`,
  });
  if (isWaiting) notifyWorkers(work, after);
  return after;
}
