// Uploads, downloads, deletions and the blob sweep.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, fileOf, sha256Of } from '../../test/support/content.ts';
import { violatedInvariants } from '../../test/support/invariants.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { artifactOfKind, artifactsOf, newestThumbnails } from '../core/store/files/artifacts.ts';
import { openBlob } from '../core/store/files/blobs.ts';
import { change, find } from '../core/store/query/records.ts';
import { collection } from '../core/store/query/scope.ts';
import { deleteArtifact } from './delete-artifact.ts';
import { download } from './download.ts';
import { startBlobSweep } from './sweep-blobs.ts';
import { uploadArtifact } from './upload-artifact.ts';

let store: TestStore;
let on: ReturnType<typeof content>;
beforeAll(async () => {
  store = await testStore();
  on = content(store.services);
});
afterAll(async () => {
  expect(await violatedInvariants(on.scope, { hasDirectWrites: true })).toEqual([]);
  await store.close();
});

const textOf = async (sha256: string) => (await buffer(await openBlob(on.scope, sha256))).toString();
const filesOf = async (versionId: string) =>
  Object.fromEntries((await artifactsOf(on.scope, versionId)).map((artifact) => [artifact.kind, artifact]));
const uploads = () => collection(on.scope, 'uploads').countDocuments();

test('replaces the source of a draft and queues a conversion', async () => {
  const { documentId, draftId } = await on.document();
  const first = await on.upload(draftId, 'source', 'first', '部品 Größe.step');
  expect(first).toMatchObject({
    documentId,
    versionId: draftId,
    kind: 'source',
    fileName: '部品 Größe.step',
    contentType: 'model/step',
    size: 5,
  });
  expect(first).toMatchObject({
    sha256: sha256Of('first'),
    stale: false,
    generator: null,
    inputSha256: null,
    createdBy: 'usr_editor',
  });
  expect(await textOf(first.sha256)).toBe('first');
  const second = await on.upload(draftId, 'source', 'second');
  expect(second._id).not.toBe(first._id);
  expect(Object.keys(await filesOf(draftId))).toEqual(['source']);
  const jobs = await collection(on.scope, 'jobs').find({ versionId: draftId }).sort({ seq: 1 }).toArray();
  expect(jobs.map(({ type, status, inputSha256 }) => [type, status, inputSha256])).toEqual([
    ['convert', 'cancelled', sha256Of('first')],
    ['convert', 'waiting', sha256Of('second')],
  ]);
  expect(jobs[1]).toMatchObject({ inputKinds: ['source'], environment: [] });
  expect([first.jobId, second.jobId]).toEqual(jobs.map(({ _id }) => _id));
  const audit = await collection(on.scope, 'audit').findOne(
    { action: 'artifact.uploaded', versionId: draftId },
    { sort: { chainSeq: -1 } },
  );
  expect(audit).toMatchObject({ documentId, jobId: jobs[1]!._id, by: { id: 'usr_editor' } });
  expect(audit?.changes).toMatchObject({ source: { from: { sha256: first.sha256 }, to: { sha256: second.sha256 } } });
});

test('rejects an upload before reading its body and stores nothing', async () => {
  const model = await on.document();
  const assembly = await on.document('assembly');
  const version = await on.version(model.workspaceId);
  const before = await uploads();
  const unread = (versionId: string, kind: string, role: 'viewer' | 'editor' | 'worker' = 'editor') => {
    const file = fileOf(
      new Readable({
        read() {
          throw new Error('the body was read');
        },
      }),
      'x',
    );
    return uploadArtifact(null, { versionId, kind, file }, on.context(role));
  };
  await expect(unread(model.draftId, 'nonsense')).rejects.toMatchObject({ code: 'unknown_artifact_kind' });
  await expect(unread(model.draftId, 'asm-json')).rejects.toMatchObject({ code: 'wrong_kind' });
  await expect(unread(assembly.draftId, 'source')).rejects.toMatchObject({ code: 'wrong_kind' });
  await expect(unread(version._id, 'source')).rejects.toMatchObject({ code: 'not_a_draft' });
  await expect(unread('ver_nowhere', 'source')).rejects.toMatchObject({ code: 'not_found' });
  await expect(unread(model.draftId, 'source', 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(unread(model.draftId, 'glb')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(unread(model.draftId, 'glb', 'worker')).rejects.toMatchObject({ code: 'validation_failed' });
  expect(await uploads()).toBe(before);
});

test('discards the stored bytes of a rejected upload', async () => {
  const { documentId, draftId } = await on.document();
  const before = await uploads();
  const archiving = new Readable({
    async read() {
      await change(on.scope, 'documents', documentId, { archived: true });
      this.push('late');
      this.push(null);
    },
  });
  const upload = uploadArtifact(
    null,
    { versionId: draftId, kind: 'source', file: fileOf(archiving, 'x') },
    on.context('editor'),
  );
  await expect(upload).rejects.toMatchObject({ code: 'document_archived' });
  expect(await uploads()).toBe(before);
  expect(await find(on.scope, 'blobs', sha256Of('late'))).toBeNull();
});

test('keeps exactly one intact file when uploads of one kind run concurrently', async () => {
  const { draftId } = await on.document();
  const stored = await Promise.all(
    Array.from({ length: 10 }, (_, i) => on.upload(draftId, 'attachment.note', `note ${i}`)),
  );
  const left = await artifactsOf(on.scope, draftId);
  expect(left).toHaveLength(1);
  expect(stored.map(({ _id }) => _id)).toContain(left[0]!._id);
  expect(sha256Of(await textOf(left[0]!.sha256))).toBe(left[0]!.sha256);
});

test('deletes a source from a draft, marks derived files stale and cancels the waiting job', async () => {
  const { workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'gone');
  await on.claim(draftId);
  await on.result(draftId, 'glb', 'gone');
  await on.upload(draftId, 'source', 'gone too');
  const remove = (versionId: string, kind: string) => on.run(deleteArtifact, { versionId, kind });
  expect(await remove(draftId, 'source')).toBe(true);
  await expect(remove(draftId, 'source')).rejects.toMatchObject({ code: 'not_found' });
  expect((await filesOf(draftId)).glb).toMatchObject({ stale: true });
  expect(
    await collection(on.scope, 'jobs').findOne({ versionId: draftId, inputSha256: sha256Of('gone too') }),
  ).toMatchObject({
    status: 'cancelled',
  });
  const version = await on.version(workspaceId);
  await expect(remove(version._id, 'glb')).rejects.toMatchObject({ code: 'not_a_draft' });
});

test('keeps the derived files and the assemble job when the split source of an assembly is deleted', async () => {
  const { draftId } = await on.document('assembly');
  const [shown, next] = ['{"templates":[],"instances":[]}', '{"instances":[],"templates":[]}'];
  const uploadSplit = (text: string) =>
    uploadArtifact(
      null,
      { versionId: draftId, kind: 'source', file: fileOf(text, 'table.step'), split: true },
      on.context('editor'),
    );
  await uploadSplit('a STEP assembly');
  await on.upload(draftId, 'asm-json', shown);
  await on.claim(draftId);
  await on.result(draftId, 'glb', shown);
  const glb = (await filesOf(draftId)).glb;
  await on.run(deleteArtifact, { versionId: draftId, kind: 'source' });
  expect((await filesOf(draftId)).glb).toEqual({ ...glb, stale: false });

  await uploadSplit('another one');
  await on.upload(draftId, 'asm-json', next);
  await on.run(deleteArtifact, { versionId: draftId, kind: 'source' });
  const job = await collection(on.scope, 'jobs').findOne({
    versionId: draftId,
    type: 'assemble',
    inputSha256: sha256Of(next),
  });
  expect(job).toMatchObject({ status: 'waiting' });
});

test('keeps a job that a version awaits when its source is deleted from the draft', async () => {
  const { workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'kept');
  const version = await on.version(workspaceId);
  await on.run(deleteArtifact, { versionId: draftId, kind: 'source' });
  await on.claim(draftId);
  expect(await on.result(draftId, 'glb', 'kept')).toMatchObject({ versionId: version._id });
});

test('lets readers download any file, but workers only the inputs of jobs they hold', async () => {
  const { workspaceId, draftId } = await on.document();
  const source = await on.upload(draftId, 'source', 'input');
  const note = await on.upload(draftId, 'attachment.note', 'private');
  const version = await on.version(workspaceId);
  const frozen = await artifactOfKind(on.scope, version._id, 'source');
  const get = (artifactId: string, role: 'viewer' | 'worker') => download(null, { artifactId }, on.context(role));
  expect(await get(note._id, 'viewer')).toMatchObject({ sha256: note.sha256 });
  await expect(get(source._id, 'worker')).rejects.toMatchObject({ code: 'not_your_job' });
  await on.claim(draftId);
  expect(await get(source._id, 'worker')).toMatchObject({ sha256: source.sha256 });
  expect(await get(frozen!._id, 'worker')).toMatchObject({ sha256: source.sha256 });
  await expect(get(note._id, 'worker')).rejects.toMatchObject({ code: 'not_your_job' });
  expect(await download(null, { versionId: draftId, kind: 'source' }, on.context('viewer'))).toMatchObject({
    _id: source._id,
  });
  expect(await download(null, { versionId: draftId, kind: 'glb' }, on.context('viewer'))).toBeNull();
});

test('returns the newest thumbnail of all drafts and versions of a document', async () => {
  const { documentId, workspaceId, draftId } = await on.document();
  expect(await newestThumbnails(on.scope, [documentId])).toEqual([]);
  await on.upload(draftId, 'thumbnail', 'older');
  const version = await on.version(workspaceId);
  await on.upload(draftId, 'thumbnail', 'old');
  await on.upload(version._id, 'thumbnail', 'newest');
  const [newest] = await newestThumbnails(on.scope, [documentId]);
  expect(newest).toMatchObject({ versionId: version._id, sha256: sha256Of('newest') });
});

test('sweeps unreferenced contents only, also while they are uploaded again', async () => {
  const { workspaceId, draftId } = await on.document();
  const sweeper = startBlobSweep(store.services, { blobAgeMs: -1000, uploadAgeMs: 1000 });
  await on.upload(draftId, 'attachment.a', 'referenced by a version');
  await on.version(workspaceId);
  await on.upload(draftId, 'attachment.a', 'unreferenced');
  await on.upload(draftId, 'attachment.a', 'current');
  const swept = await sweeper.runOnce();
  expect(swept.blobs).toBeGreaterThan(0);
  expect(await textOf(sha256Of('referenced by a version'))).toBe('referenced by a version');
  expect(await find(on.scope, 'blobs', sha256Of('unreferenced'))).toBeNull();
  for (let round = 0; round < 5; round++) {
    await on.upload(draftId, 'attachment.a', 'unreferenced');
    await on.upload(draftId, 'attachment.a', `round ${round}`);
    const [again] = await Promise.all([on.upload(draftId, 'attachment.b', 'unreferenced'), sweeper.runOnce()]);
    expect(await textOf(again.sha256)).toBe('unreferenced');
    await on.run(deleteArtifact, { versionId: draftId, kind: 'attachment.b' });
  }
  await sweeper.stop();
  expect(await uploads()).toBe(0);
  expect(await on.scope.db.collection('files.files').countDocuments()).toBe(
    await collection(on.scope, 'blobs').countDocuments(),
  );
});

test('sweeps an abandoned upload when it is old enough', async () => {
  const { _id } = (await collection(on.scope, 'uploads').findOneAndUpdate(
    { startedAt: new Date(Date.now() - 5000) },
    { $set: { condemned: false } },
    { upsert: true, returnDocument: 'after' },
  ))!;
  await on.scope.db.collection('files.chunks').insertOne({ files_id: _id, n: 0, data: Buffer.from('half') });
  const sweeper = startBlobSweep(store.services, { uploadAgeMs: 60_000 });
  await sweeper.runOnce();
  expect(await uploads()).toBe(1);
  await sweeper.stop();
  const later = startBlobSweep(store.services, { uploadAgeMs: 1000 });
  expect(await later.runOnce()).toMatchObject({ uploads: 1 });
  await later.stop();
  expect(await on.scope.db.collection('files.chunks').countDocuments({ files_id: _id })).toBe(0);
});

test('rejects a file above the configured size limit', async () => {
  const { draftId } = await on.document();
  const services = { ...store.services, limits: { ...store.services.limits, maxUploadBytes: 10 } };
  const context = { ...on.context('editor'), services, request: requestAs('editor') };
  const upload = uploadArtifact(
    null,
    { versionId: draftId, kind: 'source', file: fileOf('more than ten bytes', 'x') },
    context,
  );
  await expect(upload).rejects.toMatchObject({ code: 'file_too_large' });
});
