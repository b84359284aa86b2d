// Completes jobs for the workers that hold them.
import type { BatchedCommand, Member, Outcome } from '../../core/batching/batched.ts';
import { DomainError, notFound, refuse } from '../../core/domain/errors.ts';
import { holderOf, isRepeatedEnd } from '../../core/domain/jobs/job-fence.ts';
import { assertHolder, complete, type JobChange } from '../../core/domain/jobs/job-lifecycle.ts';
import { SPLIT_FORMAT } from '../../core/domain/jobs/split.ts';
import { chainsOfJobs, changeJobs } from '../../core/store/jobs/jobs.ts';
import { claimedJobsCache } from '../../core/store/jobs/recent-jobs.ts';
import { findAll } from '../../core/store/query/records.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import { forRequest, type Work } from '../../core/work.ts';
import { describeJob, recordTransition } from '../record-transition.ts';

type Input = { id: string; attempt?: number | null; workerId?: string | null; log?: string[] | null };

/**
 * Marks a job as done for the worker that holds it; has no effect if repeated with the same attempt. Throws
 * `result_missing` for a run or split job, because submitting its result completes the job.
 */
export async function completeJob(work: Work, input: Input): Promise<JobRecord> {
  const [outcome] = await completeJobs(work, [
    { request: { ...work, ip: work.ip ?? undefined, route: work.route ?? undefined }, input },
  ]);
  if (!outcome) throw new Error('completeJobs returned no outcome');
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

/** Completes jobs of concurrent requests in one transaction. */
export const batchedCompletion: BatchedCommand<Input, JobRecord> = {
  command: completeJobs,
  writesOf: ({ mongo: { db } }, inputs) =>
    chainsOfJobs(
      { db },
      inputs.map(({ id }) => id),
    ),
};

/** Completes jobs in one transaction, each for its own request; an error of one does not affect the others. */
export async function completeJobs(work: Work, members: readonly Member<Input>[]): Promise<Outcome<JobRecord>[]> {
  const ids = [...new Set(members.map(({ input }) => input.id))];
  const fromCache = work.isRetry ? null : decideAll(work, members, claimedJobsCache.get(work.db, ids));
  // The write verifies cached jobs, so they suffice to accept a completion; any other outcome needs a read.
  const cached = fromCache?.every((outcome) => 'change' in outcome) ? fromCache : null;
  const decided =
    cached ?? decideAll(work, members, new Map((await findAll(work, 'jobs', ids)).map((job) => [job._id, job])));
  const changes = decided.flatMap((outcome) => ('change' in outcome ? [outcome] : []));

  const done = new Map(changeJobs(work, changes, { cached: cached !== null }).map((job) => [job._id, job]));
  if (!changes.length) work.unchanged();
  for (const { request, before } of changes) {
    const after = done.get(before._id) ?? before;
    recordTransition(forRequest(work, request), before, after, {
      action: 'job.completed',
      summary: `${describeJob(before)} is done.`,
    });
  }
  return decided.map((outcome) => {
    if ('error' in outcome) return outcome;
    const { _id } = 'change' in outcome ? outcome.before : outcome.result;
    return { result: done.get(_id) ?? ('result' in outcome ? outcome.result : outcome.before) };
  });
}

// If a batch completes a job twice, the second completion is a repetition of the first.
function decideAll(work: Work, members: readonly Member<Input>[], jobs: Map<string, JobRecord>): Decision[] {
  return members.map((member) => {
    const outcome = decide(work, member, jobs.get(member.input.id));
    if ('change' in outcome) jobs.set(member.input.id, { ...outcome.before, ...outcome.change });
    return outcome;
  });
}

type Completion = { request: Member<Input>['request']; before: JobRecord; change: JobChange; log?: string[] | null };
type Decision = Completion | Outcome<JobRecord>;

function decide(
  work: Work,
  { request, input: { id, log, ...worker } }: Member<Input>,
  job: JobRecord | undefined,
): Decision {
  try {
    if (!job) throw notFound('job', id);
    const holder = holderOf(request.actor, worker);
    if (isRepeatedEnd(job, holder, 'complete')) return { result: job };
    assertHolder(job, holder);
    // A run or split job must not be done before its documents exist.
    if (job.type === 'run' || job.format === SPLIT_FORMAT)
      refuse(
        'result_missing',
        `${describeJob(job)} is completed by submitting its result (POST /jobs/:id/result). Submit it, or fail the job.`,
        { jobId: job._id },
      );
    return { request, before: job, change: complete(job, work.now), log };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { error };
  }
}
