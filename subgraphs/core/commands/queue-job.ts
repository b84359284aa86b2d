// Queues jobs and notifies workers.
import { environmentKey, parseRequiredEnvironment } from '../domain/jobs/job-environment.ts';
import { MAX_TRIES, supersede } from '../domain/jobs/job-lifecycle.ts';
import { isLightJob } from '../domain/jobs/light-job.ts';
import { publishQueue } from '../platform/instrumentation.ts';
import { changeJob, jobsAwaitedByVersions, nextSeq, similarUnfinishedJobs } from '../store/jobs/jobs.ts';
import { notifiedJobsCache } from '../store/jobs/recent-jobs.ts';
import { insert, lock } from '../store/query/records.ts';
import type { JobRecord, JobType } from '../store/schema/collections.ts';
import type { Work } from '../work.ts';

/** A job to be queued. `environment`: what its worker must offer, as tags or `{engine: "classcad"}`. */
export type JobOrder = {
  type: JobType;
  documentId: string;
  versionId: string;
  /** The SHA-256 of its input, and the kinds of artifact that belong to the input. */
  inputSha256: string | null;
  inputKinds: string[];
  /** The size of the main input file, if it has one. */
  inputBytes?: number;
  environment: unknown;
  format?: string | null;
  runId?: string | null;
};

/**
 * Queues a job in the transaction of its cause, and notifies workers after the commit. Returns an unfinished job for
 * the same input instead of a new one. Supersedes waiting jobs for an older input of the version, unless a version
 * created from that input waits for their results. `atEnd` sends the new job to the store with the audit records; the
 * command must neither read the jobs of the version again nor queue the same job twice.
 */
export async function queueJob(work: Work, order: JobOrder, { atEnd = false } = {}): Promise<JobRecord> {
  const unfinished = await similarUnfinishedJobs(work, order);

  const same = unfinished.find((job) => job.inputSha256 === order.inputSha256 && !job.cancelAsked);
  const outdated = order.runId
    ? []
    : unfinished.filter((job) => job.status === 'waiting' && job.inputSha256 !== order.inputSha256);

  const awaited = await jobsAwaitedByVersions(
    work,
    outdated.map(({ _id }) => _id),
  );
  for (const job of outdated)
    if (!awaited.has(job._id)) await changeJob(work, job, supersede(job, work.now), { now: work.now });
  // locked, so that it cannot finish while this command relies on it
  if (same) return lock(work, 'jobs', same._id);
  const job = jobRecord(work, order);
  if (atEnd) work.atEnd({ into: 'jobs', document: job });
  else await insert(work, 'jobs', job);
  notifyWorkers(work, job);
  work.afterCommit(() => publishQueue({ action: 'added', type: job.type }));
  return job;
}

/** Notifies workers of a job once the transaction is on disk. */
export function notifyWorkers(work: Work, job: JobRecord): void {
  const key = `${job._id}:${job.attempt}`;
  work.afterCommit(() => {
    notifiedJobsCache.set(work.db, [[key, job]]);
    work.services.dispatch.notify(job.type, key, job);
  });
}

function jobRecord(
  work: Work,
  { environment, format = null, runId = null, inputBytes, ...order }: JobOrder,
): JobRecord {
  const requirements = parseRequiredEnvironment(environment);
  return {
    _id: work.newId('job'),
    seq: nextSeq(work.now),
    ...order,
    inputBytes: inputBytes ?? null,
    format,
    runId,
    ...(isLightJob({ type: order.type, inputBytes }) ? { light: true as const } : {}),
    status: 'waiting',
    environment: requirements,
    environmentKey: environmentKey(requirements),
    attempt: 0,
    maxAttempts: MAX_TRIES,
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
