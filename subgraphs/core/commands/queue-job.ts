import { environmentKey, requiredEnvironment } from '../domain/jobs/job-environment.ts';
import { supersede, TRIES } from '../domain/jobs/job-lifecycle.ts';
import { tellQueue } from '../platform/telling.ts';
import { awaitedElsewhere, changeJob, nextSeq, unfinishedLike } from '../store/jobs/jobs.ts';
import { rungJobs } from '../store/jobs/recent-jobs.ts';
import { insert, lock } from '../store/query/records.ts';
import type { JobRecord, JobType } from '../store/schema/collections.ts';
import type { Work } from '../work.ts';

/** What a job is queued for. `environment`: what its worker must offer, as words or `{engine: "classcad"}`. */
export type JobOrder = {
  type: JobType;
  documentId: string;
  versionId: string;
  /** The hash of the input it works on, and the kinds of artifact that make it up. */
  inputSha256: string | null;
  inputKinds: string[];
  environment: unknown;
  format?: string | null;
  runId?: string | null;
};

/**
 * Queues a job in the transaction of its cause, and wakes a worker once that is on disk. An unfinished job for the same input is that job; waiting ones for
 * an older input of the same version are superseded, unless a version that was made of that input waits for their results. `atEnd`: the command neither reads the jobs
 * of that version again nor queues the same once more, so that the new one may go to the store with the audit records.
 */
export async function queueJob(work: Work, order: JobOrder, { atEnd = false } = {}): Promise<JobRecord> {
  const unfinished = await unfinishedLike(work, order);

  const same = unfinished.find((job) => job.inputSha256 === order.inputSha256 && !job.cancelAsked);
  const outdated = order.runId
    ? []
    : unfinished.filter((job) => job.status === 'waiting' && job.inputSha256 !== order.inputSha256);

  const awaited = await awaitedElsewhere(
    work,
    outdated.map(({ _id }) => _id),
  );
  for (const job of outdated)
    if (!awaited.has(job._id)) await changeJob(work, job, supersede(job, work.now), { now: work.now });
  // Locked, so that it cannot end unseen while this command relies on it.
  if (same) return lock(work, 'jobs', same._id);
  const job = jobRecord(work, order);
  if (atEnd) work.atEnd({ into: 'jobs', document: job });
  else await insert(work, 'jobs', job);
  ringFor(work, job);
  work.afterCommit(() => tellQueue({ deed: 'added', type: job.type }));
  return job;
}

/** Wakes a worker once the transaction is on disk. */
export function ringFor(work: Work, job: JobRecord): void {
  const key = `${job._id}:${job.attempt}`;
  work.afterCommit(() => {
    rungJobs.keep(work.db, [[key, job]]);
    work.services.dispatch.ring(job.type, key);
  });
}

function jobRecord(work: Work, { environment, format = null, runId = null, ...order }: JobOrder): JobRecord {
  const words = requiredEnvironment(environment);
  return {
    _id: work.newId('job'),
    seq: nextSeq(work.now),
    ...order,
    format,
    runId,
    status: 'waiting',
    environment: words,
    environmentKey: environmentKey(words),
    attempt: 0,
    maxAttempts: TRIES,
    lost: 0,
    tokenId: null,
    earlierTokenIds: [],
    lostTokenIds: [],
    workerId: null,
    leaseExpiresAt: null,
    cancelAsked: false,
    progress: null,
    logLines: 0,
    logSize: 0,
    error: null,
    endedAttempt: null,
    queuedAt: work.now,
    queuedBy: work.actor.id,
    availableAt: work.now,
    startedAt: null,
    finishedAt: null,
    lock: 0,
  };
}
