import { ringFor } from '../../core/commands/queue-job.ts';
import type { Deed } from '../../core/domain/audit/audit-event.ts';
import { endedAlready, holderOf } from '../../core/domain/jobs/job-fence.ts';
import {
  awaitInput,
  engineCrashed,
  fail,
  heldBy,
  type JobChange,
  type JobError,
  TRIES,
} from '../../core/domain/jobs/job-lifecycle.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { get } from '../../core/store/query/records.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { awaitedConversions, wakeIfMade } from '../await-conversions.ts';
import { recordTransition, theJob } from '../record-transition.ts';

type Input = {
  id: string;
  attempt?: number | null;
  workerId?: string | null;
  error: { code?: string | null; message: string };
  final?: boolean | null;
  retryable?: boolean | null;
  log?: string[] | null;
};

const MESSAGE_LENGTH = 4_000;

/**
 * The worker that holds the job says that it failed, and with `final` that a retry cannot help; with `again` that it may be tried again by itself, up to
 * three times in all, or, with the code `not_converted`, until the input that another job is making is there. A job that was asked to stop ends as cancelled, and so does one whose input was replaced meanwhile (code `stale_input`).
 * Repeated with the same attempt, it has no second effect.
 */
export async function failJob(
  work: Work,
  { id, log, error, final, retryable: again, ...said }: Input,
): Promise<JobRecord> {
  const job = await get(work, 'jobs', id);

  const by = holderOf(work.actor, said);
  if (endedAlready(job, by, 'fail')) {
    work.unchanged();
    return job;
  }
  heldBy(job, by);
  const cause: JobError = {
    code: codeOf(error.code),
    message: error.message.slice(0, MESSAGE_LENGTH),
    final: final ?? false,
  };
  const change = await outcomeOf(work, job, cause, again === true);

  const after = await changeJob(work, job, change, {
    log: [...(log ?? []), `${cause.code}: ${cause.message}`],
    now: work.now,
  });
  recordTransition(work, job, after, deedOf(job, after));
  if (after.status === 'waiting') ringFor(work, after);
  if (change.awaits?.length) work.afterCommit(() => wakeIfMade(work.services, after));
  return after;
}

async function outcomeOf(work: Work, job: JobRecord, cause: JobError, again: boolean): Promise<JobChange> {
  if (!again || cause.final) return fail(job, cause, work.now);
  if (cause.code !== 'not_converted') return engineCrashed(job, cause, work.now);
  return awaitInput(job, cause, work.now, await awaitedConversions(work, job));
}

function deedOf(before: JobRecord, after: JobRecord): Deed {
  const code = after.error?.code;
  if (after.status === 'waiting' && after.lost === before.lost)
    return { action: 'job.requeued', summary: `${theJob(after)} goes back to the queue until its inputs are there.` };
  if (after.status === 'waiting')
    return {
      action: 'job.requeued',
      summary: `${theJob(after)} goes back to the queue after try ${after.lost} of ${TRIES}.`,
    };
  if (after.status === 'cancelled')
    return { action: 'job.cancelled', summary: `${theJob(after)} was cancelled: ${code}.` };
  return { action: 'job.failed', summary: `${theJob(after)} failed: ${code}.` };
}

// Whatever a worker calls its fault, it is stored as a word that can be searched for.
function codeOf(code: string | null | undefined): string {
  return code && /^[a-z0-9_.-]{1,60}$/i.test(code) ? code : 'failed';
}
