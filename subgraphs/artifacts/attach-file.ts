// Stores a file that a user uploaded to a draft.
import pLimit from 'p-limit';
import type { Caller } from '../core/caller.ts';
import { assertVersionWritable } from '../core/commands/assert-writable.ts';
import { currentDigest } from '../core/commands/freeze-references.ts';
import { queueJob } from '../core/commands/queue-job.ts';
import { storeReferences } from '../core/commands/store-references.ts';
import { artifactKind, assertCanStore } from '../core/domain/artifact-kind.ts';
import type { AssemblyLine } from '../core/domain/assembly/asm-references.ts';
import { SPLIT_ENVIRONMENT, SPLIT_FORMAT, validateSplit } from '../core/domain/jobs/split.ts';
import { assertDraft } from '../core/domain/versions/lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import { insertStructure } from '../core/store/assembly/references.ts';
import { touchDocument } from '../core/store/documents.ts';
import { markDerivedStale, replaceArtifact } from '../core/store/files/artifacts.ts';
import { attachBlob } from '../core/store/files/blobs.ts';
import { change } from '../core/store/query/records.ts';
import type { ArtifactRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { lockVersion, readVersionContext, type VersionContext } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';
import { artifactRecord, auditUpload } from './artifact-record.ts';
import type { StoredFile, UploadInput } from './upload-artifact.ts';

/**
 * Runs the writes of this process that change references one at a time, because concurrent ones would conflict in the
 * store and be retried. This is only an optimization: transactions also prevent conflicting writes of other processes.
 */
export const serializeStructureWrites = pLimit(1);

/** Throws if a user's upload could not be stored. Runs before its body is read. */
export async function assertCanUpload(
  { scope, request, services }: Context,
  { versionId, kind, split }: Omit<UploadInput, 'file'>,
): Promise<void> {
  artifactKind(kind);
  await assertCanStoreFile(
    { ...scope, actor: request.actor, now: services.clock() },
    await readVersionContext(scope, versionId),
    kind,
    split,
  );
}

/**
 * Stores a user's file, replacing the file of the same kind. If an engine processes this kind, queues a job and marks
 * the files derived from the replaced one as stale.
 */
export async function attachFile(work: Work, input: StoredFile): Promise<ArtifactRecord> {
  const target = await lockVersion(work, input.versionId);

  await assertCanStoreFile(work, target, input.kind, input.split);

  const { artifact, replaced } = await storeInDraft(work, target, input);
  auditUpload(work, target, artifact, replaced, artifact.jobId);
  return artifact;
}

/** Stores a file in a locked draft: queues its job, marks derived files as stale, stores references. Does not audit. */
export async function storeInDraft(
  work: Work,
  { document, version }: VersionContext,
  input: StoredFile,
): Promise<{ artifact: ArtifactRecord; replaced: ArtifactRecord | null }> {
  const { queues } = artifactKind(input.kind);
  await attachBlob(work, input.stored);
  const job = queues ? await queueJob(work, jobRequestOf(input, version, queues)) : null;
  const artifact = artifactRecord(work, input, version, {
    generator: null,
    inputSha256: null,
    jobId: job?._id ?? null,
  });
  const replaced = await replaceArtifact(work, artifact);
  // A source to be split replaces nothing until its job is done.
  const changed = replaced?.sha256 !== artifact.sha256 && !input.split;
  if (queues && changed) await markDerivedStale(work, version._id);
  const structure = input.lines && { bomDigest: await storeAssemblyLines(work, artifact, input.lines) };
  await change(work, 'versions', version._id, {
    updatedAt: work.now,
    ...structure,
    ...(queues && changed ? { awaitsJobs: [] } : {}),
  });
  await touchDocument(work, document._id);
  return { artifact, replaced };
}

/** Stores the lines of a new asm.json as the references of its draft. Returns the digest of the BOM to assemble. */
async function storeAssemblyLines(work: Work, artifact: ArtifactRecord, lines: AssemblyLine[]): Promise<string | null> {
  await insertStructure(work, artifact.sha256, lines);
  await storeReferences(work, artifact, [artifact]);
  return currentDigest(work, lines);
}

/** Throws if the user cannot store a file of this kind in this draft or version. */
export async function assertCanStoreFile(
  caller: Caller,
  target: VersionContext,
  kind: string,
  split?: boolean | null,
): Promise<void> {
  if (validateSplit(target.document, { kind, split })) assertDraft(target.version);
  else assertCanStore(kind, 'user', target.document, target.version);
  await assertVersionWritable(caller, target);
}

type QueuedJob = NonNullable<ReturnType<typeof artifactKind>['queues']>;

function jobRequestOf(
  { kind, stored, split, environment: override }: StoredFile,
  { _id, documentId }: VersionRecord,
  { type, environment }: QueuedJob,
) {
  const input = { inputSha256: stored.sha256, inputBytes: stored.size, inputKinds: [kind] };
  const request = { type, documentId, versionId: _id, ...input };
  if (split) return { ...request, format: SPLIT_FORMAT, environment: [...SPLIT_ENVIRONMENT] };
  return { ...request, environment: [...(override ?? environment)] };
}
