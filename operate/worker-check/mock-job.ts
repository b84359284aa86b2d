// A job of the mock service, held in memory. Its state changes follow the domain rules of the real service.
import { createHash, randomInt } from 'node:crypto';
import { typeid } from 'typeid-js';
import { type Holder, isRepeatedEnd } from '../../subgraphs/core/domain/jobs/job-fence.ts';
import {
  assertHolder,
  claim,
  complete,
  endLostAttempt,
  engineCrashed,
  fail,
  giveBack,
  heartbeat,
  isLeaseExpired,
  type JobChange,
  type JobError,
  type JobState,
} from '../../subgraphs/core/domain/jobs/job-lifecycle.ts';

export type JobInput = { kind: string; fileName: string; contentType: string; content: Buffer };

/** Faults that the mock service injects into one job. */
export type Faults = {
  /** Duration of a download of the input. */
  downloadSeconds?: number;
  /** Serve an input whose bytes do not match its SHA-256. */
  corruptInput?: boolean;
  /** Reject the n-th heartbeat (from 1) with 503. */
  failHeartbeat?: number;
  /** Reassign the job to another worker at the first heartbeat. */
  loseLease?: boolean;
  /** Apply the first complete or fail, but close the connection instead of responding. */
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
  /** Number of heartbeats so far. */
  heartbeats: number;
  /** When the worker under test claimed the job (milliseconds, monotonic), and the number of that attempt. */
  claimedAt: number | null;
  claimedAttempt: number;
  /** The operation that ended the last attempt. */
  endedBy: EndOperation | null;
};

export type EndOperation = 'complete' | 'fail' | 'give-back';

export const WORKER = { id: 'usr_worker', tokenId: 'tok_worker' };
// The service looks for expired leases every few seconds and accepts a late heartbeat until then.
const EXPIRY_GRACE_MS = 1_000;

/** Creates a waiting job. Its attempt number starts at a random value, so that a worker cannot guess it. */
export function createMockJob(type: JobState['type'], input: JobInput, faults: Faults): MockJob {
  const attempt = randomInt(3, 40);
  const now = new Date();
  const state: JobState = {
    _id: typeid('job').toString(),
    type,
    status: 'waiting',
    attempt,
    maxAttempts: attempt + 3,
    lost: 0,
    tokenId: null,
    earlierTokenIds: [],
    lostTokenIds: [],
    workerId: null,
    leaseExpiresAt: null,
    cancelAsked: false,
    progress: null,
    error: null,
    endedAttempt: null,
    availableAt: now,
    startedAt: null,
    finishedAt: null,
  };
  return {
    state,
    versionId: typeid('ver').toString(),
    documentId: typeid('doc').toString(),
    input,
    sha256: createHash('sha256').update(input.content).digest('hex'),
    faults,
    queuedAt: now,
    log: [],
    heartbeats: 0,
    claimedAt: null,
    claimedAttempt: 0,
    endedBy: null,
  };
}

/** Assigns the job to the worker under test. */
export function assignToWorker(job: MockJob, workerId: string, leaseSeconds: number): void {
  applyChange(job, claim(job.state, { tokenId: WORKER.tokenId, workerId }, new Date(), leaseSeconds));
  job.claimedAt = performance.now();
  job.claimedAttempt = job.state.attempt;
}

export function reassignToOtherWorker(job: MockJob, leaseSeconds: number): void {
  applyChange(job, endLostAttempt(job.state, new Date()));
  applyChange(job, claim(job.state, { tokenId: 'tok_other', workerId: 'another-worker' }, new Date(), leaseSeconds));
}

/** Ends the lease of the worker under test if it has expired. */
export function expireLease(job: MockJob): void {
  const { tokenId, leaseSeconds = 0 } = job.state;
  const isExpired = isLeaseExpired(job.state, new Date(Date.now() - EXPIRY_GRACE_MS), leaseSeconds + EXPIRY_GRACE_MS);
  if (tokenId !== WORKER.tokenId || !isExpired) return;
  applyChange(job, endLostAttempt(job.state, new Date()));
}

export type EndBody = { error?: Omit<JobError, 'final'>; final?: boolean; retryable?: boolean; log?: string[] | null };

/** Ends an attempt. A repeated request has no effect. Throws if the worker does not hold the job. */
export function endAttempt(job: MockJob, by: Holder, operation: EndOperation, body: EndBody): void {
  const { error, final = false, retryable = false, log } = body;
  if (isRepeatedEnd(job.state, by, operation === 'give-back' ? 'giveBack' : operation)) return;
  assertHolder(job.state, by);
  const now = new Date();
  const cause: JobError = { code: error?.code ?? 'failed', message: error?.message ?? '', final };
  if (operation === 'complete') applyChange(job, complete(job.state, now));
  else if (operation === 'give-back') applyChange(job, giveBack(job.state, now));
  else applyChange(job, retryable && !final ? engineCrashed(job.state, cause, now) : fail(job.state, cause, now));
  job.endedBy = operation;
  appendLog(job, [...(log ?? []), ...(operation === 'fail' ? [`${cause.code}: ${cause.message}`] : [])]);
}

export function appendLog(job: MockJob, lines: readonly string[]): void {
  const at = new Date();
  job.log.push(...lines.map((line) => ({ at, line })));
}

/** Extends the lease and returns the response to the heartbeat. Throws if the worker does not hold the job. */
export function recordHeartbeat(
  job: MockJob,
  by: Holder,
  progress: JobState['progress'],
  leaseSeconds: number,
): { leaseExpiresAt: Date; cancelRequested: boolean } {
  assertHolder(job.state, by);
  const { leaseExpiresAt, cancelRequested } = heartbeat(job.state, new Date(), leaseSeconds);
  applyChange(job, { leaseExpiresAt, progress: progress ?? job.state.progress });
  return { leaseExpiresAt, cancelRequested };
}

/** Returns the job as the API shows it. */
export function jobResponse({ state, versionId, documentId, sha256, input, queuedAt, log }: MockJob): object {
  return {
    id: state._id,
    versionId,
    documentId,
    type: state.type,
    status: state.status,
    environment: [],
    attempt: state.attempt,
    maxAttempts: state.maxAttempts,
    workerId: state.workerId,
    leaseExpiresAt: state.leaseExpiresAt,
    inputSha256: sha256,
    inputBytes: input.content.length,
    format: state.type === 'export' ? 'STP' : null,
    runId: null,
    cancelRequested: state.cancelAsked,
    progress: state.progress,
    error: state.error,
    queuedAt,
    startedAt: state.startedAt,
    finishedAt: state.finishedAt,
    log,
  };
}

function applyChange(job: MockJob, change: JobChange): void {
  Object.assign(job.state, change);
}
