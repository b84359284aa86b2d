// Who holds a job: the fence that keeps workers that came back from the dead, and strangers, away from it.

/** What a worker says of itself: its token, and if it sent them its attempt and its own name. */
export type Holder = { tokenId: string; attempt?: number | null; workerId?: string | null };

/** The holder that a request speaks for. A session has no token of its own: its user stands for it. */
export function holderOf(
  { id, tokenId }: { id: string; tokenId: string | null },
  { attempt, workerId }: { attempt?: number | null; workerId?: string | null } = {},
): Holder {
  return { tokenId: tokenId ?? id, attempt, workerId };
}

type Fenced = {
  status: string;
  attempt: number;
  tokenId: string | null;
  earlierTokenIds: readonly string[];
  lostTokenIds: readonly string[];
  workerId: string | null;
  endedAttempt: number | null;
  endedTokenId?: string | null;
};
type Refusal = { code: 'lease_lost' | 'not_your_job'; message: string };

/**
 * Why this worker does not hold the job, or null when it does. Token and attempt must be the holder's. A worker that sends no
 * attempt is known by its workerId; one that sends neither is believed while its token never disappeared with this job, so
 * that a client without fences works and no zombie gets in.
 */
export function holderRefusal(job: Fenced, by: Holder): Refusal | null {
  const running = job.status === 'running';
  if (!running || job.tokenId !== by.tokenId) {
    const heldOnce = job.tokenId === by.tokenId || job.earlierTokenIds.includes(by.tokenId);
    if (heldOnce)
      return lost(
        running ? 'The job has been given to another worker.' : `The job is ${job.status}; this attempt at it is over.`,
      );
    return stranger('This token does not hold the job.');
  }
  if (isSent(by.attempt))
    return by.attempt === job.attempt
      ? null
      : lost(`The job is at attempt ${job.attempt}; attempt ${by.attempt} lost it.`);
  if (isSent(by.workerId))
    return by.workerId === job.workerId
      ? null
      : stranger(`The job is held by worker ${job.workerId}, not by ${by.workerId}.`);
  if (!job.lostTokenIds.includes(by.tokenId)) return null;
  return lost(
    `A worker with this token lost the job before: say which attempt this is (attempt ${job.attempt} holds it) or send the workerId.`,
  );
}

/** Whether this worker ended this very attempt already, in this way: then a repeated answer has no second effect. */
export function endedAlready(job: Fenced, by: Holder, how: 'complete' | 'fail' | 'giveBack'): boolean {
  if (job.endedTokenId !== by.tokenId || (how === 'complete') !== (job.status === 'done')) return false;
  return (by.attempt ?? job.attempt) === job.endedAttempt;
}

function isSent<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function lost(message: string): Refusal {
  return { code: 'lease_lost', message };
}

function stranger(message: string): Refusal {
  return { code: 'not_your_job', message };
}
