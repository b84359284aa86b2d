import type { Actor } from '../core/domain/access/actor.ts';
import { hasAbility, assertAbility } from '../core/domain/access/permissions.ts';
import { artifactKind } from '../core/domain/artifact-kind.ts';
import { refuse } from '../core/domain/errors.ts';
import { holderOf } from '../core/domain/jobs/job-fence.ts';
import type { Context } from '../core/graphql.ts';
import { artifactOfKind } from '../core/store/files/artifacts.ts';
import { runningJobsOf } from '../core/store/jobs/held-jobs.ts';
import { find, get } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { ArtifactRecord, JobRecord, VersionRecord } from '../core/store/schema/collections.ts';

type Input = { artifactId?: string | null; versionId?: string | null; kind?: string | null };

/**
 * The record of a file that this actor may read the content of: readers any, and null when the draft or version has no such file (a kind
 * that there is not is refused); a worker the inputs of the jobs it holds, and of all others it does not even learn whether they are there (`not_your_job`). When the draft of such
 * a job no longer holds the input, `stale_input`: the context says whether a version still does.
 */
export async function download(
  _parent: unknown,
  input: Input,
  { scope, request: { actor } }: Context,
): Promise<ArtifactRecord | null> {
  if (actor.role !== 'system' && !hasAbility(actor.role, 'read')) {
    assertAbility({ role: actor.role }, 'work');
    return heldInput(scope, actor, input);
  }
  const artifact = await named(scope, input);
  if (artifact || !input.versionId) return artifact;
  await get(scope, 'versions', input.versionId);
  artifactKind(input.kind ?? '');
  return artifact;
}

async function named(scope: Scope, { artifactId, versionId, kind }: Input): Promise<ArtifactRecord | null> {
  if (artifactId) return find(scope, 'artifacts', artifactId);
  if (versionId && kind) return artifactOfKind(scope, versionId, kind);
  return refuse('validation_failed', 'A file is named by artifactId, or by versionId and kind.', {
    errors: [{ path: '/artifactId', message: 'or versionId and kind are required' }],
  });
}

async function heldInput(scope: Scope, actor: Actor, input: Input): Promise<ArtifactRecord> {
  const jobs = await runningJobsOf(scope, holderOf(actor).tokenId);
  const artifact = await named(scope, input);
  const version = artifact && (await find(scope, 'versions', artifact.versionId));
  const holders = artifact && version ? jobs.filter((job) => isInputOf(job, artifact, version)) : [];
  if (artifact && holders.some((job) => !isOther(job, artifact))) return artifact;
  // a file that is gone no longer tells whose input it was
  const suspects = artifact ? holders : jobs;
  for (const job of suspects) {
    const [kind] = job.inputKinds;
    const present = kind ? await artifactOfKind(scope, job.versionId, kind) : null;
    if (kind && (!present || isOther(job, present)))
      return refuse('stale_input', 'The input of the job has been replaced since its context was read.', {
        expectedSha256: job.inputSha256,
      });
  }
  return refuse('not_your_job', 'A worker reads only the inputs of the jobs it holds.');
}

function isInputOf(job: JobRecord, { kind, versionId }: ArtifactRecord, { awaitsJobs }: VersionRecord): boolean {
  return job.inputKinds.includes(kind) && (job.versionId === versionId || awaitsJobs.includes(job._id));
}

// The hash of a job is that of its first kind of input.
function isOther({ inputKinds, inputSha256 }: JobRecord, { kind, sha256 }: ArtifactRecord): boolean {
  return inputSha256 !== null && kind === inputKinds[0] && sha256 !== inputSha256;
}
