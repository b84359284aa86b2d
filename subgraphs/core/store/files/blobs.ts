// Contents of files: immutable, addressed by their SHA-256. The bytes lie in the GridFS bucket `files`, and a GridFS file belongs
// either to one blob or to one record in `uploads`, at every moment; whatever is in `uploads` and not under way is deleted.
import { hash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { ObjectId } from 'mongodb';
import { refuse } from '../../domain/errors.ts';
import { find, insert, remove } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { BlobRecord } from '../schema/collections.ts';
import { deleteBytes, insertBytes, readBytes, writeBytes } from './gridfs.ts';

/** Bytes that are in the store and belong to no blob yet, or are at hand (`content`) and come with the transaction that attaches them. */
export type StoredBlob = { sha256: string; size: number; fileId: ObjectId; content?: Buffer };

/** A content at hand, as something to attach: it is written in that transaction, if it is not there already, and so waits for the disk only once. */
export function blobAtHand(content: Buffer): StoredBlob {
  return { sha256: hash('sha256', content), size: content.length, fileId: new ObjectId(), content };
}

/**
 * Streams a content into the store and hashes it on the way; nothing names it until `attachBlob`. Refuses with `file_too_large`
 * beyond `maxBytes`. When the stream fails or the signal aborts, what was written is deleted and the cause thrown.
 */
export async function storeBlob(
  scope: Scope,
  readable: Readable,
  { maxBytes, signal, now }: { maxBytes: number; signal?: AbortSignal; now: Date },
): Promise<StoredBlob> {
  const fileId = new ObjectId();
  const source = signal ? addAbortSignal(signal, readable) : readable;
  source.on('error', () => undefined); // a stream may fail before it is read; reading it then tells
  try {
    await insert(scope, 'uploads', { _id: fileId, startedAt: now, condemned: false });
    const { sha256, size } = await writeBytes(scope, fileId, source, { maxBytes, now });
    return { sha256, size, fileId };
  } catch (error) {
    source.destroy();
    // the first error is the one to tell; the sweeper deletes what this cannot
    await discardUpload(scope, fileId).catch(() => false);
    throw error;
  }
}

/**
 * Makes stored bytes the blob of their hash. When the service has that content already, the blob is kept and the surplus bytes are
 * deleted after the commit.
 */
export async function attachBlob(work: Write, stored: StoredBlob): Promise<void> {
  const { _id, ...fresh }: Omit<BlobRecord, 'lock'> = {
    _id: stored.sha256,
    fileId: stored.fileId,
    size: stored.size,
    createdAt: work.now,
  };
  const { upsertedCount } = await collection(work, 'blobs').updateOne(
    { _id },
    { $inc: { lock: 1 }, $setOnInsert: fresh },
    { upsert: true, ...within(work) },
  );
  if (stored.content) {
    if (upsertedCount) await insertBytes(work, stored.fileId, stored.content, { sha256: stored.sha256, now: work.now });
    return;
  }
  if (!upsertedCount) {
    work.afterCommit(() => discardUpload({ db: work.db }, stored.fileId));
    return;
  }
  const { deletedCount } = await collection(work, 'uploads').deleteOne(
    { _id: stored.fileId, condemned: false },
    within(work),
  );
  if (!deletedCount)
    refuse('timeout', 'The upload took longer than a day, so its beginning has been deleted. Send it again.');
}

/**
 * Deletes stored bytes unless a blob owns them; says whether it did. Safe to repeat, and to call when the outcome of a commit is not
 * known: the upload's record goes in the same transaction as the blob comes.
 */
export async function discardUpload(scope: Scope, fileId: ObjectId): Promise<boolean> {
  const condemned = await collection(scope, 'uploads').findOneAndUpdate({ _id: fileId }, { $set: { condemned: true } });
  if (!condemned && (await collection(scope, 'blobs').findOne({ fileId }))) return false;
  await deleteBytes(scope, fileId);
  await collection(scope, 'uploads').deleteOne({ _id: fileId });
  return true;
}

/**
 * The content, or the bytes from `start` up to but not including `end`. The stream fails instead of ending when bytes are missing or,
 * for a whole content, when its SHA-256 is another one: the last bytes are held back until that is known.
 */
export async function openBlob(
  scope: Scope,
  sha256: string,
  range?: { start: number; end: number },
): Promise<Readable> {
  const blob = await find(scope, 'blobs', sha256);
  if (!blob) throw new Error(`The content ${sha256} is missing in the store`);
  return readBytes(scope, { fileId: blob.fileId, size: blob.size, sha256 }, range ?? { start: 0, end: blob.size });
}

/** Bytes that are in the store and belong to no blob yet, read back; checked against their hash. */
export async function readStored(scope: Scope, stored: StoredBlob): Promise<Buffer> {
  return bytesOf(await readBytes(scope, stored, { start: 0, end: stored.size }));
}

/** The first bytes of what is in the store and belongs to no blob yet. */
export async function headOfStored(scope: Scope, stored: StoredBlob, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await readBytes(scope, stored, { start: 0, end: Math.min(bytes, stored.size) }))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A content as text, checked against its hash; for files that are read as a whole. */
export async function readBlob(scope: Scope, sha256: string): Promise<string> {
  return (await bytesOf(await openBlob(scope, sha256))).toString();
}

async function bytesOf(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Uploads that began before `before` and were neither attached nor discarded, and those whose deletion was begun. */
export async function* abandonedUploads(scope: Scope, before: Date): AsyncGenerator<ObjectId> {
  for (const abandoned of [{ condemned: true }, { condemned: false, startedAt: { $lt: before } }]) {
    const found = await collection(scope, 'uploads').find(abandoned).toArray();
    for (const { _id } of found) yield _id;
  }
}

/** Blobs made before `before` that no artifact and no kept content of a draft names, page by page through all blobs. */
export async function* unnamedBlobs(scope: Scope, before: Date): AsyncGenerator<BlobRecord> {
  let after = '';
  for (;;) {
    const page = await collection(scope, 'blobs')
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(PAGE)
      .toArray();
    const ids = page.map(({ _id }) => _id);
    const named = new Set([
      ...(await collection(scope, 'artifacts').distinct('sha256', { sha256: { $in: ids } })),
      ...(await collection(scope, 'draftBackups').distinct('artifacts.sha256', { 'artifacts.sha256': { $in: ids } })),
    ]);
    yield* page.filter(({ _id, createdAt }) => createdAt < before && !named.has(_id));
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last._id;
  }
}

const PAGE = 500;

/**
 * Takes a blob that nothing names out of the store; its bytes become an abandoned upload. Says whether it did: an attach that
 * came since it was read, or comes meanwhile, wins.
 */
export async function retireBlob({ db }: Scope, seen: BlobRecord, now: Date): Promise<boolean> {
  const session = db.client.startSession();
  try {
    return await session.withTransaction(
      async () => {
        const scope: Scope = { db, session };
        const { matchedCount } = await collection(scope, 'blobs').updateOne(
          { _id: seen._id, lock: seen.lock },
          { $inc: { lock: 1 } },
          { session },
        );
        if (!matchedCount || (await isNamed(scope, seen._id))) return false;
        await remove(scope, 'blobs', seen._id);
        await insert(scope, 'uploads', { _id: seen.fileId, startedAt: now, condemned: true });
        return true;
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    );
  } finally {
    await session.endSession();
  }
}

async function isNamed(scope: Scope, sha256: string): Promise<boolean> {
  if (await collection(scope, 'artifacts').findOne({ sha256 }, within(scope))) return true;
  return (await collection(scope, 'draftBackups').findOne({ 'artifacts.sha256': sha256 }, within(scope))) !== null;
}
