import { refuse } from '../core/domain/errors.ts';
import { holderOf } from '../core/domain/job-fence.ts';
import { heldBy } from '../core/domain/job-lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import { artifactsOf } from '../core/store/artifacts.ts';
import type { ArtifactRecord, DocumentRecord, JobRecord, JobType, VersionRecord } from '../core/store/collections.ts';
import { find, get } from '../core/store/records.ts';
import type { Scope } from '../core/store/scope.ts';
import { versionsAwaiting } from '../core/store/versions.ts';

export type JobContext = { job: JobRecord; document: DocumentRecord; version: VersionRecord; files: ArtifactRecord[]; params: unknown };

/** The kind of file whose hash is the job's input; jobs of the other types are made from more than one file. */
const INPUT: Partial<Record<JobType, string>> = { convert: 'source', assemble: 'asm-json' };

/**
 * What the worker that holds the job needs: the document, the draft or version, and the input files. When the draft has moved on, the files are those
 * of a version that still waits for this job; without one the job is in vain, and the answer is `stale_input`.
 */
export async function jobContext({ scope, request }: Context, { id }: { id: string }): Promise<JobContext | null> {
  const job = await find(scope, 'jobs', id);
  if (!job) return null;

  const { tokenId } = holderOf(request.actor);
  heldBy(job, { tokenId, attempt: job.attempt });

  const [document, version, files] = await Promise.all([
    get(scope, 'documents', job.documentId),
    get(scope, 'versions', job.versionId),
    inputFiles(scope, job),
  ]);
  return { job, document, version, files, params: null };
}

async function inputFiles(scope: Scope, job: JobRecord): Promise<ArtifactRecord[]> {
  const awaiting = (await versionsAwaiting(scope, job)).map(({ _id }) => _id);
  const holders = [job.versionId, ...awaiting.filter((id) => id !== job.versionId)];
  for (const versionId of holders) {
    const files = (await artifactsOf(scope, versionId)).filter(({ kind }) => job.inputKinds.includes(kind));
    if (isInputOf(job, files)) return files;
  }
  return refuse('stale_input', 'The input of the job has been replaced since it was queued, and no version waits for its result.', {
    expectedSha256: job.inputSha256,
  });
}

function isInputOf({ type, inputSha256 }: JobRecord, files: ArtifactRecord[]): boolean {
  const kind = INPUT[type];
  return !kind || !inputSha256 || files.some((file) => file.kind === kind && file.sha256 === inputSha256);
}
