import type { Asking } from '../core/asking.ts';
import { digestNow } from '../core/commands/freeze-references.ts';
import { queueJob } from '../core/commands/queue-job.ts';
import { useReferences } from '../core/commands/use-references.ts';
import { writableVersion } from '../core/commands/writable.ts';
import { artifactKind, assertCanStore } from '../core/domain/artifact-kind.ts';
import type { AssemblyLine } from '../core/domain/assembly/asm-references.ts';
import { isSplit, SPLIT, SPLIT_ENVIRONMENT } from '../core/domain/jobs/split.ts';
import { assertDraft } from '../core/domain/versions/lifecycle.ts';
import type { Context } from '../core/graphql.ts';
import { oneOfFew } from '../core/platform/one-of-few.ts';
import { keepStructure } from '../core/store/assembly/references.ts';
import { touchDocument } from '../core/store/documents.ts';
import { markDerivedStale, putArtifact } from '../core/store/files/artifacts.ts';
import { attachBlob } from '../core/store/files/blobs.ts';
import { change } from '../core/store/query/records.ts';
import type { ArtifactRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { lockVersion, type VersionInPlace, versionInPlace } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';
import { artifactRecord, auditStored } from './artifact-record.ts';
import type { StoredFile, UploadInput } from './upload-artifact.ts';

/**
 * Where the writes of this process that change who uses whom wait for each other: side by side they would conflict in the store and be run again and
 * again. Only the faster way; between processes the store's conflicts keep the order.
 */
export const structuresInTurn = oneOfFew(1);

/** Refuses a user's upload that could not be stored now, before its body is read. */
export async function admitFile(
  { scope, request, services }: Context,
  { versionId, kind, split }: Omit<UploadInput, 'file'>,
): Promise<void> {
  artifactKind(kind);
  await mayStoreFile(
    { ...scope, actor: request.actor, now: services.clock() },
    await versionInPlace(scope, versionId),
    kind,
    split,
  );
}

/**
 * Stores a user's file in the place of the one of its kind. A kind that an engine works on queues a job, and the files derived from
 * the one before are stale from now on.
 */
export async function attachFile(work: Work, input: StoredFile): Promise<ArtifactRecord> {
  const place = await lockVersion(work, input.versionId);

  await mayStoreFile(work, place, input.kind, input.split);

  const { artifact, replaced } = await storeInDraft(work, place, input);
  auditStored(work, place, artifact, replaced, artifact.jobId);
  return artifact;
}

/** Puts a file into a draft that is locked, and does all that follows but the audit record. */
export async function storeInDraft(
  work: Work,
  { document, version }: VersionInPlace,
  input: StoredFile,
): Promise<{ artifact: ArtifactRecord; replaced: ArtifactRecord | null }> {
  const { queues } = artifactKind(input.kind);
  await attachBlob(work, input.stored);
  const job = queues ? await queueJob(work, orderOf(input, version, queues)) : null;
  const artifact = artifactRecord(work, input, version, {
    generator: null,
    inputSha256: null,
    jobId: job?._id ?? null,
  });
  const replaced = await putArtifact(work, artifact);
  // what is to be taken apart replaces nothing yet
  const changed = replaced?.sha256 !== artifact.sha256 && !input.split;
  if (queues && changed) await markDerivedStale(work, version._id);
  const structure = input.lines && { bomDigest: await useLines(work, artifact, input.lines) };
  await change(work, 'versions', version._id, {
    updatedAt: work.now,
    ...structure,
    ...(queues && changed ? { awaitsJobs: [] } : {}),
  });
  await touchDocument(work, document._id);
  return { artifact, replaced };
}

/** Lets the draft use what its new asm.json says; answers the digest of what its job is about to assemble. */
async function useLines(work: Work, artifact: ArtifactRecord, lines: AssemblyLine[]): Promise<string | null> {
  await keepStructure(work, artifact.sha256, lines);
  await useReferences(work, artifact, [artifact]);
  return digestNow(work, lines);
}

/** Refuses a user's file of this kind there. */
export async function mayStoreFile(
  by: Asking,
  place: VersionInPlace,
  kind: string,
  split?: boolean | null,
): Promise<void> {
  if (isSplit(place.document, { kind, split })) assertDraft(place.version);
  else assertCanStore(kind, 'user', place.document, place.version);
  await writableVersion(by, place);
}

type Queued = NonNullable<ReturnType<typeof artifactKind>['queues']>;

function orderOf(
  { kind, stored, split, environment: own }: StoredFile,
  { _id, documentId }: VersionRecord,
  { type, environment }: Queued,
) {
  const order = { type, documentId, versionId: _id, inputSha256: stored.sha256, inputKinds: [kind] };
  if (split) return { ...order, format: SPLIT, environment: [...SPLIT_ENVIRONMENT] };
  return { ...order, environment: [...(own ?? environment)] };
}
