// Finds the file to download and checks whether the caller may read it.
import type { Actor } from '../core/domain/access/actor.ts';
import { assertAbility, hasAbility } from '../core/domain/access/permissions.ts';
import { artifactKind } from '../core/domain/artifact-kind.ts';
import { refuse } from '../core/domain/errors.ts';
import { holderOf } from '../core/domain/jobs/job-fence.ts';
import type { Context } from '../core/graphql.ts';
import { artifactOfKind } from '../core/store/files/artifacts.ts';
import { runningJobsOfToken } from '../core/store/jobs/jobs.ts';
import { find, get } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { ArtifactRecord, JobRecord, VersionRecord } from '../core/store/schema/collections.ts';

type Input = { artifactId?: string | null; versionId?: string | null; kind?: string | null };

/**
 * Returns the record of the file to download, or null if the draft or version has no file of that kind. Throws for an
 * unknown kind. A worker can read only the inputs of jobs it holds: throws `not_your_job` for any other file, whether it
 * exists or not, and `stale_input` for an input that was replaced in the draft. The context of the job then contains a
 * version that still has the input, if there is one.
 */
export async function download(
  _parent: unknown,
  input: Input,
  { scope, request: { actor } }: Context,
): Promise<ArtifactRecord | null> {
  if (actor.role !== 'system' && !hasAbility(actor.role, 'read')) {
    assertAbility({ role: actor.role }, 'work');
    return requireJobInput(scope, actor, input);
  }
  const artifact = await findArtifact(scope, input);
  if (artifact || !input.versionId) return artifact;
  await get(scope, 'versions', input.versionId);
  artifactKind(input.kind ?? '');
  return artifact;
}

async function findArtifact(scope: Scope, { artifactId, versionId, kind }: Input): Promise<ArtifactRecord | null> {
  if (artifactId) return find(scope, 'artifacts', artifactId);
  if (versionId && kind) return artifactOfKind(scope, versionId, kind);
  return refuse('validation_failed', 'Select the file by artifactId, or by versionId and kind.', {
    errors: [{ path: '/artifactId', message: 'is required unless versionId and kind are given' }],
  });
}

async function requireJobInput(scope: Scope, actor: Actor, input: Input): Promise<ArtifactRecord> {
  const jobs = await runningJobsOfToken(scope, holderOf(actor).tokenId);
  const artifact = await findArtifact(scope, input);
  const version = artifact && (await find(scope, 'versions', artifact.versionId));
  const holders = artifact && version ? jobs.filter((job) => isInputOf(job, artifact, version)) : [];
  if (artifact && holders.some((job) => !hasOtherContent(job, artifact))) return artifact;
  // It is unknown which job a missing file belonged to: checks all held jobs.
  const candidates = artifact ? holders : jobs;
  for (const job of candidates) {
    const [kind] = job.inputKinds;
    const current = kind ? await artifactOfKind(scope, job.versionId, kind) : null;
    if (kind && (!current || hasOtherContent(job, current)))
      return refuse('stale_input', 'The input of the job has been replaced since its context was read.', {
        expectedSha256: job.inputSha256,
      });
  }
  return refuse('not_your_job', 'A worker can read only the inputs of the jobs it holds.');
}

function isInputOf(job: JobRecord, { kind, versionId }: ArtifactRecord, { awaitsJobs }: VersionRecord): boolean {
  return job.inputKinds.includes(kind) && (job.versionId === versionId || awaitsJobs.includes(job._id));
}

// The hash of a job is that of its first input kind.
function hasOtherContent({ inputKinds, inputSha256 }: JobRecord, { kind, sha256 }: ArtifactRecord): boolean {
  return inputSha256 !== null && kind === inputKinds[0] && sha256 !== inputSha256;
}
