// A job in the played service: its state changes by the service's own rules, in memory.
import { createHash, randomInt } from 'node:crypto';
import { typeid } from 'typeid-js';
import { endedAlready, type Holder } from '../../subgraphs/core/domain/jobs/job-fence.ts';
import {
  claim,
  complete,
  engineCrashed,
  expired,
  fail,
  giveBack,
  heartbeat,
  heldBy,
  type JobChange,
  type JobError,
  type JobState,
  lost,
} from '../../subgraphs/core/domain/jobs/job-lifecycle.ts';

export type JobInput = { kind: string; fileName: string; contentType: string; content: Buffer };

/** What goes otherwise than usual with one job. */
export type Faults = {
  /** Downloads of its input take that long. */
  downloadSeconds?: number;
  /** The bytes of its input are not those of the SHA-256. */
  corruptInput?: boolean;
  /** Which of its heartbeats is answered 503: 1 is the first. */
  failHeartbeat?: number;
  /** It goes to another worker at its first heartbeat. */
  loseLease?: boolean;
  /** The first complete or fail takes effect, but its connection breaks. */
  dropConnection?: boolean;
};

export type MockJob = {
  state: JobState;
  versionId: string;
  documentId: string;
  input: JobInput;
  sha256: string;
  faults: Faults;
  queuedAt: Date;
  log: { at: Date; line: string }[];
  /** Heartbeats so far. */
  heartbeats: number;
  /** When it was handed to the worker under test (milliseconds of a monotonic clock), and as which attempt. */
  claimedAt: number | null;
  claimedAttempt: number;
  /** Which deed ended its last attempt. */
  endedBy: 'complete' | 'fail' | 'give-back' | null;
};

export const WORKER = { id: 'usr_worker', tokenId: 'tok_worker' };
// The service looks for ended leases every few seconds: a late heartbeat is accepted until then.
const SWEEP_MILLISECONDS = 1_000;

/** A waiting job. Its attempt counts from somewhere, so that no worker can guess it. */
export function createMockJob(type: JobState['type'], input: JobInput, quirks: Faults): MockJob {
  const id = typeid('job').toString();
  const attempt = randomInt(3, 40);
  const now = new Date();
  const state: JobState = {
    ...{
      _id: id,
      type,
      status: 'waiting',
      attempt,
      maxAttempts: attempt + 3,
      lost: 0,
      tokenId: null,
      earlierTokenIds: [],
      lostTokenIds: [],
    },
    ...{
      workerId: null,
      leaseExpiresAt: null,
      cancelAsked: false,
      progress: null,
      error: null,
      endedAttempt: null,
      availableAt: now,
    },
    ...{ startedAt: null, finishedAt: null },
  };
  const sha256 = createHash('sha256').update(input.content).digest('hex');
  const ids = { versionId: typeid('ver').toString(), documentId: typeid('doc').toString() };
  return {
    state,
    ...ids,
    input,
    sha256,
    faults,
    queuedAt: now,
    log: [],
    heartbeats: 0,
    claimedAt: null,
    claimedAttempt: 0,
    endedBy: null,
  };
}

/** Hands it to the worker under test. */
export function assignToWorker(job: MockJob, workerId: string, leaseSeconds: number): void {
  applyChange(job, claim(job.state, { tokenId: WORKER.tokenId, workerId }, new Date(), leaseSeconds));
  job.claimedAt = performance.now();
  job.claimedAttempt = job.state.attempt;
}

/** Takes it from whoever holds it and gives it to somebody else. */
export function reassignToOtherWorker(job: MockJob, leaseSeconds: number): void {
  applyChange(job, lost(job.state, new Date()));
  applyChange(job, claim(job.state, { tokenId: 'tok_other', workerId: 'another-worker' }, new Date(), leaseSeconds));
}

/** Ends the lease of a worker that is silent; answers whether it did. */
export function expireLease(job: MockJob): boolean {
  if (job.state.tokenId !== WORKER.tokenId || !expired(job.state, new Date(Date.now() - SWEEP_MILLISECONDS)))
    return false;
  applyChange(job, lost(job.state, new Date()));
  return true;
}

export type EndBody = { error?: Omit<JobError, 'final'>; final?: boolean; again?: boolean; log?: string[] | null };

/** Ends an attempt, or repeats the end of one without a second effect; refuses a worker that does not hold it. */
export function endAttempt(job: MockJob, by: Holder, deed: 'complete' | 'fail' | 'give-back', said: EndBody): void {
  const { error, final = false, again = false, log } = said;
  if (endedAlready(job.state, by, deed === 'give-back' ? 'giveBack' : deed)) return;
  heldBy(job.state, by);
  const now = new Date();
  const cause: JobError = { code: error?.code ?? 'failed', message: error?.message ?? '', final };
  if (deed === 'complete') applyChange(job, complete(job.state, now));
  else if (deed === 'give-back') applyChange(job, giveBack(job.state, now));
  else applyChange(job, again && !final ? engineCrashed(job.state, cause, now) : fail(job.state, cause, now));
  job.endedBy = deed;
  appendLog(job, [...(log ?? []), ...(deed === 'fail' ? [`${cause.code}: ${cause.message}`] : [])]);
}

/** Keeps log lines. */
export function appendLog(job: MockJob, lines: readonly string[]): void {
  const at = new Date();
  job.log.push(...lines.map((line) => ({ at, line })));
}

/** Keeps the lease; answers what the heartbeat is told. */
export function recordHeartbeat(
  job: MockJob,
  by: Holder,
  progress: JobState['progress'],
  leaseSeconds: number,
): { leaseExpiresAt: Date; cancel: boolean } {
  heldBy(job.state, by);
  const told = heartbeat(job.state, new Date(), leaseSeconds);
  applyChange(job, { leaseExpiresAt: told.leaseExpiresAt, progress: progress ?? job.state.progress });
  return told;
}

/** The job as the service shows it. */
export function jobResponse(job: MockJob): object {
  const {
    _id: id,
    type,
    status,
    attempt,
    maxAttempts,
    workerId,
    leaseExpiresAt,
    cancelAsked,
    progress,
    error,
  } = job.state;
  const { startedAt, finishedAt } = job.state;
  const { versionId, documentId, sha256: inputSha256, queuedAt, log } = job;
  return {
    ...{
      id,
      versionId,
      documentId,
      type,
      status,
      environment: [],
      attempt,
      maxAttempts,
      workerId,
      leaseExpiresAt,
      inputSha256,
    },
    ...{
      format: type === 'export' ? 'STP' : null,
      runId: null,
      cancelAsked,
      progress,
      error,
      queuedAt,
      startedAt,
      finishedAt,
      log,
    },
  };
}

function applyChange(job: MockJob, to: JobChange): void {
  Object.assign(job.state, to);
}
