// Assigns waiting jobs to workers.
import { DomainError } from '../../core/domain/errors.ts';
import { holderOf } from '../../core/domain/jobs/job-fence.ts';
import { claim } from '../../core/domain/jobs/job-lifecycle.ts';
import { changeJobs } from '../../core/store/jobs/jobs.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import { forRequest, type RequestContext, type Work } from '../../core/work.ts';
import { describeJob, recordTransition } from '../record-transition.ts';

type Match = {
  job: JobRecord;
  claimant: { request: Omit<RequestContext, 'signal'>; workerId: string; leaseSeconds: number };
};

/** Assigns waiting jobs, each audited for its own request. Throws JobsChanged if any job has changed. */
export async function assignJobs(work: Work, matches: readonly Match[]): Promise<JobRecord[]> {
  const changes = matches.map(({ job, claimant }) => {
    const { tokenId } = holderOf(claimant.request.actor);
    return {
      before: job,
      change: claim(job, { tokenId, workerId: claimant.workerId }, work.now, claimant.leaseSeconds),
    };
  });

  const running = changeJobs(work, changes);
  for (const [n, after] of running.entries()) {
    const { job, claimant } = matches[n]!;
    const summary = `${describeJob(job)} was claimed by a worker (attempt ${after.attempt}).`;
    recordTransition(forRequest(work, claimant.request), job, after, { action: 'job.claimed', summary });
  }
  return running;
}

/** Returns the error for a waiting claim whose token was revoked or user disabled meanwhile. */
export function tokenRevoked(): DomainError {
  return new DomainError('unauthenticated', 'The token was revoked or its user disabled while the claim waited.');
}
