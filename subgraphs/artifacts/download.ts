import { refuse } from '../core/domain/errors.ts';
import { holderOf } from '../core/domain/job-fence.ts';
import { may, permit } from '../core/domain/permissions.ts';
import type { Context } from '../core/graphql.ts';
import { artifactOfKind } from '../core/store/artifacts.ts';
import type { ArtifactRecord, JobRecord } from '../core/store/collections.ts';
import { runningJobsOf } from '../core/store/held-jobs.ts';
import { find, get } from '../core/store/records.ts';
import type { Scope } from '../core/store/scope.ts';
import type { Actor } from '../core/work.ts';

type Input = { artifactId?: string | null; versionId?: string | null; kind?: string | null };

/**
 * The record of a file that this actor may read the content of: readers any, a worker the inputs of a job it holds. Null when the draft
 * or version has no such file.
 */
export async function download(_parent: unknown, input: Input, { scope, request: { actor } }: Context): Promise<ArtifactRecord | null> {
  if (actor.role !== 'system' && !may(actor.role, 'read')) permit({ role: actor.role }, 'work');
  const artifact = await named(scope, input);
  if (artifact && actor.role === 'worker') await heldInput(scope, actor, artifact);
  return artifact;
}

async function named(scope: Scope, { artifactId, versionId, kind }: Input): Promise<ArtifactRecord | null> {
  if (artifactId) return find(scope, 'artifacts', artifactId);
  if (!versionId || !kind)
    refuse('validation_failed', 'A file is named by artifactId, or by versionId and kind.', {
      errors: [{ path: '/artifactId', message: 'or versionId and kind are required' }],
    });
  await get(scope, 'versions', versionId);
  return artifactOfKind(scope, versionId, kind);
}

async function heldInput(scope: Scope, actor: Actor, artifact: ArtifactRecord): Promise<void> {
  const jobs = await runningJobsOf(scope, holderOf(actor).tokenId);
  const { awaitsJobs } = await get(scope, 'versions', artifact.versionId);
  const isInput = ({ _id, versionId, inputKinds }: JobRecord) =>
    inputKinds.includes(artifact.kind) && (versionId === artifact.versionId || awaitsJobs.includes(_id));
  if (!jobs.some(isInput)) refuse('not_your_job', 'A worker reads only the inputs of the jobs it holds.', { artifactId: artifact._id });
}
