// Results that workers upload: where they are stored and when they are refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, sha256Of } from '../../test/support/content.ts';
import { violatedInvariants } from '../../test/support/invariants.ts';
import { resultFile } from '../../test/support/result-files.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { artifactsOf } from '../core/store/files/artifacts.ts';
import { find, get } from '../core/store/query/records.ts';
import { mainWorkspace } from '../core/store/workspaces.ts';
import { archiveDocument } from '../documents/archive-document.ts';
import { copyDocument } from '../documents/copy-document.ts';
import { retryJob } from '../jobs/retry-job.ts';
import { failJob } from '../jobs/worker/fail-job.ts';
import { archiveWorkspace } from '../versioning/workspaces/archive-workspace.ts';
import { createWorkspace } from '../versioning/workspaces/create-workspace.ts';
import { download } from './download.ts';

let store: TestStore;
let on: ReturnType<typeof content>;
beforeAll(async () => {
  store = await testStore();
  on = content(store.services);
});
afterAll(async () => {
  expect(await violatedInvariants(on.scope)).toEqual([]);
  await store.close();
});

const filesOf = async (versionId: string) =>
  Object.fromEntries((await artifactsOf(on.scope, versionId)).map((artifact) => [artifact.kind, artifact]));

test('stores results for the job a worker holds and marks them stale on the next source', async () => {
  const { documentId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'one');
  await expect(on.result(draftId, 'glb', 'one')).rejects.toMatchObject({ code: 'not_your_job' });
  const job = await on.claim(draftId);
  const updatedAt = (await get(on.scope, 'documents', documentId)).updatedAt;
  const glb = await on.result(draftId, 'glb', 'one', { attempt: job.attempt });
  expect(glb).toMatchObject({
    kind: 'glb',
    generator: 'test/1',
    inputSha256: sha256Of('one'),
    jobId: job._id,
    stale: false,
  });
  await expect(on.result(draftId, 'glb', 'one', { attempt: job.attempt + 1 })).rejects.toMatchObject({
    code: 'lease_lost',
  });
  await expect(on.result(draftId, 'source', 'one')).rejects.toMatchObject({ code: 'forbidden' });
  expect((await get(on.scope, 'documents', documentId)).updatedAt).toEqual(updatedAt);
  await on.upload(draftId, 'thumbnail', 'my own picture', 'me.png');
  await on.upload(draftId, 'source', 'one');
  expect((await filesOf(draftId)).glb).toMatchObject({ stale: false });
  await on.upload(draftId, 'source', 'two');
  const files = await filesOf(draftId);
  expect(files.glb).toMatchObject({ stale: true, inputSha256: sha256Of('one') });
  expect(files.thumbnail).toMatchObject({ stale: false, generator: null });
});

test('rejects a result for a source that has changed since', async () => {
  const { draftId } = await on.document();
  await on.upload(draftId, 'source', 'old');
  await on.claim(draftId);
  await on.upload(draftId, 'source', 'new');
  await expect(on.result(draftId, 'glb', 'old')).rejects.toMatchObject({
    code: 'stale_input',
    details: { expectedSha256: sha256Of('old'), currentSha256: sha256Of('new') },
  });
  expect(Object.keys(await filesOf(draftId))).toEqual(['source']);
  expect(await find(on.scope, 'blobs', sha256Of(resultFile('glb', 'glb of old')))).toBeNull();
});

test('requires the generator and the input hash of a result', async () => {
  const { draftId } = await on.document();
  await on.upload(draftId, 'source', 'x');
  await on.claim(draftId);
  const refused = (path: string) => ({
    code: 'validation_failed',
    details: { errors: [expect.objectContaining({ path })] },
  });
  await expect(on.result(draftId, 'glb', 'x', { generator: null })).rejects.toMatchObject(refused('/X-Generator'));
  await expect(on.result(draftId, 'glb', 'x', { inputSha256: 'nonsense' })).rejects.toMatchObject(
    refused('/X-Input-Sha256'),
  );
});

test('stores results also in versions created while the job runs, even after the draft has changed', async () => {
  const { workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'frozen');
  const early = await on.version(workspaceId);
  await on.claim(draftId);
  const late = await on.version(workspaceId);
  await on.result(draftId, 'glb', 'frozen');
  for (const id of [early._id, late._id, draftId])
    expect((await filesOf(id)).glb).toMatchObject({ versionId: id, stale: false });
  await on.upload(draftId, 'source', 'changed');
  const result = await on.result(draftId, 'properties', 'frozen');
  expect([early._id, late._id]).toContain(result.versionId);
  for (const id of [early._id, late._id])
    expect((await filesOf(id)).properties).toMatchObject({ sha256: result.sha256 });
  expect((await filesOf(draftId)).properties).toBeUndefined();
  const after = await on.version(workspaceId);
  await on.result(draftId, 'stp', 'frozen');
  expect((await filesOf(after._id)).stp).toBeUndefined();
  expect((await filesOf(late._id)).stp).toBeDefined();
});

test('stores the results of a retried job in the versions, branches and copies that still have its input', async () => {
  const { documentId, workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'hard');
  const { _id: id, attempt } = await on.claim(draftId);
  const error = { code: 'engine_crashed', message: 'the engine crashed' };
  await on.as(requestAs('worker'), failJob, { id, attempt, error, final: false });
  const version = await on.version(workspaceId);
  const branch = await on.run(createWorkspace, { documentId, name: 'branch', fromVersionId: version._id });
  const { _id: copyId } = await on.run(copyDocument, { id: documentId, versionId: version._id });
  const { draftId: copied } = await mainWorkspace(on.scope, copyId);
  await on.upload(draftId, 'source', 'easy');
  const later = await on.version(workspaceId);
  await on.run(retryJob, { id });
  expect((await on.claim(draftId))._id).toBe(id);
  await on.result(draftId, 'glb', 'hard');
  for (const versionId of [version._id, branch.draftId, copied])
    expect((await filesOf(versionId)).glb).toMatchObject({ jobId: id });
  for (const versionId of [draftId, later._id]) expect((await filesOf(versionId)).glb).toBeUndefined();
  expect((await get(on.scope, 'versions', later._id)).awaitsJobs).not.toContain(id);
});

test('stores no results in archived documents and workspaces', async () => {
  const { documentId, workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'shared');
  const version = await on.version(workspaceId);
  const branch = await on.run(createWorkspace, { documentId, name: 'branch', fromVersionId: version._id });
  const { _id: copyId } = await on.run(copyDocument, { id: documentId, versionId: version._id });
  const { draftId: copied } = await mainWorkspace(on.scope, copyId);
  await on.claim(draftId);
  await on.run(archiveWorkspace, { id: branch._id });
  await on.result(draftId, 'stp', 'shared');
  for (const [id, has] of Object.entries({ [draftId]: true, [copied]: true, [branch.draftId]: false }))
    expect('stp' in (await filesOf(id))).toBe(has);
  await on.run(archiveDocument, { id: documentId });
  expect(await on.result(draftId, 'glb', 'shared')).toMatchObject({ versionId: copied });
  for (const id of [draftId, version._id, branch.draftId]) expect((await filesOf(id)).glb).toBeUndefined();
  await on.run(archiveDocument, { id: copyId });
  await expect(on.result(draftId, 'properties', 'shared')).rejects.toMatchObject({
    code: 'document_archived',
    details: { documentId },
  });
});

test('rejects a download with stale_input after the source was replaced', async () => {
  const { draftId } = await on.document();
  const source = await on.upload(draftId, 'source', 'early');
  await on.claim(draftId);
  const get = (input: Parameters<typeof download>[1]) => download(null, input, on.context('worker'));
  expect(await get({ artifactId: source._id })).toMatchObject({ sha256: sha256Of('early') });
  const newer = await on.upload(draftId, 'source', 'late');
  await expect(get({ artifactId: source._id })).rejects.toMatchObject({ code: 'stale_input' });
  await expect(get({ versionId: draftId, kind: 'source' })).rejects.toMatchObject({ code: 'stale_input' });
  await expect(get({ artifactId: newer._id })).rejects.toMatchObject({ code: 'stale_input' });
});

test('lets an administrator work on jobs under the same rules as a worker', async () => {
  const { draftId } = await on.document();
  await on.upload(draftId, 'source', 'admin', 'x.stp', 'admin');
  await expect(on.upload(draftId, 'glb', 'x', 'x.glb', 'admin')).rejects.toMatchObject({ code: 'validation_failed' });
  await on.claim(draftId, 'admin');
  await expect(on.result(draftId, 'glb', 'admin')).rejects.toMatchObject({ code: 'not_your_job' });
  expect(await on.result(draftId, 'glb', 'admin', {}, 'admin')).toMatchObject({ kind: 'glb' });
});
