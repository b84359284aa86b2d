// Stores a file that a worker derived for the job it holds.
import { artifactKind, assertCanStore } from '../core/domain/artifact-kind.ts';
import { type FieldError, refuse } from '../core/domain/errors.ts';
import { findResultTargets } from '../core/domain/jobs/result-targets.ts';
import { assertNotArchived } from '../core/domain/versions/lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import { artifactsOfKind, replaceArtifact } from '../core/store/files/artifacts.ts';
import { attachBlob } from '../core/store/files/blobs.ts';
import { requireHeldJob } from '../core/store/jobs/jobs.ts';
import { findAll } from '../core/store/query/records.ts';
import type { ArtifactRecord, JobRecord, VersionRecord } from '../core/store/schema/collections.ts';
import {
  lockVersion,
  readVersionContext,
  type VersionContext,
  versionsReceivingResults,
} from '../core/store/versions.ts';
import { inTransaction, type Work } from '../core/work.ts';
import { artifactRecord, auditUpload } from './artifact-record.ts';
import type { StoredFile, UploadInput } from './upload-artifact.ts';

type Result = Omit<UploadInput, 'file'>;

/** Throws if a worker's upload could not be stored. Runs before its body is read. */
export async function assertCanUploadResult({ services, request }: Context, result: Result): Promise<void> {
  artifactKind(result.kind);
  requireOrigin(result);
  await inTransaction(services, { ...request, idempotency: undefined, expected: undefined }, checkResult, result);
}

async function checkResult(work: Work, result: Result): Promise<void> {
  await findTargets(work, result);
  work.unchanged();
}

/**
 * Stores a worker's result for the job it holds: in the draft that the job was queued for, if its input is unchanged,
 * and in every version that was created from that input meanwhile, except archived ones. Throws `stale_input` if there
 * is no such draft or version, and `document_archived` or `workspace_archived` if all of them are archived. The
 * document keeps its `updatedAt` and reservations do not apply, because no user changed the draft.
 */
export async function attachResult(work: Work, input: StoredFile): Promise<ArtifactRecord> {
  const { job, targets } = await findTargets(work, input);

  await attachBlob(work, input.stored);
  const stored: ArtifactRecord[] = [];
  for (const target of targets) {
    const context = await lockVersion(work, target._id);
    const artifact = artifactRecord(work, input, target, { ...requireOrigin(input), jobId: job._id });
    const replaced = await replaceArtifact(work, artifact);
    auditUpload(work, context, artifact, replaced, job._id, job.queuedBy);
    stored.push(artifact);
  }
  return stored.find(({ versionId }) => versionId === input.versionId) ?? stored[0]!;
}

async function findTargets(work: Work, result: Result): Promise<{ job: JobRecord; targets: VersionRecord[] }> {
  const { document, workspace, version } = await readVersionContext(work, result.versionId);
  // Checks the job first, so that a worker that does not hold the job learns nothing about the document.
  const job = await requireHeldJob(work, result);
  assertCanStore(result.kind, 'worker', document, version);
  const candidates = await versionsReceivingResults(work, job);
  const ids = candidates.map(({ _id }) => _id);
  const inputs = job.inputKinds[0] ? await artifactsOfKind(work, ids, job.inputKinds[0]) : [];
  const { inputSha256: fromSha256 } = requireOrigin(result);
  const current = findResultTargets(candidates, inputs, { fromSha256, forVersionId: job.versionId });
  return { job, targets: await filterWritable(work, current, { document, workspace }) };
}

/** Returns the targets that are not archived. If all are, throws, preferably the error for the draft of the job. */
async function filterWritable(
  work: Work,
  targets: VersionRecord[],
  jobContext: Pick<VersionContext, 'document' | 'workspace'>,
): Promise<VersionRecord[]> {
  const activeIds = async (name: 'documents' | 'workspaces', ids: string[]) =>
    new Set((await findAll(work, name, ids)).filter(({ archived }) => !archived).map(({ _id }) => _id));
  const documents = await activeIds(
    'documents',
    targets.map(({ documentId }) => documentId),
  );
  const workspaces = await activeIds(
    'workspaces',
    targets.map(({ workspaceId }) => workspaceId),
  );
  const writable = targets.filter(
    ({ documentId, workspaceId }) => documents.has(documentId) && workspaces.has(workspaceId),
  );
  if (writable.length || !targets[0]) return writable;
  assertNotArchived(jobContext);
  // The workspace of the job is not archived, but its draft has changed: throws for an archived target instead.
  assertNotArchived(await readVersionContext(work, targets[0]._id));
  return writable;
}

/** Returns the generator and the input hash of a result. Throws `validation_failed` if either is missing. */
function requireOrigin({ generator, inputSha256 }: Result): { generator: string; inputSha256: string } {
  const sha256 = inputSha256?.trim().toLowerCase() ?? '';
  const name = generator?.trim().slice(0, 200) ?? '';
  const errors: FieldError[] = [];
  if (!name)
    errors.push({ path: '/X-Generator', message: 'X-Generator is required: name and version, e.g. pdm-occt/1.0.0' });
  if (!/^[0-9a-f]{64}$/.test(sha256))
    errors.push({ path: '/X-Input-Sha256', message: 'X-Input-Sha256 is required: the SHA-256 of the input in hex' });
  if (errors.length)
    refuse(
      'validation_failed',
      `The origin of the result is missing. ${errors.map(({ message }) => message).join('; ')}.`,
      {
        errors,
      },
    );
  return { generator: name, inputSha256: sha256 };
}
