// The state machine of jobs. Each function takes the current job and returns the fields that change, or throws; the
// store writes them only if the job has not changed since.

import { refuse } from '../errors.ts';
import { type Holder, holderError } from './job-fence.ts';

export type JobStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
export type JobError = { code: string; message: string; final: boolean };

/** The fields of a job record that the state machine uses. */
export type JobState = {
  _id: string;
  type: 'convert' | 'assemble' | 'export' | 'run';
  status: JobStatus;
  attempt: number;
  maxAttempts: number;
  /** The number of tries that were lost because the worker or engine disappeared. */
  lost: number;
  /** The number of times that an input was not ready. Absent: 0. */
  waits?: number;
  /** The ids of the jobs whose results it waits for, as far as they are known. */
  awaits?: string[];
  tokenId: string | null;
  earlierTokenIds: string[];
  lostTokenIds: string[];
  workerId: string | null;
  leaseExpiresAt: Date | null;
  /** The duration of the lease that the claim requested. Absent: that of the service. */
  leaseSeconds?: number;
  /** Whether a user requested cancellation. */
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

/** For each event the states in which it is allowed and the possible states afterwards. */
export const TRANSITIONS = {
  claim: { from: ['waiting'], to: ['running'] },
  heartbeat: { from: ['running'], to: ['running'] },
  complete: { from: ['running'], to: ['done'] },
  fail: { from: ['running'], to: ['failed', 'cancelled'] },
  endLostAttempt: { from: ['running'], to: ['waiting', 'failed', 'cancelled'] },
  engineCrashed: { from: ['running'], to: ['waiting', 'failed', 'cancelled'] },
  awaitInput: { from: ['running'], to: ['waiting', 'failed', 'cancelled'] },
  giveBack: { from: ['running'], to: ['waiting', 'cancelled'] },
  retry: { from: ['failed'], to: ['waiting'] },
  cancel: { from: ['waiting', 'running'], to: ['running', 'cancelled'] },
  supersede: { from: ['waiting', 'running'], to: ['cancelled'] },
} as const satisfies Record<string, { from: readonly JobStatus[]; to: readonly JobStatus[] }>;

export type JobEvent = keyof typeof TRANSITIONS;

/** The number of lost tries after which a job fails. A retry grants the same number again. */
export const MAX_TRIES = 3;

// The maximum duration of one attempt regardless of heartbeats, so that a hung engine does not hold a job forever.
const MAX_ATTEMPT_SECONDS: Record<JobState['type'], number> = {
  convert: 3600,
  assemble: 3600,
  export: 7200,
  run: 1800,
};
/** The maximum lease: an hour for a claim, and the maximum duration of an attempt for heartbeats. */
export const MAX_LEASE_SECONDS = Math.max(3600, ...Object.values(MAX_ATTEMPT_SECONDS));

/** Assigns the job to a worker: a new attempt with a new lease. */
export function claim(
  job: JobState,
  by: { tokenId: string; workerId: string },
  now: Date,
  leaseSeconds: number,
): JobChange {
  assertAllowed('claim', job);
  return {
    status: 'running',
    attempt: job.attempt + 1,
    ...by,
    leaseExpiresAt: secondsAfter(now, leaseSeconds),
    leaseSeconds,
    startedAt: now,
    cancelAsked: false,
    progress: null,
  };
}

/**
 * Returns the new end of the lease, at most the maximum end of the attempt, and whether the worker must stop. If the
 * clock has been set, `startedAt` moves with it, so that the attempt keeps its duration.
 */
export function heartbeat(
  job: JobState,
  now: Date,
  leaseSeconds: number,
): { leaseExpiresAt: Date; startedAt: Date; cancelRequested: boolean } {
  assertAllowed('heartbeat', job);
  const startedAt = startOnClock(job, now, leaseSeconds);
  const end = endOfAttempt({ ...job, startedAt }, now);
  const leaseExpiresAt = new Date(Math.min(secondsAfter(now, leaseSeconds).getTime(), end.getTime()));
  return { leaseExpiresAt, startedAt, cancelRequested: job.cancelAsked || now >= end };
}

/** Marks the job as done, even if cancellation was requested, because its results are stored. */
export function complete(job: JobState, now: Date): JobChange {
  assertAllowed('complete', job);
  return {
    ...endFields('done', now),
    ...endedByFields(job),
    cancelAsked: false,
    progress: { percent: 100, step: 'done' },
    error: null,
  };
}

/**
 * Marks the job as failed. It is cancelled instead if cancellation was requested or its input was replaced, and fails
 * with `timeout` if the attempt has reached its maximum duration.
 */
export function fail(job: JobState, error: JobError, now: Date): JobChange {
  assertAllowed('fail', job);
  if (job.cancelAsked) return { ...cancelFields(now), ...endedByFields(job) };
  if (error.code === 'stale_input') return { ...supersede(job, now), ...endedByFields(job) };
  const cause = now >= endOfAttempt(job, now) ? timeoutError(job) : error;
  return { ...endFields('failed', now), ...endedByFields(job), error: cause };
}

/**
 * Ends an attempt whose lease has expired. The job returns to the queue, or fails after the third lost try. If the
 * worker renewed the lease up to the maximum duration of the attempt, the engine hangs and the job fails immediately
 * with `timeout`.
 */
export function endLostAttempt(job: JobState, now: Date): JobChange {
  assertAllowed('endLostAttempt', job);
  const lostTokenIds = appendUnique(job.lostTokenIds, job.tokenId);
  const { leaseExpiresAt } = job;
  const wasRenewedToTheEnd = leaseExpiresAt && leaseExpiresAt <= now && leaseExpiresAt >= endOfAttempt(job, now);
  if (!job.cancelAsked && wasRenewedToTheEnd)
    return { ...endFields('failed', now), error: timeoutError(job), ...clearHolder(job), lostTokenIds };
  return { ...endTry(job, now, now, DISAPPEARED), ...clearHolder(job), lostTokenIds };
}

/**
 * Ends an attempt whose engine crashed. The job is tried again after 0.5 s × 2^lost, or fails with this error after the
 * third lost try.
 */
export function engineCrashed(job: JobState, error: JobError, now: Date): JobChange {
  assertAllowed('engineCrashed', job);
  const change = endTry(job, now, secondsAfter(now, 0.5 * 2 ** (job.lost + 1)), error);
  return {
    ...change,
    ...(change.status === 'waiting' ? clearHolder(job) : { leaseExpiresAt: null }),
    ...endedByFields(job),
  };
}

/**
 * Ends an attempt whose input other jobs still have to create. The job is tried again when the jobs in `awaits` have
 * ended, or after 1, 2, 4 … 60 s, without counting a lost try. After about an hour it fails with this error.
 */
export function awaitInput(job: JobState, error: JobError, now: Date, awaits: string[] = []): JobChange {
  assertAllowed('awaitInput', job);
  const { waits = 0 } = job;
  if (job.cancelAsked) return { ...cancelFields(now), ...endedByFields(job) };
  if (waits >= MAX_WAITS) return { ...endFields('failed', now), ...endedByFields(job), error };
  const availableAt = secondsAfter(now, Math.min(2 ** waits, MAX_WAIT_SECONDS));
  return {
    status: 'waiting',
    waits: waits + 1,
    awaits,
    maxAttempts: job.maxAttempts + 1,
    availableAt,
    startedAt: null,
    ...endedByFields(job),
    ...clearHolder(job),
  };
}

/** Returns the job to the queue without counting the attempt. */
export function giveBack(job: JobState, now: Date): JobChange {
  assertAllowed('giveBack', job);
  if (job.cancelAsked) return { ...cancelFields(now), ...endedByFields(job) };
  return {
    status: 'waiting',
    maxAttempts: job.maxAttempts + 1,
    availableAt: now,
    startedAt: null,
    ...endedByFields(job),
    ...clearHolder(job),
  };
}

/**
 * Queues a failed job again with three more tries. The attempt number keeps rising because it fences off workers.
 * Throws `job_not_failed`.
 */
export function retry(job: JobState, now: Date): JobChange {
  if (!isAllowed('retry', job))
    refuse('job_not_failed', `The job is ${job.status}. Only a failed job can be retried.`, {
      jobId: job._id,
      status: job.status,
    });
  return {
    status: 'waiting',
    lost: 0,
    waits: 0,
    maxAttempts: job.attempt + MAX_TRIES,
    availableAt: now,
    error: null,
    startedAt: null,
    finishedAt: null,
    ...clearHolder(job),
  };
}

/**
 * Cancels a waiting job, or requests the cancellation of a running one. Throws `job_not_cancellable` if it has ended.
 */
export function cancel(job: JobState, now: Date): JobChange {
  if (!isAllowed('cancel', job))
    refuse('job_not_cancellable', `The job has already ended: it is ${job.status}.`, {
      jobId: job._id,
      status: job.status,
    });
  return job.status === 'waiting' ? cancelFields(now) : { cancelAsked: true };
}

/** Cancels a job whose input was replaced. */
export function supersede(job: JobState, now: Date): JobChange {
  assertAllowed('supersede', job);
  return { ...endFields('cancelled', now), cancelAsked: false, error: SUPERSEDED };
}

/** Returns whether a waiting job can be claimed. */
export function isAvailable({ availableAt }: Pick<JobState, 'availableAt'>, now: Date): boolean {
  return availableAt <= now || availableAt > maxPauseEnd(now);
}

/** Returns the end of the longest pause. A later `availableAt` was written while the clock was ahead, and is due. */
export function maxPauseEnd(now: Date): Date {
  return secondsAfter(now, MAX_WAIT_SECONDS);
}

/** Returns whether the job is running and its lease has expired. */
export function isLeaseExpired(job: JobState, now: Date, leaseSeconds: number): boolean {
  const { status, leaseExpiresAt } = job;
  return (
    status === 'running' &&
    leaseExpiresAt !== null &&
    (leaseExpiresAt < now || leaseExpiresAt > maxLeaseEnd(now, leaseSeconds))
  );
}

/**
 * Returns the end of the longest lease: twice that of the service, because its processes may have other settings. A
 * lease that ends later was written while the clock was ahead, and counts as expired.
 */
export function maxLeaseEnd(now: Date, leaseSeconds: number): Date {
  return secondsAfter(now, 2 * leaseSeconds);
}

/** Throws unless the worker holds the job: `lease_lost` if it held the job before, otherwise `not_your_job`. */
export function assertHolder(job: JobState, by: Holder): void {
  const error = holderError(job, by);
  if (!error) return;
  // Only workers that held the job learn its status.
  refuse(
    error.code,
    error.message,
    error.code === 'lease_lost' ? { jobId: job._id, status: job.status, attempt: job.attempt } : { jobId: job._id },
  );
}

const MAX_WAIT_SECONDS = 60;
const MAX_WAITS = 65;

const SUPERSEDED: JobError = {
  code: 'superseded',
  message: 'The input of this job was replaced by a newer one.',
  final: true,
};
const CANCELLED: JobError = { code: 'cancelled', message: 'The job was cancelled by a user.', final: true };
const DISAPPEARED: JobError = {
  code: 'worker_disappeared',
  message: `The worker disappeared ${MAX_TRIES} times during this job.`,
  final: false,
};

function timeoutError({ type }: JobState): JobError {
  const message = `The attempt exceeded ${MAX_ATTEMPT_SECONDS[type] / 60} minutes, the limit for jobs of type ${type}.`;
  return { code: 'timeout', message, final: false };
}

function endOfAttempt({ startedAt, type }: JobState, now: Date): Date {
  return secondsAfter(startedAt ?? now, MAX_ATTEMPT_SECONDS[type]);
}

// A start in the future, or a heartbeat more than a lease too late, means that the clock was set (or that the service was
// unavailable, and the worker could send no heartbeats): that time does not count.
function startOnClock({ startedAt, leaseExpiresAt }: JobState, now: Date, leaseSeconds: number): Date {
  const start = Math.min(startedAt?.getTime() ?? now.getTime(), now.getTime());
  const late = now.getTime() - (leaseExpiresAt?.getTime() ?? now.getTime());
  return new Date(late > leaseSeconds * 1000 ? start + late : start);
}

function endTry(job: JobState, now: Date, availableAt: Date, error: JobError): JobChange {
  if (job.cancelAsked) return cancelFields(now);
  const count = job.lost + 1;
  if (count >= MAX_TRIES) return { ...endFields('failed', now), lost: count, error };
  return { status: 'waiting', lost: count, availableAt, startedAt: null };
}

function cancelFields(now: Date): JobChange {
  return { ...endFields('cancelled', now), cancelAsked: false, error: CANCELLED };
}

function endFields(status: 'done' | 'failed' | 'cancelled', now: Date): JobChange {
  return { status, finishedAt: now, leaseExpiresAt: null };
}

// Records who ended which attempt, so that a repeated request is recognized.
function endedByFields({ attempt, tokenId }: JobState): JobChange {
  return { endedAttempt: attempt, endedTokenId: tokenId };
}

// Removes the holder but remembers the token, so that a late request gets `lease_lost` instead of `not_your_job`.
function clearHolder(job: JobState): JobChange {
  return {
    tokenId: null,
    earlierTokenIds: appendUnique(job.earlierTokenIds, job.tokenId),
    workerId: null,
    leaseExpiresAt: null,
    cancelAsked: false,
    progress: null,
  };
}

function appendUnique(list: string[], item: string | null): string[] {
  return item === null ? list : [...list.filter((other) => other !== item), item];
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

function isAllowed(event: JobEvent, job: JobState): boolean {
  return (TRANSITIONS[event].from as readonly JobStatus[]).includes(job.status);
}

// Callers have checked the holder before, so a wrong state means that the job was lost meanwhile.
function assertAllowed(event: JobEvent, job: JobState): void {
  if (!isAllowed(event, job))
    refuse('lease_lost', `The job is ${job.status}, but must be ${TRANSITIONS[event].from.join(' or ')}.`, {
      jobId: job._id,
      status: job.status,
      attempt: job.attempt,
    });
}
