import { createHash, randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type CommandStartedEvent, type CommandSucceededEvent, GridFSBucket } from 'mongodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../../test/support/store.ts';
import { inTransaction, type Work } from '../../work.ts';
import { find, insert } from '../query/records.ts';
import { collection, type Scope } from '../query/scope.ts';
import type { ArtifactRecord } from '../schema/collections.ts';
import { attachBlob, discardUpload, inMemoryBlob, openBlob, retireBlob, type StoredBlob, storeBlob } from './blobs.ts';
import { CHUNK_SIZE } from './gridfs.ts';

let store: TestStore;
let scope: Scope;
beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  scope = { db: store.services.mongo.db };
});
afterAll(() => store.close());

const now = new Date();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const pieces = (bytes: Buffer, size = 65_536) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
    { objectMode: true },
  );
const put = (bytes: Buffer, maxBytes = 2 ** 31) => storeBlob(scope, pieces(bytes), { maxBytes, now });
const attach = (stored: StoredBlob) => run((work) => attachBlob(work, stored));
const run = <R>(command: (work: Work) => Promise<R>) =>
  inTransaction(
    store.services,
    requestAs('editor'),
    (work: Work) => {
      work.unchanged();
      return command(work);
    },
    undefined,
  );
const stored = async () => ({
  files: await scope.db.collection('files.files').countDocuments(),
  chunks: await scope.db.collection('files.chunks').countDocuments(),
  uploads: await collection(scope, 'uploads').countDocuments(),
});

test('stores and returns contents of any size, also readable with the driver', async () => {
  for (const size of [0, 1, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE + 1, 3 * CHUNK_SIZE + 17]) {
    const bytes = randomBytes(size);
    const blob = await put(bytes);
    await attach(blob);
    expect(blob).toMatchObject({ size, sha256: sha256(bytes) });
    expect(Buffer.compare(await buffer(await openBlob(scope, blob.sha256)), bytes)).toBe(0);
    const bucket = new GridFSBucket(scope.db, { bucketName: 'files' });
    expect(sha256(await buffer(bucket.openDownloadStream(blob.fileId)))).toBe(blob.sha256);
  }
});

test('writes content in memory in the attaching transaction, once, and not if that fails or it is stored already', async () => {
  for (const size of [0, 5, CHUNK_SIZE, 2 * CHUNK_SIZE + 17]) {
    const bytes = randomBytes(size);
    const before = await stored();
    const failing = run(async (work) => {
      await attachBlob(work, inMemoryBlob(bytes));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await stored()).toEqual(before);

    if (size === 0) continue; // the empty content is stored already
    const blob = inMemoryBlob(bytes);
    await attach(blob);
    const after = { ...before, files: before.files + 1, chunks: before.chunks + Math.ceil(size / CHUNK_SIZE) };
    expect([blob.sha256, blob.size, await stored()]).toEqual([sha256(bytes), size, after]);
    expect(Buffer.compare(await buffer(await openBlob(scope, blob.sha256)), bytes)).toBe(0);
    const bucket = new GridFSBucket(scope.db, { bucketName: 'files' });
    expect(sha256(await buffer(bucket.openDownloadStream(blob.fileId)))).toBe(blob.sha256);
    await attach(inMemoryBlob(bytes));
    expect(await stored()).toEqual(after);
  }
});

test('returns exactly the requested range, across chunks and at both ends', async () => {
  const bytes = randomBytes(2 * CHUNK_SIZE + 1000);
  const blob = await put(bytes);
  await attach(blob);
  const ranges = [
    [0, 1],
    [CHUNK_SIZE - 1, CHUNK_SIZE + 1],
    [10, 2 * CHUNK_SIZE + 5],
    [CHUNK_SIZE, 2 * CHUNK_SIZE],
    [bytes.length - 1, bytes.length],
    [7, 7],
  ] as const;
  for (const [start, end] of ranges)
    expect(
      Buffer.compare(await buffer(await openBlob(scope, blob.sha256, { start, end })), bytes.subarray(start, end)),
    ).toBe(0);
  await expect(openBlob(scope, blob.sha256, { start: 0, end: bytes.length + 1 })).rejects.toThrow(RangeError);
});

test('stores the same content once, and deletes the surplus bytes after the commit', async () => {
  const bytes = randomBytes(CHUNK_SIZE + 5);
  const first = await put(bytes);
  await attach(first);
  const before = await stored();
  const second = await put(bytes);
  expect(second.fileId).not.toEqual(first.fileId);
  await attach(second);
  expect(await stored()).toEqual(before);
  expect(await find(scope, 'blobs', first.sha256)).toMatchObject({ fileId: first.fileId });
});

test('stores concurrent uploads of the same content as one blob without surplus bytes', async () => {
  const before = await stored();
  const bytes = randomBytes(2 * CHUNK_SIZE);
  await Promise.all(Array.from({ length: 8 }, async () => attach(await put(bytes))));
  const after = await stored();
  expect(after).toEqual({ files: before.files + 1, chunks: before.chunks + 2, uploads: before.uploads });
});

test('rejects a file over the limit and leaves nothing behind', async () => {
  const before = await stored();
  await expect(put(randomBytes(3 * CHUNK_SIZE), 2 * CHUNK_SIZE)).rejects.toMatchObject({ code: 'file_too_large' });
  expect(await stored()).toEqual(before);
  const exact = await put(randomBytes(100), 100);
  expect(exact.size).toBe(100);
  await discardUpload(scope, exact.fileId);
});

test('deletes an interrupted upload and throws its cause', async () => {
  const before = await stored();
  const source = new PassThrough();
  const upload = storeBlob(scope, source, { maxBytes: 2 ** 31, now });
  source.write(randomBytes(2 * CHUNK_SIZE));
  source.destroy(new Error('the client disconnected'));
  await expect(upload).rejects.toThrow('the client disconnected');
  expect(await stored()).toEqual(before);
});

test('rejects an upload that was swept while it was in progress, and leaves nothing behind', async () => {
  const before = await stored();
  const source = new PassThrough();
  const upload = storeBlob(scope, source, { maxBytes: 2 ** 31, now });
  source.write(randomBytes(CHUNK_SIZE));
  const { _id } = await vi.waitUntil(() => collection(scope, 'uploads').findOne({ condemned: false }));
  expect(await discardUpload(scope, _id)).toBe(true);
  source.end(randomBytes(CHUNK_SIZE));
  const blob = await upload;
  await expect(attach(blob)).rejects.toMatchObject({ code: 'timeout' });
  await discardUpload(scope, blob.fileId);
  expect(await stored()).toEqual(before);
});

test('does not discard bytes that belong to a blob', async () => {
  const bytes = randomBytes(10);
  const blob = await put(bytes);
  await attach(blob);
  expect(await discardUpload(scope, blob.fileId)).toBe(false);
  expect(await buffer(await openBlob(scope, blob.sha256))).toEqual(bytes);
});

test('aborts the upload of an aborted request, and leaves nothing behind', async () => {
  const before = await stored();
  const source = new PassThrough();
  const abort = new AbortController();
  const upload = storeBlob(scope, source, { maxBytes: 2 ** 31, signal: abort.signal, now });
  source.write(randomBytes(2 * CHUNK_SIZE + 1));
  abort.abort();
  await expect(upload).rejects.toThrow();
  expect(await stored()).toEqual(before);
});

test('applies backpressure to a sender that is faster than the store', async () => {
  const { client } = store.services.mongo;
  let sent = 0;
  let maxUnwritten = 0;
  let written = 0;
  const inserts = new Set<number>();
  const started = ({ requestId, command }: CommandStartedEvent) =>
    command.insert === 'files.chunks' && inserts.add(requestId);
  const done = ({ requestId }: CommandSucceededEvent) => inserts.delete(requestId) && written++;
  client.on('commandStarted', started).on('commandSucceeded', done);
  const source = new Readable({
    read() {
      sent += 65_536;
      maxUnwritten = Math.max(maxUnwritten, sent - written * CHUNK_SIZE);
      this.push(sent > 24 * CHUNK_SIZE ? null : Buffer.alloc(65_536, sent % 251));
    },
  });
  await storeBlob(scope, source, { maxBytes: 2 ** 31, now });
  client.off('commandStarted', started).off('commandSucceeded', done);
  expect(written).toBe(24);
  expect(maxUnwritten).toBeLessThanOrEqual(6 * CHUNK_SIZE);
});

test('never serves damaged or incomplete bytes as a whole file', async () => {
  const bytes = randomBytes(2 * CHUNK_SIZE + 3);
  const blob = await put(bytes);
  await attach(blob);
  const chunks = scope.db.collection('files.chunks');
  const last = { files_id: blob.fileId, n: 2 };
  const chunk = await chunks.findOneAndDelete(last);
  await expect(buffer(await openBlob(scope, blob.sha256))).rejects.toThrow('has lost bytes');
  await chunks.insertOne({ ...last, data: Buffer.from('abc') });
  const read: Buffer[] = [];
  const download = await openBlob(scope, blob.sha256);
  await expect(
    (async () => {
      for await (const piece of download) read.push(piece);
    })(),
  ).rejects.toThrow('another SHA-256');
  expect(Buffer.concat(read).length).toBeLessThan(bytes.length);
  await chunks.replaceOne(last, { ...last, data: chunk?.data });
  await scope.db.collection('files.files').updateOne({ _id: blob.fileId }, { $set: { length: 5 } });
  await expect(openBlob(scope, blob.sha256)).rejects.toThrow('bytes long instead of');
});

test('keeps a blob that is attached again while it is being retired', async () => {
  for (let round = 0; round < 10; round++) {
    const bytes = randomBytes(100);
    const blob = await put(bytes);
    await attach(blob);
    const seen = (await find(scope, 'blobs', blob.sha256))!;
    const again = await put(bytes);
    const addArtifact = (work: Work) => insert(work, 'artifacts', artifactOf(blob.sha256, work.newId('art')));
    await Promise.all([
      run(async (work) => {
        await attachBlob(work, again);
        await addArtifact(work);
      }),
      retireBlob(scope, seen, now),
    ]);
    expect(await buffer(await openBlob(scope, blob.sha256))).toEqual(bytes);
  }
});

function artifactOf(blob: string, id: string): ArtifactRecord {
  return {
    _id: id,
    documentId: 'doc_test',
    versionId: id,
    kind: 'source',
    fileName: 'file',
    contentType: 'application/octet-stream',
    size: 100,
    sha256: blob,
    generator: null,
    inputSha256: null,
    jobId: null,
    stale: false,
    createdAt: now,
    createdBy: 'usr_editor',
  };
}
