// Jobs: reads, and writes that fail if a job has changed meanwhile.
import { ObjectId } from 'mongodb';
import { refuse } from '../../domain/errors.ts';
import { holderError, holderOf } from '../../domain/jobs/job-fence.ts';
import { assertHolder, type JobChange } from '../../domain/jobs/job-lifecycle.ts';
import { fitLogLines, logUsage } from '../../domain/jobs/job-log.ts';
import { transientConflict } from '../query/deferred-writes.ts';
import { findAll, findOfKey, get, lock } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { JobRecord, JobStatus } from '../schema/collections.ts';
import { OPEN_JOBS } from '../schema/indexes.ts';
import { insertLines } from './job-logs.ts';
import { claimedJobsCache } from './recent-jobs.ts';

/** Returns the waiting and running jobs of a draft or version. */
export function unfinishedJobsOf(scope: Scope, versionId: string): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ versionId: { $eq: versionId }, status: openStatus(UNFINISHED) }, within(scope))
    .hint(OPEN_OF_VERSION)
    .toArray();
}

/**
 * Returns the jobs of a draft or version that may still deliver results: waiting, running, and failed ones, which may
 * be retried.
 */
export function jobsThatMayDeliver(scope: Scope, versionId: string): Promise<JobRecord[]> {
  return findOfKey(scope, 'jobs', jobsOfVersions, (job) => job.versionId, versionId);
}

function jobsOfVersions(scope: Scope, versionIds: readonly string[]): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ versionId: { $in: [...versionIds] }, status: openStatus([...UNFINISHED, 'failed']) }, within(scope))
    .hint(OPEN_OF_VERSION)
    .toArray();
}

/** Returns the waiting jobs that wait for the end of this job. */
export async function jobsAwaiting(scope: Scope, jobId: string): Promise<JobRecord[]> {
  const found = await collection(scope, 'jobs')
    .find({ awaits: { $eq: jobId } }, within(scope))
    .toArray();
  return found.filter(({ status }) => status === 'waiting');
}

/** Makes a waiting job available now. Returns false if it has been changed meanwhile. */
export async function makeAvailable(scope: Scope, { _id, lock }: JobRecord, now: Date): Promise<boolean> {
  const { modifiedCount } = await collection(scope, 'jobs').updateOne(
    { _id, lock, status: 'waiting' },
    { $set: { availableAt: now, awaits: [] }, $inc: { lock: 1 } },
    within(scope),
  );
  return modifiedCount === 1;
}

/** Returns whether a job waits or runs. */
export function isUnfinished({ status }: Pick<JobRecord, 'status'>): boolean {
  return UNFINISHED.includes(status);
}

/** Returns the waiting and running jobs of all drafts and versions of a document. */
export function unfinishedJobsOfDocument(scope: Scope, documentId: string): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ documentId: { $eq: documentId }, status: { $in: UNFINISHED } }, within(scope))
    .hint({ documentId: 1, seq: -1, _id: -1 })
    .toArray();
}

/**
 * Returns the job with this id, locked. Without an id, returns the job that the calling worker holds for the draft or
 * version: preferably one with the given input, else the newest. Throws `not_found` for an unknown id, `lease_lost` if
 * the worker held such a job before, else `not_your_job`.
 */
export async function requireHeldJob(
  work: Write,
  request: {
    jobId?: string | null;
    versionId?: string | null;
    attempt?: number | null;
    workerId?: string | null;
    inputSha256?: string | null;
  },
): Promise<JobRecord> {
  const holder = holderOf(work.actor, request);
  if (request.jobId) {
    assertHolder(await get(work, 'jobs', request.jobId), holder);
    return lock(work, 'jobs', request.jobId);
  }

  const jobs = await collection(work, 'jobs')
    .find(
      {
        versionId: { $eq: String(request.versionId) },
        $or: [{ tokenId: holder.tokenId }, { earlierTokenIds: holder.tokenId }],
      },
      within(work),
    )
    .sort({ seq: -1 })
    .toArray();
  const held = jobs.filter((job) => holderError(job, holder) === null);
  const job = held.find(({ inputSha256 }) => inputSha256 === request.inputSha256) ?? held[0];
  if (job) return lock(work, 'jobs', job._id);
  // None is held: throws the reason for the running job, else for the newest.
  const notHeld = jobs.find(({ status }) => status === 'running') ?? jobs[0];
  if (notHeld) assertHolder(notHeld, holder);
  return refuse('not_your_job', 'This token does not hold a job for that draft or version.', {
    versionId: request.versionId,
  });
}

/**
 * Writes a change of a job and its log lines, if status, attempt and token are still those of `before`, and with
 * `sameLease` also the lease. Throws `lease_lost` otherwise.
 */
export async function changeJob(
  scope: Scope,
  before: JobRecord,
  change: JobChange,
  { log = [], now, sameLease = false }: { log?: readonly string[] | null; now: Date; sameLease?: boolean },
): Promise<JobRecord> {
  const lines = fitLogLines(before, log ?? []);
  const { _id, status, attempt, tokenId, leaseExpiresAt } = before;
  const usage = logUsage(before, lines);
  const after = await collection(scope, 'jobs').findOneAndUpdate(
    { _id, status, attempt, tokenId, ...(sameLease ? { leaseExpiresAt } : {}) },
    { $set: change, $inc: { lock: 1, ...usage } },
    { returnDocument: 'after', ...within(scope) },
  );
  if (!after) return refuse('lease_lost', 'The job has been assigned or changed meanwhile.', { jobId: _id, attempt });
  if (lines.length) await insertLines(scope, _id, after.logLines - usage.logLines, lines, now);
  if (!scope.session) claimedJobsCache.set(scope.db, [[_id, after]]);
  return after;
}

/** Returns the audit chain of each job; none for an unknown id. Caches the jobs that it reads. */
export async function chainsOfJobs(scope: Scope, ids: readonly string[]): Promise<string[][]> {
  const jobs = claimedJobsCache.get(scope.db, ids);
  const uncached = ids.filter((id) => !jobs.has(id));
  const read = uncached.length ? await findAll(scope, 'jobs', uncached) : [];
  for (const job of read) jobs.set(job._id, job);
  claimedJobsCache.set(
    scope.db,
    read.map((job) => [job._id, job]),
  );
  return ids.map((id) => {
    const job = jobs.get(id);
    return job ? [job.documentId] : [];
  });
}

/** Thrown if jobs have been changed since they were read for a decision. */
export class JobsChanged extends Error {
  override readonly name = 'JobsChanged';
}

/**
 * Writes changes of jobs and their log lines at the end of the transaction. If a job has been written since it was
 * read, the transaction fails with JobsChanged, or is retried if the jobs come from the cache (`cached`).
 */
export function changeJobs(
  work: Write,
  changes: readonly { before: JobRecord; change: JobChange; log?: readonly string[] | null }[],
  { cached = false } = {},
): JobRecord[] {
  const ids = changes.map(({ before }) => before._id);
  const orElse = () => {
    const message = `some of ${changes.length} jobs were changed concurrently`;
    if (!cached) return new JobsChanged(message);
    claimedJobsCache.invalidate(work.db, ids);
    return transientConflict(message);
  };
  const changed = changes.map(({ before, change, log }) => {
    const lines = fitLogLines(before, log ?? []);
    const usage = logUsage(before, lines);
    const { _id, lock, logLines, logSize } = before;
    // values instead of operators where the filter determines the result, because they are cheaper for the store
    const update = { $set: { ...change, lock: lock + 1 }, ...(lines.length ? { $inc: usage } : {}) };
    work.atEnd({ into: 'jobs', filter: { _id, lock }, update, orElse });
    if (lines.length)
      work.atEnd({
        into: 'jobLogs',
        document: { _id: new ObjectId(), jobId: _id, first: logLines, at: work.now, lines },
      });
    return {
      ...before,
      ...change,
      lock: lock + 1,
      logLines: logLines + usage.logLines,
      logSize: logSize + usage.logSize,
    };
  });
  work.afterCommit(() =>
    claimedJobsCache.set(
      work.db,
      ids.flatMap((id, n) => (changed[n]?.status === 'running' ? [[id, changed[n]] as const] : [])),
    ),
  );
  return changed;
}

/** Returns the running jobs that a token's workers hold. */
export function runningJobsOfToken(scope: Scope, tokenId: string): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ status: 'running', tokenId: { $eq: tokenId } }, within(scope))
    .toArray();
}

const UNFINISHED: JobStatus[] = ['waiting', 'running'];
// A hint, because the planner may prefer the index of the many waiting jobs to that of a version's few.
const OPEN_OF_VERSION = { versionId: 1, type: 1, runId: 1 } as const;

// Repeats the condition of the partial index, which servers require before they use the index.
function openStatus(statuses: readonly JobStatus[]) {
  return { $in: statuses, ...OPEN_JOBS.status };
}

/** Returns the unfinished jobs for the same version, type, format and run. */
export function similarUnfinishedJobs(
  scope: Scope,
  {
    versionId,
    type,
    format = null,
    runId = null,
  }: Pick<JobRecord, 'versionId' | 'type'> & Partial<Pick<JobRecord, 'format' | 'runId'>>,
): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ versionId: { $eq: versionId }, type, format, runId, status: openStatus(UNFINISHED) }, within(scope))
    .hint(OPEN_OF_VERSION)
    .toArray();
}

/** Returns which of the jobs also deliver their results to versions that were created from the draft meanwhile. */
export async function jobsAwaitedByVersions(scope: Scope, jobIds: readonly string[]): Promise<Set<string>> {
  if (!jobIds.length) return new Set();
  const versions = await collection(scope, 'versions')
    .find({ awaitsJobs: { $in: [...jobIds] } }, within(scope))
    .toArray();
  return new Set(versions.flatMap(({ awaitsJobs }) => awaitsJobs));
}

const SEQ_PER_MILLISECOND = 1024;
const MAX_SEQ_LEAD = 60_000 * SEQ_PER_MILLISECOND;
let lastSeq = 0;

/**
 * Returns the queue position of a new job: milliseconds and a counter in one number (below 2^53), so that the jobs of
 * one process have distinct, rising values. Two processes may use the same value, so that queries also sort by _id. If
 * the clock was set back by more than a minute, the values continue from the new time.
 */
export function nextSeq(now: Date): number {
  const first = seqAt(now);
  lastSeq = lastSeq - first > MAX_SEQ_LEAD ? first : Math.max(lastSeq + 1, first);
  return lastSeq;
}

/** Returns the first queue position of a time. */
export function seqAt(time: Date): number {
  return time.getTime() * SEQ_PER_MILLISECOND;
}

/** Returns when the job with this queue position was queued. */
export function seqTime(seq: number): Date {
  return new Date(Math.floor(seq / SEQ_PER_MILLISECOND));
}
