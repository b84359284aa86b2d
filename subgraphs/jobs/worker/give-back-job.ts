import { ringFor } from '../../core/commands/queue-job.ts';
import { endedAlready, holderOf } from '../../core/domain/jobs/job-fence.ts';
import { giveBack, heldBy } from '../../core/domain/jobs/job-lifecycle.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { get } from '../../core/store/query/records.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { recordTransition, theJob } from '../record-transition.ts';

type Input = { id: string; attempt?: number | null; workerId?: string | null };

/** A worker that shuts down hands its job back to its place in the queue; the attempt does not count. Repeated, it has no second effect. */
export async function giveBackJob(work: Work, { id, ...said }: Input): Promise<JobRecord> {
  const job = await get(work, 'jobs', id);

  const by = holderOf(work.actor, said);
  if (endedAlready(job, by, 'giveBack')) {
    work.unchanged();
    return job;
  }
  heldBy(job, by);
  const change = giveBack(job, work.now);

  const after = await changeJob(work, job, change, { now: work.now });
  const summary =
    after.status === 'waiting' ? `${theJob(job)} was given back by its worker.` : `${theJob(job)} was cancelled.`;
  recordTransition(work, job, after, {
    action: after.status === 'waiting' ? 'job.given_back' : 'job.cancelled',
    summary,
  });
  if (after.status === 'waiting') ringFor(work, after);
  return after;
}
