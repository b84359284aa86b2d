import { openBlob } from '../store/files/blobs.ts';
import { chunksWithoutFile, lengthsOf, ownerlessFiles } from '../store/files/stored-bytes.ts';
import { findAll } from '../store/query/records.ts';
import type { Scope } from '../store/query/scope.ts';
import { everyRecord } from '../store/query/whole-collections.ts';
import type { ArtifactRecord, BlobRecord } from '../store/schema/collections.ts';
import type { CheckOptions, Violation } from './invariant.ts';

/** Every file has a content that is as long as it says, every content its bytes, and no bytes lie about. Reads the bytes when asked to. */
export async function* checkBytes(scope: Scope, { readData }: CheckOptions): AsyncGenerator<Violation> {
  for await (const artifacts of everyRecord(scope, 'artifacts')) yield* contentsOf(scope, artifacts);
  for await (const kept of everyRecord(scope, 'draftBackups'))
    yield* contentsOf(
      scope,
      kept.flatMap(({ artifacts }) => artifacts),
    );
  for await (const blobs of everyRecord(scope, 'blobs')) {
    const lengths = await lengthsOf(
      scope,
      blobs.map(({ fileId }) => fileId),
    );
    for (const blob of blobs) yield* bytesOf(scope, blob, lengths.get(blob.fileId.toHexString()), readData);
  }
  for await (const id of ownerlessFiles(scope))
    yield { invariant: 'I11', id, message: `The bytes ${id} belong to no content and to no upload.` };
  if (!readData) return;
  for await (const id of chunksWithoutFile(scope))
    yield { invariant: 'I11', id, message: `Chunks of ${id} belong to no file and to no upload.` };
}

async function* contentsOf(scope: Scope, artifacts: readonly ArtifactRecord[]): AsyncGenerator<Violation> {
  const blobs = new Map(
    (
      await findAll(
        scope,
        'blobs',
        artifacts.map(({ sha256 }) => sha256),
      )
    ).map((blob) => [blob._id, blob]),
  );
  for (const { _id, sha256, size } of artifacts) {
    const blob = blobs.get(sha256);
    if (!blob)
      yield { invariant: 'I11', id: _id, message: `File ${_id} has no content: ${sha256} is not in the store.` };
    else if (blob.size !== size)
      yield { invariant: 'I10', id: _id, message: `File ${_id} has ${size} bytes, its content ${blob.size}.` };
  }
}

async function* bytesOf(
  scope: Scope,
  { _id, size }: BlobRecord,
  length: number | undefined,
  readData: boolean,
): AsyncGenerator<Violation> {
  if (length === undefined) yield { invariant: 'I11', id: _id, message: `The content ${_id} has no bytes.` };
  else if (length !== size)
    yield { invariant: 'I10', id: _id, message: `The content ${_id} has ${size} bytes, its file ${length}.` };
  else if (readData) {
    const damage = await damageOf(scope, _id);
    if (damage) yield { invariant: 'I10', id: _id, message: damage };
  }
}

// Reading compares length and SHA-256 and fails when they differ.
async function damageOf(scope: Scope, sha256: string): Promise<string | null> {
  try {
    for await (const _chunk of await openBlob(scope, sha256));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
