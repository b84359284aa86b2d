// The input files of jobs.
import { refuse } from '../../domain/errors.ts';
import { artifactsOf } from '../files/artifacts.ts';
import type { Scope } from '../query/scope.ts';
import type { ArtifactRecord, JobRecord } from '../schema/collections.ts';
import { versionsReceivingResults } from '../versions.ts';

/**
 * Returns the files that a job works on. If the draft it was queued for has changed, they are those of a version that
 * waits for this job. Throws `stale_input` if there is none.
 */
export async function inputsOf(scope: Scope, job: JobRecord): Promise<ArtifactRecord[]> {
  const awaiting = (await versionsReceivingResults(scope, job)).map(({ _id }) => _id);
  const versionIds = [job.versionId, ...awaiting.filter((id) => id !== job.versionId)];
  for (const versionId of versionIds) {
    const files = (await artifactsOf(scope, versionId)).filter(({ kind }) => job.inputKinds.includes(kind));
    if (isInputOf(job, files)) return files;
  }
  return refuse(
    'stale_input',
    'The input of the job has been replaced since it was queued, and no version needs its result.',
    { expectedSha256: job.inputSha256 },
  );
}

// The hash of a job is that of its first input kind.
function isInputOf({ inputKinds: [kind], inputSha256 }: JobRecord, files: ArtifactRecord[]): boolean {
  return !kind || !inputSha256 || files.some((file) => file.kind === kind && file.sha256 === inputSha256);
}
