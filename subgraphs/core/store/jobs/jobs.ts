import { ObjectId } from 'mongodb';
import { refuse } from '../../domain/errors.ts';
import { holderOf, holderRefusal } from '../../domain/jobs/job-fence.ts';
import { heldBy, type JobChange } from '../../domain/jobs/job-lifecycle.ts';
import { fittingLines, weightOf } from '../../domain/jobs/job-log.ts';
import { beginAgain } from '../query/last-words.ts';
import { findAll, get, lock } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { JobRecord, JobStatus } from '../schema/collections.ts';
import { OPEN } from '../schema/indexes.ts';
import { insertLines } from './job-logs.ts';
import { heldJobs } from './recent-jobs.ts';

/** The jobs of a draft or version that wait or run. */
export function unfinishedJobsOf(scope: Scope, versionId: string): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ versionId: { $eq: versionId }, status: { $in: UNFINISHED, ...OPEN.status } }, within(scope))
    .hint(OPEN_OF_VERSION)
    .toArray();
}

/** The jobs of a draft or version that may still deliver: those that wait or run, and those that failed, which a retry runs again. */
export function jobsThatMayDeliver(scope: Scope, versionId: string): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ versionId: { $eq: versionId }, status: { $in: [...UNFINISHED, 'failed'], ...OPEN.status } }, within(scope))
    .hint(OPEN_OF_VERSION)
    .toArray();
}

/** The jobs that wait until this one has ended. */
export async function jobsAwaiting(scope: Scope, jobId: string): Promise<JobRecord[]> {
  const found = await collection(scope, 'jobs')
    .find({ awaits: { $eq: jobId } }, within(scope))
    .toArray();
  return found.filter(({ status }) => status === 'waiting');
}

/** Ends the pause of a waiting job; false when it has been changed meanwhile. */
export async function hasten(scope: Scope, { _id, lock }: JobRecord, now: Date): Promise<boolean> {
  const { modifiedCount } = await collection(scope, 'jobs').updateOne(
    { _id, lock, status: 'waiting' },
    { $set: { availableAt: now, awaits: [] }, $inc: { lock: 1 } },
    within(scope),
  );
  return modifiedCount === 1;
}

/** Whether a job waits or runs. */
export function isUnfinished({ status }: Pick<JobRecord, 'status'>): boolean {
  return UNFINISHED.includes(status);
}

/** The jobs of all drafts and versions of a document that wait or run. */
export function unfinishedJobsOfDocument(scope: Scope, documentId: string): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find({ documentId: { $eq: documentId }, status: { $in: UNFINISHED } }, within(scope))
    .hint({ documentId: 1, seq: -1, _id: -1 })
    .toArray();
}

/**
 * The job that the worker who asks holds, locked: by its id, or the one it holds for a draft or version (with several, the one whose attempt, workerId and
 * input are named). Refuses with `lease_lost` when it once held such a job, else with `not_your_job`.
 */
export async function requireHeldJob(
  work: Write,
  said: {
    jobId?: string | null;
    versionId?: string | null;
    attempt?: number | null;
    workerId?: string | null;
    inputSha256?: string | null;
  },
): Promise<JobRecord> {
  const by = holderOf(work.actor, said);
  if (said.jobId) {
    heldBy(await get(work, 'jobs', said.jobId), by);
    return lock(work, 'jobs', said.jobId);
  }

  const jobs = await collection(work, 'jobs')
    .find(
      { versionId: { $eq: String(said.versionId) }, $or: [{ tokenId: by.tokenId }, { earlierTokenIds: by.tokenId }] },
      within(work),
    )
    .sort({ seq: -1 })
    .toArray();
  const held = jobs.filter((job) => holderRefusal(job, by) === null);
  const job = held.find(({ inputSha256 }) => inputSha256 === said.inputSha256) ?? held[0];
  if (job) return lock(work, 'jobs', job._id);
  const refused = jobs.find(({ status }) => status === 'running') ?? jobs[0];
  if (refused) heldBy(refused, by);
  return refuse('not_your_job', 'This token holds no job for that draft or version.', { versionId: said.versionId });
}

/**
 * Writes what the lifecycle decided, where the job is still as it was decided upon: in that state, attempt and hands, and if asked under the same lease.
 * Refuses with `lease_lost` when somebody was faster. Lines for its log are stored with it.
 */
export async function changeJob(
  scope: Scope,
  before: JobRecord,
  change: JobChange,
  { log = [], now, sameLease = false }: { log?: readonly string[] | null; now: Date; sameLease?: boolean },
): Promise<JobRecord> {
  const lines = fittingLines(before, log ?? []);
  const { _id, status, attempt, tokenId, leaseExpiresAt } = before;
  const weight = weightOf(before, lines);
  const after = await collection(scope, 'jobs').findOneAndUpdate(
    { _id, status, attempt, tokenId, ...(sameLease ? { leaseExpiresAt } : {}) },
    { $set: change, $inc: { lock: 1, ...weight } },
    { returnDocument: 'after', ...within(scope) },
  );
  if (!after) return refuse('lease_lost', 'The job changed hands a moment ago.', { jobId: _id, attempt });
  if (lines.length) await insertLines(scope, _id, after.logLines - weight.logLines, lines, now);
  if (!scope.session) heldJobs.keep(scope.db, [[_id, after]]);
  return after;
}

/** The chain that each of some jobs is recorded in; none for one that is not there. Those that have to be read for it are remembered like those in workers' hands. */
export async function chainsOfJobs(scope: Scope, ids: readonly string[]): Promise<string[][]> {
  const jobs = heldJobs.recall(scope.db, ids);
  const unknown = ids.filter((id) => !jobs.has(id));
  const read = unknown.length ? await findAll(scope, 'jobs', unknown) : [];
  for (const job of read) jobs.set(job._id, job);
  heldJobs.keep(
    scope.db,
    read.map((job) => [job._id, job]),
  );
  return ids.map((id) => {
    const job = jobs.get(id);
    return job ? [job.documentId] : [];
  });
}

/** Jobs are no longer as they were when it was decided what becomes of them. */
export class JobsChanged extends Error {
  override readonly name = 'JobsChanged';
}

/**
 * Writes what the lifecycle decided about some jobs with the audit records of the transaction: all of them, or none when one has been written since it was read. That ends
 * with JobsChanged; where they were recalled, the transaction runs again. Lines for their logs are stored with it.
 */
export function changeJobs(
  work: Write,
  changes: readonly { before: JobRecord; change: JobChange; log?: readonly string[] | null }[],
  { recalled = false } = {},
): JobRecord[] {
  const ids = changes.map(({ before }) => before._id);
  const orElse = () => {
    const message = `of ${changes.length} jobs, some were changed a moment ago`;
    if (!recalled) return new JobsChanged(message);
    heldJobs.doubt(work.db, ids);
    return beginAgain(message);
  };
  const changed = changes.map(({ before, change, log }) => {
    const lines = fittingLines(before, log ?? []);
    const weight = weightOf(before, lines);
    const { _id, lock, logLines, logSize } = before;
    // said as values where the filter knows what they were: the fewer operators, the less a store has to do
    const update = { $set: { ...change, lock: lock + 1 }, ...(lines.length ? { $inc: weight } : {}) };
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
      logLines: logLines + weight.logLines,
      logSize: logSize + weight.logSize,
    };
  });
  work.afterCommit(() =>
    heldJobs.keep(
      work.db,
      ids.flatMap((id, n) => (changed[n]?.status === 'running' ? [[id, changed[n]] as const] : [])),
    ),
  );
  return changed;
}

const UNFINISHED: JobStatus[] = ['waiting', 'running'];
// Said to the planner, which may prefer the many that wait to the few of a version.
const OPEN_OF_VERSION = { versionId: 1, type: 1, runId: 1 } as const;

/** The unfinished jobs for the same version, type, format and run. */
export function unfinishedLike(
  scope: Scope,
  {
    versionId,
    type,
    format = null,
    runId = null,
  }: Pick<JobRecord, 'versionId' | 'type'> & Partial<Pick<JobRecord, 'format' | 'runId'>>,
): Promise<JobRecord[]> {
  return collection(scope, 'jobs')
    .find(
      { versionId: { $eq: versionId }, type, format, runId, status: { $in: UNFINISHED, ...OPEN.status } },
      within(scope),
    )
    .hint(OPEN_OF_VERSION)
    .toArray();
}

/** Which of some jobs deliver their results also to versions that were made of the draft while they were unfinished. */
export async function awaitedElsewhere(scope: Scope, jobIds: readonly string[]): Promise<Set<string>> {
  if (!jobIds.length) return new Set();
  const versions = await collection(scope, 'versions')
    .find({ awaitsJobs: { $in: [...jobIds] } }, within(scope))
    .toArray();
  return new Set(versions.flatMap(({ awaitsJobs }) => awaitsJobs));
}

const SEQ_PER_MILLISECOND = 1024;
let lastSeq = 0;

// Milliseconds and a counter in one number (below 2^53), so that jobs of one process never share a place and rise in the order of queueing.
// Those of two processes may share one: wherever that matters, _id decides.
export function nextSeq(now: Date): number {
  lastSeq = Math.max(lastSeq + 1, now.getTime() * SEQ_PER_MILLISECOND);
  return lastSeq;
}

/** When the job with this place in the queue was queued. */
export function seqTime(seq: number): Date {
  return new Date(Math.floor(seq / SEQ_PER_MILLISECOND));
}
