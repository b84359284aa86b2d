// Replaces the content of a draft.
import { artifactKind } from '../domain/artifact-kind.ts';
import { supersede } from '../domain/jobs/job-lifecycle.ts';
import { ASM_JSON } from '../store/assembly/references.ts';
import { insertCopies, removeArtifactsOf } from '../store/files/artifacts.ts';
import { changeJob, isUnfinished, unfinishedJobsOf } from '../store/jobs/jobs.ts';
import { change, find, findAll } from '../store/query/records.ts';
import type { ArtifactRecord, CodeRecord, JobRecord, VersionRecord } from '../store/schema/collections.ts';
import { versionsReceivingResults } from '../store/versions.ts';
import type { Work } from '../work.ts';
import { queueJob } from './queue-job.ts';
import { storeReferences } from './store-references.ts';

/** The new content of a draft: files with everything derived from them, and the jobs that will derive more. */
export type DraftContent = {
  files: ArtifactRecord[];
  awaitsJobs: string[];
  parents: string[];
  /** The parent that the content is restored from, if any. */
  restoredFromVersionId: string | null;
  /** The digest of the structure that the derived files show. */
  bomDigest: string | null;
  /** The location of the code of its generator. */
  code: CodeRecord | null;
};

/**
 * Replaces the content of a draft that the caller has locked; no bytes are moved. Supersedes waiting jobs for the
 * former content. Queues a job only for a file from which nothing has been or will be derived, and returns its id for
 * the audit record.
 */
export async function replaceDraftContent(
  work: Work,
  draft: VersionRecord,
  { files, awaitsJobs, parents, restoredFromVersionId, bomDigest, code }: DraftContent,
): Promise<{ draft: VersionRecord; jobId: string | null }> {
  const ownJobs = await unfinishedJobsOf(work, draft._id);
  // jobs of the draft itself deliver to it anyway
  const otherJobs = (await findAll(work, 'jobs', awaitsJobs)).filter(({ versionId }) => versionId !== draft._id);

  await removeArtifactsOf(work, draft._id);
  await insertCopies(work, files, { versionId: draft._id, documentId: draft.documentId });
  await storeReferences(work, { versionId: draft._id, documentId: draft.documentId }, files);
  const changed = await change(work, 'versions', draft._id, {
    awaitsJobs: otherJobs.map(({ _id }) => _id),
    parents,
    restoredFromVersionId,
    bomDigest,
    code,
    updatedAt: work.now,
  });
  for (const job of ownJobs) if (isOutdated(job, files)) await supersedeUnlessAwaited(work, draft, job);
  let jobId: string | null = null;
  if (!otherJobs.some(isUnfinished))
    for (const input of files) jobId = (await deriveIfMissing(work, input, files, draft))?._id ?? jobId;
  return { draft: changed, jobId };
}

function isOutdated({ status, runId, inputSha256, inputKinds }: JobRecord, files: readonly ArtifactRecord[]): boolean {
  if (status !== 'waiting' || runId || inputSha256 === null) return false;
  return !files.some(({ kind, sha256 }) => inputKinds.includes(kind) && sha256 === inputSha256);
}

async function supersedeUnlessAwaited(work: Work, draft: VersionRecord, job: JobRecord): Promise<void> {
  const isAwaited = (await versionsReceivingResults(work, job)).some(({ _id }) => _id !== draft._id);
  if (!isAwaited) await changeJob(work, job, supersede(job, work.now), { now: work.now });
}

async function deriveIfMissing(
  work: Work,
  { kind, sha256, size, jobId }: ArtifactRecord,
  files: readonly ArtifactRecord[],
  draft: VersionRecord,
): Promise<JobRecord | null> {
  const { queues } = artifactKind(kind);
  if (!queues || files.some(({ inputSha256 }) => inputSha256 === sha256)) return null;
  // an assembly with an asm.json is not converted again, because users may have edited it
  if (kind === 'source' && files.some((file) => file.kind === ASM_JSON)) return null;
  const { type } = queues;
  // The former job may have required a special engine for this file; keep its requirement instead of the default.
  const formerJob = jobId ? await find(work, 'jobs', jobId) : null;
  const environment = formerJob?.environment ?? queues.environment;
  return queueJob(work, {
    type,
    documentId: draft.documentId,
    versionId: draft._id,
    inputSha256: sha256,
    inputBytes: size,
    inputKinds: [kind],
    environment: [...environment],
    format: formerJob?.format ?? null,
  });
}
