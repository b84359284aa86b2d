import { endedAlready, holderOf } from '../core/domain/job-fence.ts';
import { complete, heldBy } from '../core/domain/job-lifecycle.ts';
import type { JobRecord } from '../core/store/collections.ts';
import { changeJob } from '../core/store/jobs.ts';
import { get } from '../core/store/records.ts';
import type { Work } from '../core/work.ts';
import { recordTransition, theJob } from './record-transition.ts';

type Input = { id: string; attempt?: number | null; workerId?: string | null; log?: string[] | null };

/** The worker that holds the job says it is done; repeated with the same attempt, it has no second effect. */
export async function completeJob(work: Work, { id, log, ...said }: Input): Promise<JobRecord> {
  const job = await get(work, 'jobs', id);

  const by = holderOf(work.actor, said);
  if (endedAlready(job, by, 'complete')) {
    work.unchanged();
    return job;
  }
  heldBy(job, by);
  const change = complete(job, work.now);

  const done = await changeJob(work, job, change, { log, now: work.now });
  recordTransition(work, job, done, { action: 'job.completed', summary: `${theJob(job)} is done.` });
  return done;
}
