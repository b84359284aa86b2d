import { refuse } from '../../domain/errors.ts';
import { artifactsOf } from '../files/artifacts.ts';
import type { Scope } from '../query/scope.ts';
import type { ArtifactRecord, JobRecord, JobType } from '../schema/collections.ts';
import { versionsAwaiting } from '../versions.ts';

/** The kind of file whose hash is the job's input. */
const INPUT: Partial<Record<JobType, string>> = {
  convert: 'source',
  assemble: 'asm-json',
  export: 'asm-json',
  run: 'code',
};

/**
 * The files that a job works on. When the draft it was queued for has moved on, they are those of a version that still waits for this job;
 * without one the job is in vain, and the answer is `stale_input`.
 */
export async function inputsOf(scope: Scope, job: JobRecord): Promise<ArtifactRecord[]> {
  const awaiting = (await versionsAwaiting(scope, job)).map(({ _id }) => _id);
  const holders = [job.versionId, ...awaiting.filter((id) => id !== job.versionId)];
  for (const versionId of holders) {
    const files = (await artifactsOf(scope, versionId)).filter(({ kind }) => job.inputKinds.includes(kind));
    if (isInputOf(job, files)) return files;
  }
  return refuse(
    'stale_input',
    'The input of the job has been replaced since it was queued, and no version waits for its result.',
    {
      expectedSha256: job.inputSha256,
    },
  );
}

function isInputOf({ type, inputSha256 }: JobRecord, files: ArtifactRecord[]): boolean {
  const kind = INPUT[type];
  return !kind || !inputSha256 || files.some((file) => file.kind === kind && file.sha256 === inputSha256);
}
