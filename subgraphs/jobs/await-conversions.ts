// A job that needs files other jobs are making waits out a pause; when the last of these jobs has ended, the pause ends too.

import { referencesOf, referencesOfAll } from '../core/store/assembly/references.ts';
import { inChunks, resolveReferences } from '../core/store/assembly/resolve-references.ts';
import { hasten, isUnfinished, jobsAwaiting } from '../core/store/jobs/jobs.ts';
import { findAll } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';
import type { Services } from '../core/work.ts';

// Of many, those that come last in the queue: when they have ended, the others nearly always have. What is still missing then is waited for anew.
const MOST_AWAITED = 16;

/** The unfinished conversions whose results an assembly's draft or version needs, at every depth: the last ones in the queue. */
export async function awaitedConversions(scope: Scope, { versionId }: Pick<JobRecord, 'versionId'>): Promise<string[]> {
  const lines = await referencesOf(scope, versionId);
  const meant = await resolveReferences(
    scope,
    lines.filter(({ frozen }) => !frozen),
  );
  const used = lines.flatMap(({ frozen }) => frozen?.versionId ?? []);
  let level = new Set([...used, ...[...meant.values()].flatMap(({ version }) => version?._id ?? [])]);
  const seen = new Set<string>();
  const jobIds = new Set<string>();
  while (level.size) {
    for (const id of level) seen.add(id);
    const versions = await inChunks([...level], (some) => findAll(scope, 'versions', some));
    for (const { awaitsJobs } of versions) for (const id of awaitsJobs) jobIds.add(id);
    const below = await referencesOfAll(scope, [...level]);
    level = new Set(below.flatMap(({ frozen }) => (frozen && !seen.has(frozen.versionId) ? frozen.versionId : [])));
  }
  const jobs = (await inChunks([...jobIds], (some) => findAll(scope, 'jobs', some))).filter(
    (job) => job.type === 'convert' && isUnfinished(job),
  );
  return jobs
    .sort((a, b) => b.seq - a.seq)
    .slice(0, MOST_AWAITED)
    .map(({ _id }) => _id);
}

/**
 * Hands out at once what waits for jobs that have ended, if nothing else is awaited. Run after the commit of an end: of several at the same moment the last one sees all.
 * A wake that is missed only costs the rest of the pause. Not audited: nothing but the time of the next look changes.
 */
export async function wakeAwaiting(services: Services, awaited: string): Promise<void> {
  const scope = { db: services.mongo.db };
  for (const job of await jobsAwaiting(scope, awaited)) await wakeIfMade(services, job);
}

/** The same for a job that has just begun to wait, because what it waits for may have ended meanwhile. */
export async function wakeIfMade(services: Services, job: JobRecord): Promise<void> {
  const { awaits = [], _id, type, attempt } = job;
  const scope = { db: services.mongo.db };
  if ((await findAll(scope, 'jobs', awaits)).some(isUnfinished)) return;
  // another key than that of the ring when it began to wait, or it would be taken for a repetition
  if (await hasten(scope, job, services.clock())) services.dispatch.ring(type, `${_id}:${attempt}:made`);
}
