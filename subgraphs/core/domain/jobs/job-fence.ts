// Fencing: decides whether a worker holds a job, so that workers that lost it cannot change it.

/** A worker as its request identifies it: its token, and optionally its attempt and worker id. */
export type Holder = { tokenId: string; attempt?: number | null; workerId?: string | null };

/** Returns the holder of a request. A session has no token, so its user id is used. */
export function holderOf(
  { id, tokenId }: { id: string; tokenId: string | null },
  { attempt, workerId }: { attempt?: number | null; workerId?: string | null } = {},
): Holder {
  return { tokenId: tokenId ?? id, attempt, workerId };
}

type FencedJob = {
  status: string;
  attempt: number;
  tokenId: string | null;
  earlierTokenIds: readonly string[];
  lostTokenIds: readonly string[];
  workerId: string | null;
  endedAttempt: number | null;
  endedTokenId?: string | null;
};
type HolderError = { code: 'lease_lost' | 'not_your_job'; message: string };

/**
 * Returns why a worker does not hold the job, or null if it does. Token and attempt must match. Without an attempt the
 * worker id must match. Without both, the token is enough unless it has lost this job before: a simple client works,
 * and a worker that lost the job is rejected.
 */
export function holderError(job: FencedJob, worker: Holder): HolderError | null {
  const running = job.status === 'running';
  if (!running || job.tokenId !== worker.tokenId) {
    const heldBefore = job.tokenId === worker.tokenId || job.earlierTokenIds.includes(worker.tokenId);
    if (heldBefore)
      return leaseLost(
        running ? 'Another worker has claimed the job.' : `The job is ${job.status}. This attempt has ended.`,
      );
    return notYourJob('This token does not hold the job.');
  }
  if (isSent(worker.attempt))
    return worker.attempt === job.attempt
      ? null
      : leaseLost(`The job is at attempt ${job.attempt}. Attempt ${worker.attempt} has lost it.`);
  if (isSent(worker.workerId))
    return worker.workerId === job.workerId
      ? null
      : notYourJob(`The job is held by worker ${job.workerId}, not by ${worker.workerId}.`);
  if (!job.lostTokenIds.includes(worker.tokenId)) return null;
  return leaseLost(
    `A worker with this token lost the job before. Send the attempt (${job.attempt} holds the job) or the workerId.`,
  );
}

/**
 * Returns whether the worker already ended this attempt in the same way, so that the request is a repetition without
 * effect.
 */
export function isRepeatedEnd(job: FencedJob, worker: Holder, action: 'complete' | 'fail' | 'giveBack'): boolean {
  if (job.endedTokenId !== worker.tokenId || (action === 'complete') !== (job.status === 'done')) return false;
  return (worker.attempt ?? job.attempt) === job.endedAttempt;
}

function isSent<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function leaseLost(message: string): HolderError {
  return { code: 'lease_lost', message };
}

function notYourJob(message: string): HolderError {
  return { code: 'not_your_job', message };
}
