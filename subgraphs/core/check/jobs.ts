import { type JobStatus, MAX_LEASE_SECONDS } from '../domain/jobs/job-lifecycle.ts';
import type { DocumentWithContent } from '../store/query/scan.ts';
import type { JobRecord } from '../store/schema/collections.ts';
import type { Violation } from './invariant.ts';

/**
 * Checks that the fields of each job match its status, that it was completed at most once, and that its lease expires.
 */
export function jobViolations({ document, jobs, audit }: DocumentWithContent): Violation[] {
  const completed = audit.flatMap(({ action, jobId }) => (action === 'job.completed' && jobId ? [jobId] : []));
  return jobs.flatMap((job) => {
    const subject = `The ${job.type} job ${job._id} of ${document.number}`;
    const violation = (invariant: 'I14' | 'I15', problem: string): Violation => ({
      invariant,
      id: job._id,
      message: `${subject} ${problem}.`,
    });
    const completions = completed.filter((id) => id === job._id).length;
    const lease = job.status === 'running' ? leaseProblem(job) : null;
    return [
      ...(HAS_EXPECTED_FIELDS[job.status](job)
        ? []
        : [violation('I14', `is ${job.status}, but its other fields do not match that`)]),
      ...(completions === (job.status === 'done' ? 1 : 0)
        ? []
        : [violation('I14', `is ${job.status}, but was completed ${completions} times`)]),
      ...(job.attempt <= job.maxAttempts
        ? []
        : [violation('I14', `is at attempt ${job.attempt} of at most ${job.maxAttempts}`)]),
      ...(lease ? [violation('I15', lease)] : []),
    ];
  });
}

const isUnheld = ({ tokenId, leaseExpiresAt, finishedAt }: JobRecord) => !tokenId && !leaseExpiresAt && !finishedAt;
const isFinished = ({ leaseExpiresAt, finishedAt }: JobRecord) => !leaseExpiresAt && finishedAt !== null;

const HAS_EXPECTED_FIELDS: Record<JobStatus, (job: JobRecord) => boolean> = {
  waiting: isUnheld,
  running: ({ tokenId, workerId, startedAt, finishedAt }) => Boolean(tokenId && workerId && startedAt) && !finishedAt,
  done: (job) => isFinished(job) && !job.error,
  failed: (job) => isFinished(job) && job.error !== null,
  cancelled: isFinished,
};

// Whether the worker is alive is unknown here; checks that the sweep will find the job when its lease expires.
function leaseProblem({ leaseExpiresAt, startedAt }: JobRecord): string | null {
  if (!leaseExpiresAt || !startedAt) return 'is running without a lease, so that no sweep would requeue it';
  const seconds = (leaseExpiresAt.getTime() - startedAt.getTime()) / 1000;
  return seconds > 0 && seconds <= MAX_LEASE_SECONDS ? null : `has a lease of ${seconds} s`;
}
