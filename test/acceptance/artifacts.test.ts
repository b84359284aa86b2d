import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Of } from '../support/content.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { resultFile } from '../support/result-files.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ settings: { MAX_UPLOAD_BYTES: String(4 * 1024 * 1024) } });
});
afterAll(() => pdm.close());

const UNKNOWN = '00000000000000000000000000';

async function document(kind = 'model') {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind });
  const [main] = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items;
  return {
    id: body.id as string,
    number: body.number as string,
    workspaceId: main.id as string,
    draftId: main.draftId as string,
  };
}

async function claimJob(draftId: string) {
  for (;;) {
    const { body } = await pdm.worker.post('/jobs/claim', { workerId: 'w-1', environment: { engine: 'occt' } });
    if (!body) throw new Error('no job is waiting');
    const job = body.job ?? body;
    if (job.versionId === draftId) return job;
  }
}

test('stores and lists an uploaded source unchanged and queues a job', async () => {
  const { draftId } = await document();
  const bytes = randomBytes(3_000_000);
  const uploaded = await pdm.editor.upload(draftId, 'source', bytes, { fileName: 'Größe 部品.step' });
  expect(uploaded.status).toBe(201);
  expect(uploaded.headers.get('location')).toBe(`/api/v1/artifacts/${uploaded.body.id}`);
  expect(uploaded.body).toMatchObject({
    versionId: draftId,
    kind: 'source',
    fileName: 'Größe 部品.step',
    size: 3_000_000,
    sha256: sha256Of(bytes),
  });
  expect((await pdm.viewer.get(`/versions/${draftId}/artifacts`)).body.items).toEqual([uploaded.body]);
  expect((await pdm.viewer.get(`/artifacts/${uploaded.body.id}`)).body).toEqual(uploaded.body);
  const { items } = (await pdm.viewer.get(`/versions/${draftId}/jobs`)).body;
  expect(items).toMatchObject([{ type: 'convert', status: 'waiting', inputSha256: sha256Of(bytes) }]);
});

test('finds which files already exist by their SHA-256, in a draft or version of the oldest document', async () => {
  const [drafted, versioned, missing] = [randomBytes(2_000), randomBytes(2_000), randomBytes(2_000)];
  const find = (...files: Buffer[]) => pdm.viewer.get(`/source-files?sha256=${files.map(sha256Of)}`);
  const [first, second, third] = [await document(), await document(), await document()];
  await pdm.editor.upload(first.draftId, 'source', drafted);
  await pdm.editor.upload(second.draftId, 'source', versioned);
  await pdm.editor.upload(third.draftId, 'source', versioned);
  await pdm.editor.upload(third.draftId, 'attachment.copy', missing);
  const { body: version } = await pdm.editor.post(`/workspaces/${second.workspaceId}/versions`, {});
  const { items } = (await find(missing, versioned, drafted, versioned)).body;
  expect(items).toMatchObject([
    { sha256: sha256Of(versioned), versionId: version.id, kind: 'source' },
    { sha256: sha256Of(drafted), versionId: first.draftId },
  ]);
  await pdm.editor.post(`/documents/${second.id}/archive`, {});
  expect((await find(versioned)).body.items).toMatchObject([{ versionId: third.draftId }]);
  await pdm.editor.post(`/documents/${first.id}/archive`, {});
  expect((await find(drafted)).body.items).toEqual([]);
  for (const query of ['sha256=ABC', `sha256=${Array.from({ length: 201 }, () => sha256Of(missing))}`, ''])
    expect(await pdm.viewer.get(`/source-files?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/sha256' }] },
    });
});

test('returns the stored bytes, the file name and the hash as ETag with a download', async () => {
  const { draftId } = await document();
  const bytes = randomBytes(1_500_000);
  const { body } = await pdm.editor.upload(draftId, 'source', bytes, { fileName: '部品.step' });
  for (const path of [`/versions/${draftId}/artifacts/source/file`, `/artifacts/${body.id}/file`]) {
    const download = await pdm.viewer.get(path);
    expect(download.status).toBe(200);
    expect(download.bytes.equals(bytes)).toBe(true);
    expect(download.headers.get('etag')).toBe(`"${body.sha256}"`);
    expect(download.headers.get('content-length')).toBe(String(bytes.length));
    expect(download.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('部品.step')}`,
    );
    expect(download.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await pdm.viewer.get(path, { 'if-none-match': `"${body.sha256}"` })).status).toBe(304);
  }
});

test('returns exactly the requested byte range of a file', async () => {
  const { draftId } = await document();
  const bytes = randomBytes(2_200_000);
  await pdm.editor.upload(draftId, 'source', bytes);
  const range = (value: string) => pdm.viewer.get(`/versions/${draftId}/artifacts/source/file`, { range: value });
  const middle = await range('bytes=1048570-1048590');
  expect(middle.status).toBe(206);
  expect(middle.headers.get('content-range')).toBe('bytes 1048570-1048590/2200000');
  expect(middle.bytes.equals(bytes.subarray(1_048_570, 1_048_591))).toBe(true);
  expect((await range('bytes=-10')).bytes.equals(bytes.subarray(-10))).toBe(true);
  expect((await range('bytes=2199990-')).bytes.equals(bytes.subarray(2_199_990))).toBe(true);
  expect((await range('bytes=2200000-')).status).toBe(416);
});

test('removes path, control and direction characters from a file name', async () => {
  const { draftId } = await document();
  const nameOf = async (fileName: string) =>
    (await pdm.editor.upload(draftId, 'attachment.n', 'x', { fileName })).body.fileName;
  expect(await nameOf('../../etc/passwd')).toBe('passwd');
  expect(await nameOf('C:\\parts\\a.stp')).toBe('a.stp');
  expect(await nameOf('a\u202egpj.exe')).toBe('agpj.exe');
  expect(await nameOf(`${'長'.repeat(300)}.stp`)).toHaveLength(200);
});

test('rejects an upload that the draft does not accept, with the reason', async () => {
  const model = await document();
  const assembly = await document('assembly');
  const { body: version } = await pdm.editor.post(`/workspaces/${model.workspaceId}/versions`, {});
  const unknown = await pdm.editor.upload(model.draftId, 'sauce', 'x');
  expect(unknown).toMatchObject({ status: 400, body: { code: 'unknown_artifact_kind' } });
  expect(unknown.body.allowed).toEqual(expect.arrayContaining(['source', 'glb', 'thumbnail', 'attachment.<slug>']));
  expect(await pdm.editor.upload(assembly.draftId, 'source', 'x')).toMatchObject({
    status: 422,
    body: { code: 'wrong_kind' },
  });
  expect(await pdm.editor.upload(version.id, 'source', 'x')).toMatchObject({
    status: 422,
    body: { code: 'not_a_draft' },
  });
  expect(await pdm.editor.upload(model.draftId, 'glb', 'x')).toMatchObject({ status: 403 });
  expect(await pdm.viewer.upload(model.draftId, 'source', 'x')).toMatchObject({ status: 403 });
  expect(await pdm.anonymous.upload(model.draftId, 'source', 'x')).toMatchObject({ status: 401 });
  expect(await pdm.editor.upload(`ver_${UNKNOWN}`, 'source', 'x')).toMatchObject({ status: 404 });
  expect(await pdm.editor.upload(model.draftId, 'source', randomBytes(5_000_000))).toMatchObject({
    status: 413,
    body: { code: 'file_too_large' },
  });
  expect((await pdm.viewer.get(`/versions/${model.draftId}/artifacts`)).body.items).toEqual([]);
});

test('removes a file from a draft but not from a version', async () => {
  const { workspaceId, draftId } = await document();
  await pdm.editor.upload(draftId, 'attachment.note', 'note');
  const { body: version } = await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {});
  expect((await pdm.editor.delete(`/versions/${draftId}/artifacts/attachment.note`)).status).toBe(204);
  expect((await pdm.editor.delete(`/versions/${draftId}/artifacts/attachment.note`)).status).toBe(404);
  expect((await pdm.viewer.get(`/versions/${draftId}/artifacts/attachment.note/file`)).status).toBe(404);
  expect(await pdm.editor.delete(`/versions/${version.id}/artifacts/attachment.note`)).toMatchObject({
    status: 422,
    body: { code: 'not_a_draft' },
  });
  expect((await pdm.viewer.get(`/versions/${version.id}/artifacts/attachment.note/file`)).bytes.toString()).toBe(
    'note',
  );
});

test('lets a worker read the input of its job and store the results', async () => {
  const { id, draftId } = await document();
  await pdm.editor.upload(draftId, 'source', 'the part');
  const result = (kind: string, headers: Record<string, string> = {}) =>
    pdm.worker.upload(draftId, kind, resultFile(kind, `a ${kind}`), {
      fileName: `part.${kind}`,
      headers: { 'x-generator': 'test/1', 'x-input-sha256': sha256Of('the part'), ...headers },
    });
  expect(await result('glb')).toMatchObject({ status: 403, body: { code: 'not_your_job' } });
  const job = await claimJob(draftId);
  expect((await pdm.worker.get(`/versions/${draftId}/artifacts/source/file`)).bytes.toString()).toBe('the part');
  expect(await pdm.worker.upload(draftId, 'glb', 'x')).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
  expect(await result('glb', { 'x-job-attempt': String(job.attempt + 1) })).toMatchObject({
    status: 409,
    body: { code: 'lease_lost' },
  });
  const glb = await result('glb', { 'x-job-attempt': String(job.attempt) });
  expect(glb).toMatchObject({
    status: 201,
    body: { generator: 'test/1', inputSha256: sha256Of('the part'), jobId: job.id, stale: false },
  });
  expect((await pdm.viewer.get(`/documents/${id}/thumbnail`)).status).toBe(404);
  expect((await pdm.viewer.get(`/documents/${id}`)).body.thumbnailUrl).toBeNull();
  expect((await result('thumbnail')).status).toBe(201);
  expect((await pdm.viewer.get(`/documents/${id}`)).body.thumbnailUrl).toBe(`/api/v1/documents/${id}/thumbnail`);
  expect((await pdm.viewer.get(`/documents/${id}/thumbnail`)).bytes).toEqual(resultFile('thumbnail', 'a thumbnail'));
});

test('rejects a result whose source has changed and marks earlier results as stale', async () => {
  const { draftId } = await document();
  await pdm.editor.upload(draftId, 'source', 'one');
  await claimJob(draftId);
  const result = (kind: string) =>
    pdm.worker.upload(draftId, kind, resultFile(kind, 'x'), {
      headers: { 'x-generator': 'test/1', 'x-input-sha256': sha256Of('one') },
    });
  await result('glb');
  await pdm.editor.upload(draftId, 'source', 'two');
  expect(await result('properties')).toMatchObject({
    status: 409,
    body: { code: 'stale_input', expectedSha256: sha256Of('one'), currentSha256: sha256Of('two') },
  });
  const { items } = (await pdm.viewer.get(`/versions/${draftId}/artifacts`)).body;
  expect(items.map(({ kind, stale }: { kind: string; stale: boolean }) => [kind, stale])).toEqual([
    ['glb', true],
    ['source', false],
  ]);
});

test('keeps the files of an archived document readable and rejects changes', async () => {
  const { id, draftId } = await document();
  const { body } = await pdm.editor.upload(draftId, 'source', 'kept');
  await pdm.editor.post(`/documents/${id}/archive`);
  const refused = { status: 409, body: { code: 'document_archived' } };
  expect(await pdm.editor.upload(draftId, 'source', 'more')).toMatchObject(refused);
  expect(await pdm.editor.delete(`/versions/${draftId}/artifacts/source`)).toMatchObject(refused);
  expect((await pdm.viewer.get(`/artifacts/${body.id}/file`)).bytes.toString()).toBe('kept');
});

test('returns 404 for an unknown artifact', async () => {
  const { draftId } = await document();
  for (const path of [
    `/artifacts/art_${UNKNOWN}`,
    `/artifacts/art_${UNKNOWN}/file`,
    '/artifacts/nonsense/file',
    `/versions/${draftId}/artifacts/glb/file`,
  ])
    expect(await pdm.viewer.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
