// Deletes a file from a draft.

import { assertDraftWritable } from '../core/commands/assert-writable.ts';
import { storeReferences } from '../core/commands/store-references.ts';
import { assertRemovable } from '../core/domain/artifact-kind.ts';
import { notFound } from '../core/domain/errors.ts';
import { supersede } from '../core/domain/jobs/job-lifecycle.ts';
import { describeDraftOrVersion } from '../core/domain/versions/describe-draft-or-version.ts';
import { assertDraft } from '../core/domain/versions/lifecycle.ts';
import { ASM_JSON } from '../core/store/assembly/references.ts';
import { touchDocument } from '../core/store/documents.ts';
import { artifactOfKind, markDerivedStale } from '../core/store/files/artifacts.ts';
import { changeJob, unfinishedJobsOf } from '../core/store/jobs/jobs.ts';
import { change, remove } from '../core/store/query/records.ts';
import { lockVersion, type VersionContext, versionsReceivingResults } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';
import { auditFields } from './artifact-record.ts';

type Input = { versionId: string; kind: string };

/**
 * Deletes a file from a draft. If an engine processes this kind, the files derived from it become stale, and a waiting
 * job for it is cancelled unless a version created meanwhile awaits its results.
 */
export async function deleteArtifact(work: Work, { versionId, kind }: Input): Promise<boolean> {
  const target = await lockVersion(work, versionId);
  const { document, workspace, version } = target;
  const artifact = await artifactOfKind(work, versionId, kind);

  const { queues } = assertRemovable(kind);
  assertDraft(version);
  await assertDraftWritable(work, target);
  if (!artifact) throw notFound(`${kind} file in draft`, versionId);

  await remove(work, 'artifacts', artifact._id);
  if (queues) await invalidateResults(work, target, kind);
  if (kind === ASM_JSON) await storeReferences(work, { documentId: document._id, versionId }, []);
  await change(work, 'versions', versionId, { updatedAt: work.now });
  await touchDocument(work, document._id);
  work.audit({
    action: 'artifact.deleted',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId,
    summary: `File "${artifact.fileName}" (${kind}) was deleted from ${describeDraftOrVersion(target)}.`,
    changes: { [kind]: { from: auditFields(artifact), to: null } },
  });
  return true;
}

async function invalidateResults(
  work: Work,
  { document, version: { _id: versionId } }: VersionContext,
  kind: string,
): Promise<void> {
  // The derived files of a split STEP assembly come from its asm.json, not from its source.
  if (kind !== 'source' || document.kind !== 'assembly') {
    await markDerivedStale(work, versionId);
    await change(work, 'versions', versionId, { awaitsJobs: [] });
  }
  for (const job of await unfinishedJobsOf(work, versionId)) {
    if (job.status !== 'waiting' || !job.inputKinds.includes(kind)) continue;
    const isAwaitedElsewhere = (await versionsReceivingResults(work, job)).some(({ _id }) => _id !== versionId);
    if (!isAwaitedElsewhere) await changeJob(work, job, supersede(job, work.now), { now: work.now });
  }
}
