import type { Deed, Member, Outcome } from '../../core/batching/together.ts';
import { DomainError, notFound, refuse } from '../../core/domain/errors.ts';
import { endedAlready, holderOf } from '../../core/domain/jobs/job-fence.ts';
import { complete, heldBy, type JobChange } from '../../core/domain/jobs/job-lifecycle.ts';
import { SPLIT } from '../../core/domain/jobs/split.ts';
import { chainsOfJobs, changeJobs } from '../../core/store/jobs/jobs.ts';
import { heldJobs } from '../../core/store/jobs/recent-jobs.ts';
import { findAll } from '../../core/store/query/records.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import { askedBy, type Work } from '../../core/work.ts';
import { recordTransition, theJob } from '../record-transition.ts';

type Input = { id: string; attempt?: number | null; workerId?: string | null; log?: string[] | null };

/**
 * The worker that holds the job says it is done; repeated with the same attempt, it has no second effect. Refuses a job that makes documents and has not delivered
 * them (`result_missing`); their delivery ends it.
 */
export async function completeJob(work: Work, input: Input): Promise<JobRecord> {
  const [outcome] = await completeJobs(work, [
    { request: { ...work, ip: work.ip ?? undefined, route: work.route ?? undefined }, input },
  ]);
  if (!outcome) throw new Error('a completion was left without an answer');
  if ('refused' in outcome) throw outcome.refused;
  return outcome.answer;
}

/** The same for those that arrive together. */
export const completions: Deed<Input, JobRecord> = {
  command: completeJobs,
  writesOf: ({ mongo: { db } }, inputs) =>
    chainsOfJobs(
      { db },
      inputs.map(({ id }) => id),
    ),
};

/** The same for some jobs in one transaction, each by its own request; what is refused to one does not touch the others. */
export async function completeJobs(work: Work, members: readonly Member<Input>[]): Promise<Outcome<JobRecord>[]> {
  const ids = [...new Set(members.map(({ input }) => input.id))];
  const recalled = work.again ? null : decisions(work, members, heldJobs.recall(work.db, ids));
  // what is recalled may say yes, since the write finds out whether it is still so; for any other answer it is read
  const trusted = recalled?.every((outcome) => 'change' in outcome) ? recalled : null;
  const decided =
    trusted ?? decisions(work, members, new Map((await findAll(work, 'jobs', ids)).map((job) => [job._id, job])));
  const changes = decided.flatMap((outcome) => ('change' in outcome ? [outcome] : []));

  const done = new Map(changeJobs(work, changes, { recalled: trusted !== null }).map((job) => [job._id, job]));
  if (!changes.length) work.unchanged();
  for (const { request, before } of changes) {
    const after = done.get(before._id) ?? before;
    recordTransition(askedBy(work, request), before, after, {
      action: 'job.completed',
      summary: `${theJob(before)} is done.`,
    });
  }
  return decided.map((outcome) => {
    if ('refused' in outcome) return outcome;
    const { _id } = 'change' in outcome ? outcome.before : outcome.answer;
    return { answer: done.get(_id) ?? ('answer' in outcome ? outcome.answer : outcome.before) };
  });
}

// A second word about the same job in one go hears of the first one as of one long ago.
function decisions(work: Work, members: readonly Member<Input>[], jobs: Map<string, JobRecord>): Decision[] {
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
  { request, input: { id, log, ...said } }: Member<Input>,
  job: JobRecord | undefined,
): Decision {
  try {
    if (!job) throw notFound('job', id);
    const by = holderOf(request.actor, said);
    if (endedAlready(job, by, 'complete')) return { answer: job };
    heldBy(job, by);
    // whoever asked for documents would otherwise find a job that is done and nothing made
    if (job.type === 'run' || job.format === SPLIT)
      refuse(
        'result_missing',
        `${theJob(job)} is done when the documents that it makes have been taken: POST /jobs/:id/result. Deliver them, or fail the job.`,
        {
          jobId: job._id,
        },
      );
    return { request, before: job, change: complete(job, work.now), log };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { refused: error };
  }
}
