// Immutable contents, addressed by their SHA-256. The bytes are in the GridFS bucket `files`. Each GridFS file always
// belongs either to one blob or to one record in `uploads`; uploads that are not in progress are deleted.
import { hash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { ObjectId } from 'mongodb';
import { refuse } from '../../domain/errors.ts';
import { find, insert, remove } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { BlobRecord } from '../schema/collections.ts';
import { deleteBytes, insertBytes, readBytes, writeBytes } from './gridfs.ts';

/**
 * Bytes that belong to no blob yet: stored already, or in memory (`content`) until the transaction that attaches them.
 */
export type StoredBlob = { sha256: string; size: number; fileId: ObjectId; content?: Buffer };

/** Returns content in memory as a blob; `attachBlob` writes the bytes, unless they are stored already. */
export function inMemoryBlob(content: Buffer): StoredBlob {
  return { sha256: hash('sha256', content), size: content.length, fileId: new ObjectId(), content };
}

/**
 * Streams content into the store and hashes it; no record refers to it until `attachBlob`. Throws `file_too_large`
 * beyond `maxBytes`. If the stream fails or the signal aborts, deletes what was written and throws the cause.
 */
export async function storeBlob(
  scope: Scope,
  readable: Readable,
  { maxBytes, signal, now }: { maxBytes: number; signal?: AbortSignal; now: Date },
): Promise<StoredBlob> {
  const fileId = new ObjectId();
  const source = signal ? addAbortSignal(signal, readable) : readable;
  source.on('error', () => undefined); // a stream may fail before it is read; reading it then throws
  try {
    await insert(scope, 'uploads', { _id: fileId, startedAt: now, condemned: false });
    const { sha256, size } = await writeBytes(scope, fileId, source, { maxBytes, now });
    return { sha256, size, fileId };
  } catch (error) {
    source.destroy();
    // throws the first error; the sweep deletes what this cannot
    await discardUpload(scope, fileId).catch(() => false);
    throw error;
  }
}

/**
 * Attaches stored bytes as the blob of their hash. If the content is already stored, keeps the existing blob and
 * deletes the surplus bytes after the commit.
 */
export async function attachBlob(work: Write, stored: StoredBlob): Promise<void> {
  const { _id, ...newBlob }: Omit<BlobRecord, 'lock'> = {
    _id: stored.sha256,
    fileId: stored.fileId,
    size: stored.size,
    createdAt: work.now,
  };
  const { upsertedCount } = await collection(work, 'blobs').updateOne(
    { _id },
    { $inc: { lock: 1 }, $setOnInsert: newBlob },
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
    refuse('timeout', 'The upload took longer than a day, so its first part has been deleted. Upload the file again.');
}

/**
 * Deletes stored bytes unless they belong to a blob. Returns false if they do, and true if they no longer exist. May be
 * called when the outcome of a commit is unknown, because the upload's record is deleted in the transaction that
 * inserts the blob.
 */
export async function discardUpload(scope: Scope, fileId: ObjectId): Promise<boolean> {
  const condemned = await collection(scope, 'uploads').findOneAndUpdate({ _id: fileId }, { $set: { condemned: true } });
  if (!condemned && (await collection(scope, 'blobs').findOne({ fileId }))) return false;
  await deleteBytes(scope, fileId);
  await collection(scope, 'uploads').deleteOne({ _id: fileId });
  return true;
}

/**
 * Returns a stream of the content, or of the bytes from `start` up to but not including `end`. It fails if bytes are
 * missing or, for the whole content, if the SHA-256 differs; the last chunk is held back until that is known.
 */
export async function openBlob(
  scope: Scope,
  sha256: string,
  range?: { start: number; end: number },
): Promise<Readable> {
  const blob = await find(scope, 'blobs', sha256);
  if (!blob) throw new Error(`the content ${sha256} is missing in the store`);
  return readBytes(scope, { fileId: blob.fileId, size: blob.size, sha256 }, range ?? { start: 0, end: blob.size });
}

/** Returns stored bytes that belong to no blob yet, checked against their hash. */
export async function readStored(scope: Scope, stored: StoredBlob): Promise<Buffer> {
  return bytesOf(await readBytes(scope, stored, { start: 0, end: stored.size }));
}

/** Returns the bytes from `start` up to `end`, or the end of the content, of content that belongs to no blob yet. */
export async function readStoredRange(scope: Scope, stored: StoredBlob, start: number, end: number): Promise<Buffer> {
  return bytesOf(await readBytes(scope, stored, { start, end: Math.min(end, stored.size) }));
}

/** Returns content as text, checked against its hash. Reads the whole file. */
export async function readBlob(scope: Scope, sha256: string): Promise<string> {
  return (await bytesOf(await openBlob(scope, sha256))).toString();
}

async function bytesOf(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Yields uploads that started before `before` and were neither attached nor discarded, and those being deleted. */
export async function* abandonedUploads(scope: Scope, before: Date): AsyncGenerator<ObjectId> {
  for (const abandoned of [{ condemned: true }, { condemned: false, startedAt: { $lt: before } }]) {
    const found = await collection(scope, 'uploads').find(abandoned).toArray();
    for (const { _id } of found) yield _id;
  }
}

/** Yields blobs created before `before` that no artifact and no draft backup refers to, page by page. */
export async function* unreferencedBlobs(scope: Scope, before: Date): AsyncGenerator<BlobRecord> {
  let after = '';
  for (;;) {
    const page = await collection(scope, 'blobs')
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(PAGE_SIZE)
      .toArray();
    const ids = page.map(({ _id }) => _id);
    const referenced = new Set([
      ...(await collection(scope, 'artifacts').distinct('sha256', { sha256: { $in: ids } })),
      ...(await collection(scope, 'draftBackups').distinct('artifacts.sha256', { 'artifacts.sha256': { $in: ids } })),
    ]);
    yield* page.filter(({ _id, createdAt }) => createdAt < before && !referenced.has(_id));
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return;
    after = last._id;
  }
}

const PAGE_SIZE = 500;

/**
 * Deletes a blob that nothing refers to; its bytes become an abandoned upload. Returns false, and keeps the blob, if it
 * was attached since it was read, also by a concurrent transaction.
 */
export async function retireBlob({ db }: Scope, blob: BlobRecord, now: Date): Promise<boolean> {
  const session = db.client.startSession();
  try {
    return await session.withTransaction(
      async () => {
        const scope: Scope = { db, session };
        const { matchedCount } = await collection(scope, 'blobs').updateOne(
          { _id: blob._id, lock: blob.lock },
          { $inc: { lock: 1 } },
          { session },
        );
        if (!matchedCount || (await isReferenced(scope, blob._id))) return false;
        await remove(scope, 'blobs', blob._id);
        await insert(scope, 'uploads', { _id: blob.fileId, startedAt: now, condemned: true });
        return true;
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    );
  } finally {
    await session.endSession();
  }
}

async function isReferenced(scope: Scope, sha256: string): Promise<boolean> {
  if (await collection(scope, 'artifacts').findOne({ sha256 }, within(scope))) return true;
  return (await collection(scope, 'draftBackups').findOne({ 'artifacts.sha256': sha256 }, within(scope))) !== null;
}
