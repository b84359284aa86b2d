// Fails a job for the worker that holds it.
import { notifyWorkers } from '../../core/commands/queue-job.ts';
import type { AuditSummary } from '../../core/domain/audit/audit-event.ts';
import { holderOf, isRepeatedEnd } from '../../core/domain/jobs/job-fence.ts';
import {
  assertHolder,
  awaitInput,
  engineCrashed,
  fail,
  type JobChange,
  type JobError,
  MAX_TRIES,
} from '../../core/domain/jobs/job-lifecycle.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { get } from '../../core/store/query/records.ts';
import type { JobRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { findAwaitedConversions, wakeIfConverted } from '../await-conversions.ts';
import { describeJob, recordTransition } from '../record-transition.ts';

type Input = {
  id: string;
  attempt?: number | null;
  workerId?: string | null;
  error: { code?: string | null; message: string };
  final?: boolean | null;
  retryable?: boolean | null;
  log?: string[] | null;
};

const MAX_MESSAGE_LENGTH = 4_000;

/**
 * Fails a job for the worker that holds it; `final` means that a retry cannot help. A `retryable` failure queues the
 * job again, up to three attempts in all. With the code `not_converted`, the job is paused until the jobs that create
 * its input have ended. A job that was requested to stop, or whose input was replaced (`stale_input`), ends as
 * cancelled. Has no effect if repeated with the same attempt.
 */
export async function failJob(work: Work, { id, log, error, final, retryable, ...worker }: Input): Promise<JobRecord> {
  const job = await get(work, 'jobs', id);

  const holder = holderOf(work.actor, worker);
  if (isRepeatedEnd(job, holder, 'fail')) {
    work.unchanged();
    return job;
  }
  assertHolder(job, holder);
  const cause: JobError = {
    code: normalizeErrorCode(error.code),
    message: error.message.slice(0, MAX_MESSAGE_LENGTH),
    final: final ?? false,
  };
  const change = await changeAfterFailure(work, job, cause, retryable === true);

  const after = await changeJob(work, job, change, {
    log: [...(log ?? []), `${cause.code}: ${cause.message}`],
    now: work.now,
  });
  recordTransition(work, job, after, auditEntryOf(job, after));
  if (after.status === 'waiting') notifyWorkers(work, after);
  if (change.awaits?.length) work.afterCommit(() => wakeIfConverted(work.services, after));
  return after;
}

async function changeAfterFailure(work: Work, job: JobRecord, cause: JobError, retryable: boolean): Promise<JobChange> {
  if (!retryable || cause.final) return fail(job, cause, work.now);
  if (cause.code !== 'not_converted') return engineCrashed(job, cause, work.now);
  return awaitInput(job, cause, work.now, await findAwaitedConversions(work, job));
}

function auditEntryOf(before: JobRecord, after: JobRecord): AuditSummary {
  const code = after.error?.code;
  if (after.status === 'waiting' && after.lost === before.lost)
    return {
      action: 'job.requeued',
      summary: `${describeJob(after)} was queued again until its inputs are available.`,
    };
  if (after.status === 'waiting')
    return {
      action: 'job.requeued',
      summary: `${describeJob(after)} was queued again after attempt ${after.lost} of ${MAX_TRIES}.`,
    };
  if (after.status === 'cancelled')
    return { action: 'job.cancelled', summary: `${describeJob(after)} was cancelled: ${code}.` };
  return { action: 'job.failed', summary: `${describeJob(after)} failed: ${code}.` };
}

// Replaces a missing or malformed code with `failed`, so that stored codes can be searched for.
function normalizeErrorCode(code: string | null | undefined): string {
  return code && /^[a-z0-9_.-]{1,60}$/i.test(code) ? code : 'failed';
}
