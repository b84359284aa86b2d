// The states of a job and every way between them. Each function takes the job as it is and answers with the fields that change, or refuses;
// the store writes them only where the job is still as it was when this was decided.
import { refuse } from '../errors.ts';
import { type Holder, holderRefusal } from './job-fence.ts';

export type JobStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
export type JobError = { code: string; message: string; final: boolean };

/** The part of a job's record that its lifecycle decides on. */
export type JobState = {
  _id: string;
  type: 'convert' | 'assemble' | 'export' | 'run';
  status: JobStatus;
  attempt: number;
  maxAttempts: number;
  lost: number;
  /** How often it found an input not made yet; absent: never. */
  waits?: number;
  /** The jobs whose results it needs, as far as they are known. */
  awaits?: string[];
  tokenId: string | null;
  earlierTokenIds: string[];
  lostTokenIds: string[];
  workerId: string | null;
  leaseExpiresAt: Date | null;
  cancelAsked: boolean;
  progress: { percent: number; step: string } | null;
  error: JobError | null;
  endedAttempt: number | null;
  endedTokenId?: string | null;
  availableAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};
export type JobChange = Partial<Omit<JobState, '_id' | 'type'>>;

/** What can happen to a job: in which states, and where it leads. */
export const TRANSITIONS = {
  claim: { from: ['waiting'], to: ['running'] },
  heartbeat: { from: ['running'], to: ['running'] },
  complete: { from: ['running'], to: ['done'] },
  fail: { from: ['running'], to: ['failed', 'cancelled'] },
  lost: { from: ['running'], to: ['waiting', 'failed', 'cancelled'] },
  engineCrashed: { from: ['running'], to: ['waiting', 'failed', 'cancelled'] },
  awaitInput: { from: ['running'], to: ['waiting', 'failed', 'cancelled'] },
  giveBack: { from: ['running'], to: ['waiting', 'cancelled'] },
  retry: { from: ['failed'], to: ['waiting'] },
  cancel: { from: ['waiting', 'running'], to: ['running', 'cancelled'] },
  supersede: { from: ['waiting', 'running'], to: ['cancelled'] },
} as const satisfies Record<string, { from: readonly JobStatus[]; to: readonly JobStatus[] }>;

export type JobEvent = keyof typeof TRANSITIONS;

/** A job is handed out that often before a worker that keeps disappearing fails it; a retry grants as many again. */
export const TRIES = 3;

// Seconds a single attempt may take whatever its heartbeats say, so that a hung engine does not hold a job forever.
const LONGEST: Record<JobState['type'], number> = { convert: 3600, assemble: 3600, export: 7200, run: 1800 };
/** No lease is longer: that of a claim has at most an hour, and heartbeats end with the attempt. */
export const LONGEST_LEASE_SECONDS = Math.max(3600, ...Object.values(LONGEST));

/** Hands the job to a worker: a new attempt with a new lease. */
export function claim(
  job: JobState,
  by: { tokenId: string; workerId: string },
  now: Date,
  leaseSeconds: number,
): JobChange {
  allowed('claim', job);
  return {
    status: 'running',
    attempt: job.attempt + 1,
    ...by,
    leaseExpiresAt: after(now, leaseSeconds),
    startedAt: now,
    cancelAsked: false,
    progress: null,
  };
}

/** The new end of the lease, never beyond what one attempt may take, and whether the worker is to stop. */
export function heartbeat(
  job: JobState,
  now: Date,
  leaseSeconds: number,
): { leaseExpiresAt: Date; cancelRequested: boolean } {
  allowed('heartbeat', job);
  const end = endOfAttempt(job, now);
  const leaseExpiresAt = new Date(Math.min(after(now, leaseSeconds).getTime(), end.getTime()));
  return { leaseExpiresAt, cancelRequested: job.cancelAsked || now >= end };
}

/** The job is done: also when it was asked to stop, because its results are there. */
export function complete(job: JobState, now: Date): JobChange {
  allowed('complete', job);
  return {
    ...ended('done', now),
    ...said(job),
    cancelAsked: false,
    progress: { percent: 100, step: 'done' },
    error: null,
  };
}

/**
 * The job failed for good; it counts as cancelled when it was asked to stop or when its input was replaced meanwhile, and as `timeout`,
 * whatever its worker calls it, when the attempt has taken as long as one may.
 */
export function fail(job: JobState, error: JobError, now: Date): JobChange {
  allowed('fail', job);
  if (job.cancelAsked) return { ...cancelled(now), ...said(job) };
  if (error.code === 'stale_input') return { ...supersede(job, now), ...said(job) };
  const cause = now >= endOfAttempt(job, now) ? timeout(job) : error;
  return { ...ended('failed', now), ...said(job), error: cause };
}

/**
 * Its lease has run out: its worker disappeared, and the job goes back to its place in the queue, or has failed at the third time. When the
 * worker was there until the attempt had taken as long as one may, the engine hangs, and the job fails at once with `timeout`.
 */
export function lost(job: JobState, now: Date): JobChange {
  allowed('lost', job);
  const lostTokenIds = withLast(job.lostTokenIds, job.tokenId);
  if (!job.cancelAsked && job.leaseExpiresAt && job.leaseExpiresAt >= endOfAttempt(job, now))
    return { ...ended('failed', now), error: timeout(job), ...released(job), lostTokenIds };
  return { ...tried(job, now, now, DISAPPEARED), ...released(job), lostTokenIds };
}

/** The engine died under a live worker, or an input is not ready: tried again after 0.5 s × 2^lost, failed with that error at the third time. */
export function engineCrashed(job: JobState, error: JobError, now: Date): JobChange {
  allowed('engineCrashed', job);
  const change = tried(job, now, after(now, 0.5 * 2 ** (job.lost + 1)), error);
  return { ...change, ...(change.status === 'waiting' ? released(job) : { leaseExpiresAt: null }), ...said(job) };
}

/**
 * An input is still being made by other jobs: tried again when those named have ended, or after 1, 2, 4 … 60 s, which charges
 * no try. After about an hour it fails with that error.
 */
export function awaitInput(job: JobState, error: JobError, now: Date, awaits: string[] = []): JobChange {
  allowed('awaitInput', job);
  const { waits = 0 } = job;
  if (job.cancelAsked) return { ...cancelled(now), ...said(job) };
  if (waits >= MOST_WAITS) return { ...ended('failed', now), ...said(job), error };
  const availableAt = after(now, Math.min(2 ** waits, LONGEST_WAIT));
  return {
    status: 'waiting',
    waits: waits + 1,
    awaits,
    maxAttempts: job.maxAttempts + 1,
    availableAt,
    startedAt: null,
    ...said(job),
    ...released(job),
  };
}

/** The worker hands it back unharmed: this attempt does not count. */
export function giveBack(job: JobState, now: Date): JobChange {
  allowed('giveBack', job);
  if (job.cancelAsked) return { ...cancelled(now), ...said(job) };
  return {
    status: 'waiting',
    maxAttempts: job.maxAttempts + 1,
    availableAt: now,
    startedAt: null,
    ...said(job),
    ...released(job),
  };
}

/** Runs a failed job again with three more tries; the attempt goes on counting because it is the fence. Refuses with `job_not_failed`. */
export function retry(job: JobState, now: Date): JobChange {
  if (!allows('retry', job))
    refuse('job_not_failed', `The job is ${job.status}; only a failed job can be retried.`, {
      jobId: job._id,
      status: job.status,
    });
  return {
    ...{ status: 'waiting', lost: 0, waits: 0, maxAttempts: job.attempt + TRIES, availableAt: now },
    ...{ error: null, startedAt: null, finishedAt: null },
    ...released(job),
  };
}

/** A waiting job ends at once; a running one is asked to stop. Refuses with `job_not_cancellable` when it has ended. */
export function cancel(job: JobState, now: Date): JobChange {
  if (!allows('cancel', job))
    refuse('job_not_cancellable', `The job has ended already: it is ${job.status}.`, {
      jobId: job._id,
      status: job.status,
    });
  return job.status === 'waiting' ? cancelled(now) : { cancelAsked: true };
}

/** A newer input took its place. */
export function supersede(job: JobState, now: Date): JobChange {
  allowed('supersede', job);
  return { ...ended('cancelled', now), cancelAsked: false, error: SUPERSEDED };
}

/** Whether the lease of a running job has run out. */
export function expired(job: JobState, now: Date): boolean {
  return job.status === 'running' && job.leaseExpiresAt !== null && job.leaseExpiresAt < now;
}

/** Refuses unless the job is in the hands of this worker: `lease_lost` if it once was, else `not_your_job`. */
export function heldBy(job: JobState, by: Holder): void {
  const why = holderRefusal(job, by);
  if (!why) return;
  // how far a job has come is told only to those who held it
  refuse(
    why.code,
    why.message,
    why.code === 'lease_lost' ? { jobId: job._id, status: job.status, attempt: job.attempt } : { jobId: job._id },
  );
}

const LONGEST_WAIT = 60;
const MOST_WAITS = 65;

const SUPERSEDED: JobError = {
  code: 'superseded',
  message: 'A newer input took the place of the one this job was queued for.',
  final: true,
};
const CANCELLED: JobError = { code: 'cancelled', message: 'The job was cancelled by a user.', final: true };
const DISAPPEARED: JobError = {
  code: 'worker_disappeared',
  message: `The worker disappeared ${TRIES} times while it worked on the job.`,
  final: false,
};

function timeout({ type }: JobState): JobError {
  const message = `The attempt was ended after ${LONGEST[type] / 60} minutes, the longest that a job of type ${type} may take.`;
  return { code: 'timeout', message, final: false };
}

function endOfAttempt({ startedAt, type }: JobState, now: Date): Date {
  return after(startedAt ?? now, LONGEST[type]);
}

function tried(job: JobState, now: Date, availableAt: Date, error: JobError): JobChange {
  if (job.cancelAsked) return cancelled(now);
  const count = job.lost + 1;
  if (count >= TRIES) return { ...ended('failed', now), lost: count, error };
  return { status: 'waiting', lost: count, availableAt, startedAt: null };
}

function cancelled(now: Date): JobChange {
  return { ...ended('cancelled', now), cancelAsked: false, error: CANCELLED };
}

function ended(status: 'done' | 'failed' | 'cancelled', now: Date): JobChange {
  return { status, finishedAt: now, leaseExpiresAt: null };
}

// Its worker spoke last of it: an answer that is repeated is known by the attempt and who held it.
function said({ attempt, tokenId }: JobState): JobChange {
  return { endedAttempt: attempt, endedTokenId: tokenId };
}

// Out of the worker's hands; the token is remembered, so that a late answer is told from a stranger's.
function released(job: JobState): JobChange {
  return {
    tokenId: null,
    earlierTokenIds: withLast(job.earlierTokenIds, job.tokenId),
    workerId: null,
    leaseExpiresAt: null,
    cancelAsked: false,
    progress: null,
  };
}

function withLast(list: string[], item: string | null): string[] {
  return item === null ? list : [...list.filter((other) => other !== item), item];
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

function allows(event: JobEvent, job: JobState): boolean {
  return (TRANSITIONS[event].from as readonly JobStatus[]).includes(job.status);
}

// The fence has been asked before; what still arrives here in a wrong state lost its job a moment ago.
function allowed(event: JobEvent, job: JobState): void {
  if (!allows(event, job))
    refuse('lease_lost', `The job is ${job.status}: ${event} is not possible.`, {
      jobId: job._id,
      status: job.status,
      attempt: job.attempt,
    });
}
