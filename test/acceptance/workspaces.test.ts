import { afterAll, beforeAll, expect, test } from 'vitest';
import { remove } from '../../subgraphs/core/store/query/records.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const UNKNOWN = '00000000000000000000000000';

async function model() {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const [main] = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items;
  return { id: body.id as string, number: body.number as string, main };
}

const versionOf = async (workspaceId: string) =>
  (await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {})).body;

test('creates a document with one workspace, main, with an empty draft', async () => {
  const { id, main } = await model();
  expect(main).toMatchObject({
    documentId: id,
    name: 'main',
    archived: false,
    fromVersionId: null,
    newestVersionId: null,
    reservation: null,
  });
  expect(main.createdBy).toEqual({ id: expect.stringMatching(/^usr_/), name: 'Ed Editor' });
  const draft = await pdm.viewer.get(`/versions/${main.draftId}`);
  expect(draft.body).toMatchObject({
    id: main.draftId,
    documentId: id,
    workspaceId: main.id,
    type: 'draft',
    parents: [],
    contentHash: null,
  });
  expect((await pdm.viewer.get(`/versions/${main.draftId}/artifacts`)).body.items).toEqual([]);
});

test('creates a workspace from a version, also by document number, and reads it', async () => {
  const { id, number, main } = await model();
  const version = await versionOf(main.id);
  const created = await pdm.editor.post(`/documents/${number.toLowerCase()}/workspaces`, {
    name: '軽量版',
    fromVersionId: version.id,
    description: 'lighter',
  });
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(`/api/v1/workspaces/${created.body.id}`);
  expect(created.body).toMatchObject({
    documentId: id,
    name: '軽量版',
    description: 'lighter',
    fromVersionId: version.id,
    archived: false,
  });
  expect((await pdm.viewer.get(`/workspaces/${created.body.id}`)).body).toEqual(created.body);
  const { body } = await pdm.viewer.get(`/documents/${id}`);
  expect(body.workspaces.map(({ name }: { name: string }) => name)).toEqual(['main', '軽量版']);
  expect(body.drafts.map((draft: { id: string }) => draft.id)).toEqual([main.draftId, created.body.draftId]);
});

test('rejects a name that exists in the document in any case', async () => {
  const { id, main } = await model();
  const { id: fromVersionId } = await versionOf(main.id);
  expect(await pdm.editor.post(`/documents/${id}/workspaces`, { name: 'Main', fromVersionId })).toMatchObject({
    status: 409,
    body: { code: 'name_taken', name: 'main', workspaceId: main.id },
  });
  const { body: fine } = await pdm.editor.post(`/documents/${id}/workspaces`, { name: '10 µm', fromVersionId });
  const taken = { status: 409, body: { code: 'name_taken', name: '10 µm', workspaceId: fine.id } };
  expect(await pdm.editor.post(`/documents/${id}/workspaces`, { name: '10 μM', fromVersionId })).toMatchObject(taken);
  expect(await pdm.editor.patch(`/workspaces/${main.id}`, { name: '10 μm' })).toMatchObject(taken);
  expect((await pdm.editor.patch(`/workspaces/${fine.id}`, { name: '10 μm' })).status).toBe(200);
});

test('reserves the new name and releases the old one after a rename', async () => {
  const { id, main } = await model();
  const { id: fromVersionId } = await versionOf(main.id);
  await pdm.editor.patch(`/workspaces/${main.id}`, { name: 'Serie' });
  const create = (name: string) => pdm.editor.post(`/documents/${id}/workspaces`, { name, fromVersionId });
  expect(await create('SERIE')).toMatchObject({
    status: 409,
    body: { code: 'name_taken', name: 'Serie', workspaceId: main.id },
  });
  expect((await create('main')).status).toBe(201);
});

test('rejects a draft or the version of another document as the base of a workspace', async () => {
  const [one, other] = [await model(), await model()];
  const foreign = await versionOf(other.main.id);
  const create = (fromVersionId: string) =>
    pdm.editor.post(`/documents/${one.id}/workspaces`, { name: 'x', fromVersionId });
  expect(await create(foreign.id)).toMatchObject({ status: 422, body: { code: 'wrong_document' } });
  expect(await create(one.main.draftId)).toMatchObject({ status: 422, body: { code: 'not_a_version' } });
  expect(await create(`ver_${UNKNOWN}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('updates name and description of a workspace, and records nothing for an empty change', async () => {
  const { id, main } = await model();
  const renamed = await pdm.editor.patch(`/workspaces/${main.id}`, { name: 'Serie', description: 'as built' });
  expect(renamed).toMatchObject({ status: 200, body: { name: 'Serie', description: 'as built' } });
  expect((await pdm.editor.patch(`/workspaces/${main.id}`, { description: null })).body).toMatchObject({
    name: 'Serie',
    description: null,
  });
  await pdm.editor.patch(`/workspaces/${main.id}`, { name: 'Serie' });
  const { items } = (await pdm.viewer.get(`/documents/${id}/audit`)).body;
  expect(items.map(({ action }: { action: string }) => action)).toEqual([
    'workspace.updated',
    'workspace.updated',
    'document.created',
  ]);
  expect(items[1].changes).toEqual({
    name: { from: 'main', to: 'Serie' },
    description: { from: null, to: 'as built' },
  });
});

test('returns an archived workspace and rejects writes to it until it is unarchived', async () => {
  const { main } = await model();
  expect(await pdm.editor.post(`/workspaces/${main.id}/archive`)).toMatchObject({
    status: 200,
    body: { archived: true },
  });
  const refused = { status: 409, body: { code: 'workspace_archived' } };
  expect(await pdm.editor.post(`/workspaces/${main.id}/versions`, {})).toMatchObject(refused);
  expect(await pdm.editor.patch(`/workspaces/${main.id}`, { name: 'x' })).toMatchObject(refused);
  expect(await pdm.editor.delete(`/workspaces/${main.id}`)).toMatchObject(refused);
  expect(await pdm.editor.upload(main.draftId, 'source', 'x')).toMatchObject(refused);
  expect((await pdm.viewer.get(`/workspaces/${main.id}`)).body).toMatchObject({ archived: true });
  expect(await pdm.editor.post(`/workspaces/${main.id}/unarchive`)).toMatchObject({
    status: 200,
    body: { archived: false },
  });
  expect((await pdm.editor.post(`/workspaces/${main.id}/versions`, {})).status).toBe(201);
});

test('deletes a workspace only without own versions, and never the last one', async () => {
  const { id, main } = await model();
  expect(await pdm.editor.delete(`/workspaces/${main.id}`)).toMatchObject({
    status: 409,
    body: { code: 'last_workspace' },
  });
  const version = await versionOf(main.id);
  expect(await pdm.editor.delete(`/workspaces/${main.id}`)).toMatchObject({
    status: 409,
    body: { code: 'workspace_has_versions', versions: [{ id: version.id, n: 1 }] },
  });
  const { body: branch } = await pdm.editor.post(`/documents/${id}/workspaces`, {
    name: 'branch',
    fromVersionId: version.id,
  });
  expect((await pdm.editor.delete(`/workspaces/${branch.id}`)).status).toBe(204);
  for (const path of [`/workspaces/${branch.id}`, `/versions/${branch.draftId}`])
    expect((await pdm.viewer.get(path)).status).toBe(404);
  expect((await pdm.viewer.get(`/documents/${id}`)).body.workspaces).toHaveLength(1);
});

test('returns 404 for unknown and malformed ids, and 403 without write permission', async () => {
  const { id, main } = await model();
  for (const wrong of [`wsp_${UNKNOWN}`, 'nonsense', 'wsp_%00', '$ne']) {
    expect((await pdm.viewer.get(`/workspaces/${wrong}`)).status).toBe(404);
    expect((await pdm.editor.patch(`/workspaces/${wrong}`, { name: 'x' })).status).toBe(404);
    expect((await pdm.editor.post(`/workspaces/${wrong}/archive`)).status).toBe(404);
    expect((await pdm.editor.post(`/workspaces/${wrong}/versions`, {})).status).toBe(404);
    expect((await pdm.editor.delete(`/workspaces/${wrong}`)).status).toBe(404);
  }
  expect((await pdm.viewer.get(`/documents/doc_${UNKNOWN}/workspaces`)).status).toBe(404);
  expect(await pdm.viewer.patch(`/workspaces/${main.id}`, { name: 'x' })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  expect(await pdm.viewer.post(`/workspaces/${main.id}/versions`, {})).toMatchObject({ status: 403 });
  expect((await pdm.anonymous.get(`/documents/${id}/workspaces`)).status).toBe(401);
  expect(
    await pdm.editor.post(`/documents/${id}/workspaces`, { name: ' ', fromVersionId: `ver_${UNKNOWN}` }),
  ).not.toMatchObject({ status: 201 });
});

test('returns the existing records when a deletion overtakes a read', async () => {
  const { id, main } = await model();
  const { body: version } = await pdm.editor.post(`/workspaces/${main.id}/versions`, {});
  const { body: branch } = await pdm.editor.post(`/documents/${id}/workspaces`, {
    name: 'short-lived',
    fromVersionId: version.id,
  });
  await pdm.editor.post(`/versions/${version.id}/release`, {});
  const scope = { db: pdm.services.mongo.db };
  const query = `query ($id: ID!, $workspace: ID!, $draft: ID!) {
    document(id: $id) { versions { releasedAs { label obsolete } } workspaces { name permissions { canDelete { code } } } }
    workspace(id: $workspace) { draft { id } }
    version(id: $draft) { reservation { since } permissions { canEdit { code } } }
  }`;

  // simulates a read that got the first record before the deletion and requests the second one after it
  await remove(scope, 'versions', branch.draftId);
  await remove(scope, 'revisions', (await pdm.viewer.get(`/documents/${id}`)).body.revisions[0].id);
  await remove(scope, 'workspaces', main.id);

  const { status, body } = await pdm.viewer.get(`/documents/${id}`);
  expect([status, body.workspaces.length, body.drafts]).toEqual([200, 1, []]);
  const { data, errors } = (await pdm.viewer.graphql(query, { id, workspace: branch.id, draft: main.draftId })).body;
  expect(data.document.versions).toEqual([{ releasedAs: { label: 'A', obsolete: false } }]);
  expect(data.version).toEqual({ reservation: null, permissions: { canEdit: { code: 'forbidden' } } });
  expect(errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual(['not_found']);
});
