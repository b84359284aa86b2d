import { type JobStatus, LONGEST_LEASE_SECONDS } from '../domain/jobs/job-lifecycle.ts';
import type { WholeDocument } from '../store/query/whole-collections.ts';
import type { JobRecord } from '../store/schema/collections.ts';
import type { Violation } from './invariant.ts';

/** Every job is in one state, has ended once at most, and when it is under way somebody holds it for a time that ends. */
export function jobFaults({ document, jobs, audit }: WholeDocument): Violation[] {
  const completed = audit.flatMap(({ action, jobId }) => (action === 'job.completed' && jobId ? [jobId] : []));
  return jobs.flatMap((job) => {
    const of = `The ${job.type} job ${job._id} of ${document.number}`;
    const fault = (invariant: 'I14' | 'I15', says: string): Violation => ({
      invariant,
      id: job._id,
      message: `${of} ${says}.`,
    });
    const completions = completed.filter((id) => id === job._id).length;
    const lease = job.status === 'running' ? leaseFault(job) : null;
    return [
      ...(IN_STATE[job.status](job) ? [] : [fault('I14', `is ${job.status}, and its other fields do not say so`)]),
      ...(completions === (job.status === 'done' ? 1 : 0)
        ? []
        : [fault('I14', `is ${job.status}, and was completed ${completions} times`)]),
      ...(job.attempt <= job.maxAttempts ? [] : [fault('I14', `is at attempt ${job.attempt} of ${job.maxAttempts}`)]),
      ...(lease ? [fault('I15', lease)] : []),
    ];
  });
}

const unheld = ({ tokenId, leaseExpiresAt, finishedAt }: JobRecord) => !tokenId && !leaseExpiresAt && !finishedAt;
const over = ({ leaseExpiresAt, finishedAt }: JobRecord) => !leaseExpiresAt && finishedAt !== null;

const IN_STATE: Record<JobStatus, (job: JobRecord) => boolean> = {
  waiting: unheld,
  running: ({ tokenId, workerId, startedAt, finishedAt }) => Boolean(tokenId && workerId && startedAt) && !finishedAt,
  done: (job) => over(job) && !job.error,
  failed: (job) => over(job) && job.error !== null,
  cancelled: over,
};

// Whether it is live cannot be told of a store at rest; that the sweep will find it, can.
function leaseFault({ leaseExpiresAt, startedAt }: JobRecord): string | null {
  if (!leaseExpiresAt || !startedAt) return 'is running without a lease: nothing would ever put it back';
  const seconds = (leaseExpiresAt.getTime() - startedAt.getTime()) / 1000;
  return seconds > 0 && seconds <= LONGEST_LEASE_SECONDS ? null : `is running on a lease of ${seconds} s`;
}
