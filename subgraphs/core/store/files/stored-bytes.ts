// The bytes as they lie in GridFS, for those who check them.
import type { ObjectId } from 'mongodb';
import { collection, type Scope } from '../query/scope.ts';
import { batched } from '../query/whole-collections.ts';

/** The recorded lengths of GridFS files, by the hex of their ids; those that do not exist are left out. */
export async function lengthsOf({ db }: Scope, fileIds: readonly ObjectId[]): Promise<Map<string, number>> {
  const found = await db
    .collection('files.files')
    .find({ _id: { $in: [...fileIds] } }, { projection: { length: 1 } })
    .toArray();
  return new Map(found.map(({ _id, length }) => [_id.toHexString(), length]));
}

/** The ids of files that neither a blob nor an upload owns. */
export async function* ownerlessFiles(scope: Scope): AsyncGenerator<string> {
  const files = scope.db
    .collection('files.files')
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: 1 });
  for await (const batch of batched(files)) {
    for (const id of await ownerless(
      scope,
      batch.map(({ _id }) => _id),
    ))
      yield id;
  }
}

/** The ids under which chunks lie without a file, and without an upload that is writing one. Reads through all bytes. */
export async function* chunksWithoutFile(scope: Scope): AsyncGenerator<string> {
  const written = scope.db.collection('files.chunks').aggregate<{ _id: ObjectId }>([{ $group: { _id: '$files_id' } }]);
  for await (const batch of batched(written)) {
    const ids = batch.map(({ _id }) => _id);
    const lengths = await lengthsOf(scope, ids);
    const missing = ids.filter((id) => !lengths.has(id.toHexString()));
    for (const id of await ownerless(scope, missing)) yield id;
  }
}

async function ownerless(scope: Scope, ids: readonly ObjectId[]): Promise<string[]> {
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
  let left = [...ids];
  // Uploads twice: bytes move from them to a blob, and from a blob to them.
  for (const owners of [uploads, blobs, uploads]) {
    if (!left.length) break;
    const owned = new Set(await owners(left));
    left = left.filter((id) => !owned.has(id.toHexString()));
  }
  return left.map((id) => id.toHexString());
}
