// Pauses a job that needs the results of other jobs, and ends the pause when the last of these jobs has ended.
import { referencesOf, referencesOfAll } from '../core/store/assembly/references.ts';
import { inChunks, resolveReferences } from '../core/store/assembly/resolve-references.ts';
import { isUnfinished, jobsAwaiting, makeAvailable } from '../core/store/jobs/jobs.ts';
import { findAll } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import type { Services } from '../core/work.ts';

// The awaited jobs are the last ones in the queue: when they have ended, the others nearly always have. If a result is
// still missing then, the job waits again.
const MAX_AWAITED = 16;

/** Returns the ids of the last unfinished conversions in the queue whose results an assembly needs, at any depth. */
export async function findAwaitedConversions(
  scope: Scope,
  { versionId }: Pick<JobRecord, 'versionId'>,
): Promise<string[]> {
  const lines = await referencesOf(scope, versionId);
  const resolved = await resolveReferences(
    scope,
    lines.filter(({ frozen }) => !frozen),
  );
  const used = lines.flatMap(({ frozen }) => frozen?.versionId ?? []);
  let level = new Set([...used, ...[...resolved.values()].flatMap(({ version }) => version?._id ?? [])]);
  const visited = new Set<string>();
  const jobIds = new Set<string>();
  while (level.size) {
    for (const id of level) visited.add(id);
    const versions = await inChunks([...level], (chunk) => findAll(scope, 'versions', chunk));
    for (const { awaitsJobs } of versions) for (const id of awaitsJobs) jobIds.add(id);
    const below = await referencesOfAll(scope, [...level]);
    level = new Set(below.flatMap(({ frozen }) => (frozen && !visited.has(frozen.versionId) ? frozen.versionId : [])));
  }
  const jobs = (await inChunks([...jobIds], (chunk) => findAll(scope, 'jobs', chunk))).filter(
    (job) => job.type === 'convert' && isUnfinished(job),
  );
  return jobs
    .sort((a, b) => b.seq - a.seq)
    .slice(0, MAX_AWAITED)
    .map(({ _id }) => _id);
}

/**
 * Ends the pause of the jobs that await the ended job, if all other jobs they await have ended. Call it after the
 * commit that ended the job: if several jobs end concurrently, the last call then sees all of them ended. A missed call
 * only delays a job by the rest of its pause. Not audited, because only the time of the next attempt changes.
 */
export async function wakeWaitingJobs(services: Services, endedJobId: string): Promise<void> {
  const scope = { db: services.mongo.db };
  for (const job of await jobsAwaiting(scope, endedJobId)) await wakeIfConverted(services, job);
}

/** Ends the pause of a job if all jobs it awaits have ended, which may happen while it is being paused. */
export async function wakeIfConverted(services: Services, job: JobRecord): Promise<void> {
  const { awaits = [], _id, type, attempt } = job;
  const scope = { db: services.mongo.db };
  if ((await findAll(scope, 'jobs', awaits)).some(isUnfinished)) return;
  // The key must differ from that of the notification at the start of the pause, or this one would be dropped as a
  // duplicate.
  if (await makeAvailable(scope, job, services.clock()))
    services.dispatch.notify(type, `${_id}:${attempt}:converted`, job);
}
