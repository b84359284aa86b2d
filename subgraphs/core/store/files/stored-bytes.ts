// Reads the stored bytes in GridFS for the store check.
import type { ObjectId } from 'mongodb';
import { inBatches } from '../query/scan.ts';
import { collection, type Scope } from '../query/scope.ts';

/** Returns the recorded lengths of GridFS files by the hex of their ids, without unknown ids. */
export async function fileLengths({ db }: Scope, fileIds: readonly ObjectId[]): Promise<Map<string, number>> {
  const found = await db
    .collection('files.files')
    .find({ _id: { $in: [...fileIds] } }, { projection: { length: 1 } })
    .toArray();
  return new Map(found.map(({ _id, length }) => [_id.toHexString(), length]));
}

/** Yields the ids of files that belong neither to a blob nor to an upload. */
export async function* unownedFiles(scope: Scope): AsyncGenerator<string> {
  const files = scope.db
    .collection('files.files')
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: 1 });
  for await (const batch of inBatches(files)) {
    for (const id of await idsWithoutOwner(
      scope,
      batch.map(({ _id }) => _id),
    ))
      yield id;
  }
}

/** Yields the ids of chunks without a file and without an upload that is writing one. Reads all bytes. */
export async function* chunksWithoutFile(scope: Scope): AsyncGenerator<string> {
  const written = scope.db.collection('files.chunks').aggregate<{ _id: ObjectId }>([{ $group: { _id: '$files_id' } }]);
  for await (const batch of inBatches(written)) {
    const ids = batch.map(({ _id }) => _id);
    const lengths = await fileLengths(scope, ids);
    const missing = ids.filter((id) => !lengths.has(id.toHexString()));
    for (const id of await idsWithoutOwner(scope, missing)) yield id;
  }
}

async function idsWithoutOwner(scope: Scope, ids: readonly ObjectId[]): Promise<string[]> {
  const uploads = async (among: readonly ObjectId[]) =>
    (
      await collection(scope, 'uploads')
        .find({ _id: { $in: [...among] } }, { projection: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => _id.toHexString());
  const blobs = async (among: readonly ObjectId[]) =>
    (
      await collection(scope, 'blobs')
        .find({ fileId: { $in: [...among] } }, { projection: { fileId: 1 } })
        .toArray()
    ).map(({ fileId }) => fileId.toHexString());
  let remaining = [...ids];
  // uploads twice, because bytes move from uploads to blobs and back
  for (const owners of [uploads, blobs, uploads]) {
    if (!remaining.length) break;
    const owned = new Set(await owners(remaining));
    remaining = remaining.filter((id) => !owned.has(id.toHexString()));
  }
  return remaining.map((id) => id.toHexString());
}
