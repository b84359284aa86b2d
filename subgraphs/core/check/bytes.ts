import { errorMessage } from '../domain/text/error-message.ts';
import { openBlob } from '../store/files/blobs.ts';
import { chunksWithoutFile, fileLengths, unownedFiles } from '../store/files/stored-bytes.ts';
import { findAll } from '../store/query/records.ts';
import { scanCollection } from '../store/query/scan.ts';
import type { Scope } from '../store/query/scope.ts';
import type { ArtifactRecord, BlobRecord } from '../store/schema/collections.ts';
import type { CheckOptions, Violation } from './invariant.ts';

/**
 * Checks that files, contents and bytes belong together and have the recorded lengths; with `readData` also the hashes.
 */
export async function* checkBytes(scope: Scope, { readData }: CheckOptions): AsyncGenerator<Violation> {
  for await (const artifacts of scanCollection(scope, 'artifacts')) yield* contentViolations(scope, artifacts);
  for await (const backups of scanCollection(scope, 'draftBackups'))
    yield* contentViolations(
      scope,
      backups.flatMap(({ artifacts }) => artifacts),
    );
  for await (const blobs of scanCollection(scope, 'blobs')) {
    const lengths = await fileLengths(
      scope,
      blobs.map(({ fileId }) => fileId),
    );
    for (const blob of blobs) yield* byteViolations(scope, blob, lengths.get(blob.fileId.toHexString()), readData);
  }
  for await (const id of unownedFiles(scope))
    yield { invariant: 'I11', id, message: `Stored file ${id} belongs to no content and to no upload.` };
  if (!readData) return;
  for await (const id of chunksWithoutFile(scope))
    yield { invariant: 'I11', id, message: `Chunks of ${id} belong to no stored file and to no upload.` };
}

async function* contentViolations(scope: Scope, artifacts: readonly ArtifactRecord[]): AsyncGenerator<Violation> {
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
    if (!blob) yield { invariant: 'I11', id: _id, message: `File ${_id} has no content: ${sha256} is missing.` };
    else if (blob.size !== size)
      yield { invariant: 'I10', id: _id, message: `File ${_id} has ${size} bytes, but its content has ${blob.size}.` };
  }
}

async function* byteViolations(
  scope: Scope,
  { _id, size }: BlobRecord,
  length: number | undefined,
  readData: boolean,
): AsyncGenerator<Violation> {
  if (length === undefined) yield { invariant: 'I11', id: _id, message: `Content ${_id} has no bytes.` };
  else if (length !== size)
    yield {
      invariant: 'I10',
      id: _id,
      message: `Content ${_id} has ${size} bytes, but its stored file has ${length}.`,
    };
  else if (readData) {
    const damage = await damageIn(scope, _id);
    if (damage) yield { invariant: 'I10', id: _id, message: damage };
  }
}

// The stream fails if length or SHA-256 differ.
async function damageIn(scope: Scope, sha256: string): Promise<string | null> {
  try {
    for await (const _chunk of await openBlob(scope, sha256));
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}
