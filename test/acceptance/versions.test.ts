import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Of } from '../support/content.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const UNKNOWN = 'ver_00000000000000000000000000';

async function model() {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const [main] = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items;
  return { id: body.id as string, number: body.number as string, main };
}

const make = (workspaceId: string, body: object = {}) => pdm.editor.post(`/workspaces/${workspaceId}/versions`, body);
const filesOf = async (versionId: string): Promise<{ kind: string; sha256: string; fileName: string }[]> =>
  (await pdm.viewer.get(`/versions/${versionId}/artifacts`)).body.items;

test('freezes the draft with number, name and files, and bases the draft on the new version', async () => {
  const { id, main } = await model();
  await pdm.editor.upload(main.draftId, 'source', 'first', { fileName: 'part.stp' });
  const created = await make(main.id, { comment: 'for review' });
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(`/api/v1/versions/${created.body.id}`);
  expect(created.body).toMatchObject({
    documentId: id,
    workspaceId: main.id,
    type: 'version',
    n: 1,
    name: 'V1',
    comment: 'for review',
  });
  expect(created.body).toMatchObject({
    basedOnVersionId: null,
    parents: [],
    releasedAs: null,
    contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  await pdm.editor.upload(main.draftId, 'source', 'second');
  expect(await filesOf(created.body.id)).toMatchObject([
    { kind: 'source', fileName: 'part.stp', sha256: sha256Of('first') },
  ]);
  const second = (await make(main.id, { name: '試作 2' })).body;
  expect(second).toMatchObject({ n: 2, name: '試作 2', basedOnVersionId: created.body.id, parents: [created.body.id] });
  expect((await pdm.viewer.get(`/versions/${main.draftId}`)).body).toMatchObject({
    type: 'draft',
    n: null,
    basedOnVersionId: second.id,
  });
  expect((await pdm.viewer.get(`/workspaces/${main.id}`)).body).toMatchObject({ newestVersionId: second.id });
  const document = (await pdm.viewer.get(`/documents/${id}`)).body;
  expect(document.versions.map(({ n }: { n: number }) => n)).toEqual([2, 1]);
  expect(document.revisions).toEqual([]);
  expect(document.reservations).toEqual([]);
});

test('returns a version in the form of a draft, with an ETag that changes with it', async () => {
  const { main } = await model();
  const { body } = await make(main.id);
  const read = await pdm.viewer.get(`/versions/${body.id}`);
  expect(read.body).toEqual(body);
  const etag = read.headers.get('etag') ?? '';
  expect((await pdm.viewer.get(`/versions/${body.id}`, { 'if-none-match': etag })).status).toBe(304);
  await pdm.editor.patch(`/versions/${body.id}`, { comment: 'changed' });
  expect((await pdm.viewer.get(`/versions/${body.id}`, { 'if-none-match': etag })).status).toBe(200);
});

test('updates the name and comment of versions and drafts', async () => {
  const { main } = await model();
  const { body } = await make(main.id);
  expect(
    await pdm.editor.patch(`/versions/${body.id}`, { name: 'Serie A', comment: 'released to the shop' }),
  ).toMatchObject({
    status: 200,
    body: { name: 'Serie A', comment: 'released to the shop', n: 1, contentHash: body.contentHash },
  });
  expect((await pdm.editor.patch(`/versions/${body.id}`, { comment: null })).body).toMatchObject({
    name: 'Serie A',
    comment: null,
  });
  expect((await pdm.editor.patch(`/versions/${main.draftId}`, { comment: 'in work' })).body).toMatchObject({
    type: 'draft',
    comment: 'in work',
  });
  expect((await pdm.editor.patch(`/versions/${body.id}`, { name: 'x'.repeat(201) })).status).toBe(400);
  expect((await pdm.editor.patch(`/versions/${body.id}`, { comment: 'x'.repeat(4001) })).status).toBe(400);
});

test('returns the audit records of a version, newest first', async () => {
  const { id, main } = await model();
  const { body } = await make(main.id);
  await pdm.editor.patch(`/versions/${body.id}`, { name: 'Serie' });
  const { items } = (await pdm.viewer.get(`/versions/${body.id}/audit`)).body;
  expect(items.map(({ action }: { action: string }) => action)).toEqual(['version.updated', 'version.created']);
  expect(items[0]).toMatchObject({
    documentId: id,
    versionId: body.id,
    by: { name: 'Ed Editor' },
    changes: { name: { from: 'V1', to: 'Serie' } },
  });
});

test('numbers concurrently created versions without gaps', async () => {
  const { main } = await model();
  const created = await Promise.all(Array.from({ length: 8 }, () => make(main.id)));
  expect(created.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(created.map(({ body }) => body.n).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('returns the versions of an archived document and rejects new ones', async () => {
  const { id, main } = await model();
  const { body } = await make(main.id);
  await pdm.editor.post(`/documents/${id}/archive`);
  const refused = { status: 409, body: { code: 'document_archived' } };
  expect(await make(main.id)).toMatchObject(refused);
  expect(await pdm.editor.patch(`/versions/${body.id}`, { name: 'x' })).toMatchObject(refused);
  expect((await pdm.viewer.get(`/versions/${body.id}`)).status).toBe(200);
});

test('returns 404 for missing records', async () => {
  for (const path of [
    `/versions/${UNKNOWN}`,
    `/versions/${UNKNOWN}/artifacts`,
    `/versions/${UNKNOWN}/audit`,
    '/versions/v1',
    '/revisions/rev_x',
  ])
    expect(await pdm.viewer.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await pdm.editor.patch(`/versions/${UNKNOWN}`, { name: 'x' })).status).toBe(404);
});
