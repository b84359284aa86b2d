import { artifactKind, assertCanStore } from '../core/domain/artifact-kind.ts';
import { refuse } from '../core/domain/errors.ts';
import { resultTargets } from '../core/domain/jobs/result-targets.ts';
import { assertWritablePlace } from '../core/domain/versions/lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import { artifactsOfKind, putArtifact } from '../core/store/files/artifacts.ts';
import { attachBlob } from '../core/store/files/blobs.ts';
import { requireHeldJob } from '../core/store/jobs/jobs.ts';
import { findAll } from '../core/store/query/records.ts';
import type { ArtifactRecord, JobRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { lockVersion, type VersionInPlace, versionInPlace, versionsAwaiting } from '../core/store/versions.ts';
import { inTransaction, type Work } from '../core/work.ts';
import { artifactRecord, auditStored } from './artifact-record.ts';
import type { StoredFile, UploadInput } from './upload-artifact.ts';

type Result = Omit<UploadInput, 'file'>;

/** Refuses a worker's upload that could not be stored now, before its body is read. */
export async function admitResult({ services, request }: Context, result: Result): Promise<void> {
  artifactKind(result.kind);
  madeFrom(result);
  await inTransaction(services, { ...request, once: undefined, seen: undefined }, admit, result);
}

async function admit(work: Work, result: Result): Promise<void> {
  await targetsOf(work, result);
  work.unchanged();
}

/**
 * Stores what a worker made, for the job it holds: in the draft the job was queued for, as long as its input is the one the result was
 * made from, and in every version made meanwhile of that input; not in what is archived. Refuses with `stale_input` when there is no such
 * place left, and with `document_archived` or `workspace_archived` when only archived ones are. Not a change by a person: the document
 * keeps its `updatedAt`, and a reservation does not stand in the way.
 */
export async function attachResult(work: Work, input: StoredFile): Promise<ArtifactRecord> {
  const { job, targets } = await targetsOf(work, input);

  await attachBlob(work, input.stored);
  const stored: ArtifactRecord[] = [];
  for (const target of targets) {
    const place = await lockVersion(work, target._id);
    const artifact = artifactRecord(work, input, target, { ...madeFrom(input), jobId: job._id });
    const replaced = await putArtifact(work, artifact);
    auditStored(work, place, artifact, replaced, job._id, job.queuedBy);
    stored.push(artifact);
  }
  return stored.find(({ versionId }) => versionId === input.versionId) ?? stored[0]!;
}

async function targetsOf(work: Work, result: Result): Promise<{ job: JobRecord; targets: VersionRecord[] }> {
  const { document, workspace, version } = await versionInPlace(work, result.versionId);
  // first whose job it is: a worker that holds none learns nothing of the document
  const job = await requireHeldJob(work, result);
  assertCanStore(result.kind, 'worker', document, version);
  const candidates = await versionsAwaiting(work, job);
  const ids = candidates.map(({ _id }) => _id);
  const inputs = job.inputKinds[0] ? await artifactsOfKind(work, ids, job.inputKinds[0]) : [];
  const { inputSha256: fromSha256 } = madeFrom(result);
  const current = resultTargets(candidates, inputs, { fromSha256, forVersionId: job.versionId });
  return { job, targets: await writableTargets(work, current, { document, workspace }) };
}

/** Those of some drafts and versions that are not archived. Where all are, refuses in the words of the job's own place. */
async function writableTargets(
  work: Work,
  targets: VersionRecord[],
  own: Pick<VersionInPlace, 'document' | 'workspace'>,
): Promise<VersionRecord[]> {
  const live = async (name: 'documents' | 'workspaces', ids: string[]) =>
    new Set((await findAll(work, name, ids)).filter(({ archived }) => !archived).map(({ _id }) => _id));
  const documents = await live(
    'documents',
    targets.map(({ documentId }) => documentId),
  );
  const workspaces = await live(
    'workspaces',
    targets.map(({ workspaceId }) => workspaceId),
  );
  const writable = targets.filter(
    ({ documentId, workspaceId }) => documents.has(documentId) && workspaces.has(workspaceId),
  );
  if (writable.length || !targets[0]) return writable;
  assertWritablePlace(own);
  // its own place is not archived, but has moved on
  assertWritablePlace(await versionInPlace(work, targets[0]._id));
  return writable;
}

/** What made a result and from which input, as its sender says. Refuses with `validation_failed` when one of the two is missing. */
function madeFrom({ generator, inputSha256 }: Result): { generator: string; inputSha256: string } {
  const sha256 = inputSha256?.trim().toLowerCase() ?? '';
  const maker = generator?.trim().slice(0, 200) ?? '';
  const errors = [
    ...(maker
      ? []
      : [{ path: '/X-Generator', message: 'X-Generator is required: what made the result, e.g. pdm-occt/1.0.0' }]),
    ...(/^[0-9a-f]{64}$/.test(sha256)
      ? []
      : [{ path: '/X-Input-Sha256', message: 'X-Input-Sha256 is required: the SHA-256 (hex) of the input' }]),
  ];
  if (errors.length)
    refuse('validation_failed', `A result says what made it. ${errors.map(({ message }) => message).join('; ')}.`, {
      errors,
    });
  return { generator: maker, inputSha256: sha256 };
}
