import { DomainError } from '../../core/domain/errors.ts';
import { holderOf } from '../../core/domain/jobs/job-fence.ts';
import { claim } from '../../core/domain/jobs/job-lifecycle.ts';
import { changeJobs } from '../../core/store/jobs/jobs.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import { askedBy, type RequestContext, type Work } from '../../core/work.ts';
import { recordTransition, theJob } from '../record-transition.ts';

type Match = { job: JobRecord; by: { request: Omit<RequestContext, 'signal'>; workerId: string } };

/** Hands waiting jobs to the workers they were picked for, each recorded as its worker's. Throws JobsChanged, and hands out none, when one of them is no longer as it was seen. */
export async function takeJobs(work: Work, matches: readonly Match[]): Promise<JobRecord[]> {
  const changes = matches.map(({ job, by }) => {
    const { tokenId } = holderOf(by.request.actor);
    return {
      before: job,
      change: claim(job, { tokenId, workerId: by.workerId }, work.now, work.services.limits.leaseSeconds),
    };
  });

  const running = changeJobs(work, changes);
  for (const [n, after] of running.entries()) {
    const { job, by } = matches[n]!;
    const summary = `${theJob(job)} was handed to a worker (attempt ${after.attempt}).`;
    recordTransition(askedBy(work, by.request), job, after, { action: 'job.claimed', summary });
  }
  return running;
}

/** What a claim hears whose token or user was ended while it waited. */
export function revoked(): DomainError {
  return new DomainError('unauthenticated', 'The token was revoked while this claim waited.');
}
