// Named views of drafts and versions: names, order, limits, audit records and deletion.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemblies, type Item } from '../support/assemblies.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
let part: Item;
let version: string;
beforeAll(async () => {
  pdm = await startPdm();
  make = assemblies(pdm.editor);
  part = await make.model({ name: 'Bracket' });
  version = (await make.version(part)).id;
});
afterAll(() => pdm?.close());

const CAMERA = { position: [100, -100, 50], target: [0, 0, 10.5] };
const SCENE = {
  camera: { ...CAMERA, height: 220 },
  hidden: ['frame/bolt-1', 'lid'],
  transparent: ['housing'],
  sections: [{ axis: 'y', at: 12.5, flipped: true }],
  explode: 0.25,
};
const create = (id: string, name: string, scene: object = { camera: CAMERA }) =>
  pdm.editor.post(`/versions/${id}/views`, { name, scene });
const names = async (id: string, query = '') =>
  (await pdm.viewer.get(`/versions/${id}/views${query}`)).body.items.map(({ name }: { name: string }) => name);
const actions = async () =>
  (await pdm.viewer.get(`/versions/${version}/audit`)).body.items.map(({ action }: { action: string }) => action);

test('stores what a view shows with a version, also while the draft is reserved', async () => {
  await pdm.admin.post(`/workspaces/${part.workspaceId}/checkout`, {});
  const { status, body, headers } = await create(version, ' Cut open ', SCENE);
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/views/${body.id}`]);
  expect(body).toMatchObject({ name: 'Cut open', versionId: version, documentId: part.id, scene: SCENE });
  expect((await pdm.viewer.get(`/views/${body.id}`)).body).toEqual(body);
  const { body: plain } = await create(version, 'Plain');
  expect(plain.scene).toEqual({
    camera: { ...CAMERA, height: null },
    hidden: [],
    transparent: [],
    sections: [],
    explode: null,
  });
  expect(await names(version)).toEqual(['Cut open', 'Plain']);
  expect(await names(version, '?sort=-name')).toEqual(['Plain', 'Cut open']);
  expect(await names(part.draftId)).toEqual([]);
  expect((await actions()).slice(0, 2)).toEqual(['view.created', 'view.created']);
  await pdm.admin.post(`/workspaces/${part.workspaceId}/checkin`, {});
});

test('renames, replaces and deletes views, which keep their order', async () => {
  const [first] = (await pdm.viewer.get(`/versions/${version}/views`)).body.items;
  const renamed = await pdm.editor.patch(`/views/${first.id}`, { name: 'Section' });
  expect(renamed.body).toMatchObject({ name: 'Section', scene: SCENE });
  const replaced = await pdm.editor.patch(`/views/${first.id}`, { scene: { camera: CAMERA, explode: 1 } });
  expect(replaced.body).toMatchObject({ name: 'Section', scene: { explode: 1, hidden: [] } });
  expect(await names(version)).toEqual(['Section', 'Plain']);
  const before = await actions();
  await pdm.editor.patch(`/views/${first.id}`, { name: 'Section' }); // nothing changes
  expect(await actions()).toEqual(before);
  expect((await pdm.editor.delete(`/views/${first.id}`)).status).toBe(204);
  expect((await pdm.viewer.get(`/views/${first.id}`)).status).toBe(404);
  expect(await names(version)).toEqual(['Plain']);
  expect((await actions()).slice(0, 3)).toEqual(['view.deleted', 'view.updated', 'view.updated']);
});

test('a new version has the views of its draft, which both change independently', async () => {
  const other = await make.model({ name: 'Cover' });
  await create(other.draftId, 'Open', SCENE);
  await create(other.draftId, 'Closed');
  const { id } = await make.version(other);
  const { items } = (await pdm.viewer.get(`/versions/${id}/views`)).body;
  expect(items).toMatchObject([
    { name: 'Open', versionId: id, documentId: other.id, scene: SCENE },
    { name: 'Closed', versionId: id },
  ]);
  const [draftView] = (await pdm.viewer.get(`/versions/${other.draftId}/views`)).body.items;
  expect((await pdm.editor.delete(`/views/${draftView.id}`)).status).toBe(204);
  expect([await names(id), await names(other.draftId)]).toEqual([['Open', 'Closed'], ['Closed']]);
  expect((await pdm.editor.patch(`/views/${items[0].id}`, { name: 'Inside' })).status).toBe(200);
  expect(await names(id)).toEqual(['Inside', 'Closed']);
});

test('rejects a write with the tag of an earlier state, over REST and GraphQL', async () => {
  const [{ id }] = (await pdm.viewer.get(`/versions/${version}/views`)).body.items;
  const etag = String((await pdm.viewer.get(`/views/${id}`)).headers.get('etag'));
  expect((await pdm.editor.patch(`/views/${id}`, { name: 'Other' }, { 'if-match': etag })).status).toBe(200);
  expect((await pdm.editor.patch(`/views/${id}`, { name: 'Late' }, { 'if-match': etag })).status).toBe(412);
  const rename = async (name: string, expected: string) => {
    const query = 'mutation ($id: ID!, $name: String) { updateView(id: $id, name: $name) { etag } }';
    const { data, errors } = (await pdm.editor.graphql(query, { id, name }, { 'if-match': `"${expected}"` })).body;
    return errors?.[0]?.extensions.code ?? data.updateView.etag;
  };
  const { body } = await pdm.viewer.graphql('query ($id: ID!) { view(id: $id) { etag } }', { id });
  const current = body.data.view.etag;
  expect(await rename('Plain', current)).not.toBe(current);
  expect(await rename('Late', current)).toBe('precondition_failed');
  expect(await names(version)).toEqual(['Plain']);
});

test('rejects names that are taken, wrong values, viewers and archived documents', async () => {
  const taken = await create(version, 'PLAIN');
  expect([taken.status, taken.body.code]).toEqual([409, 'name_taken']);
  expect((await create(part.draftId, 'Plain')).status).toBe(201); // another version
  const wrong = await create(version, 'Wrong', { camera: { position: [1, 2], target: [0, 0, 0] }, explode: 2 });
  expect([wrong.status, wrong.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ['/scene/camera/position', '/scene/explode'],
  ]);
  expect((await create('ver_nothing', 'X')).status).toBe(404);
  expect((await pdm.viewer.post(`/versions/${version}/views`, { name: 'X', scene: SCENE })).status).toBe(403);

  const [view] = (await pdm.viewer.get(`/versions/${version}/views`)).body.items;
  await pdm.editor.post(`/documents/${part.id}/archive`);
  expect((await create(version, 'Late')).body.code).toBe('document_archived');
  expect((await pdm.editor.delete(`/views/${view.id}`)).body.code).toBe('document_archived');
  await pdm.editor.post(`/documents/${part.id}/unarchive`);
});

test('limits the views of a version', async () => {
  const { draftId } = await make.model({ name: 'Many views' });
  for (let n = 1; n <= 50; n++) expect((await create(draftId, `View ${n}`)).status).toBe(201);
  const { status, body } = await create(draftId, 'One more');
  expect([status, body.code, body.limit, body.allowed]).toEqual([400, 'validation_failed', 'views', 50]);
  expect((await names(draftId, '?limit=200')).length).toBe(50);
});

test('deletes views with their workspace and their document', async () => {
  const { id, workspaceId } = await make.model({ name: 'Short-lived' });
  const { id: fromVersionId } = (await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {})).body;
  const { body: side } = await pdm.editor.post(`/documents/${id}/workspaces`, { name: 'side', fromVersionId });
  const [{ body: one }, { body: other }] = [await create(side.draftId, 'Side'), await create(fromVersionId, 'Main')];
  await pdm.editor.delete(`/workspaces/${side.id}`);
  expect((await pdm.viewer.get(`/views/${one.id}`)).status).toBe(404);
  expect((await pdm.editor.delete(`/documents/${id}`)).status).toBe(204);
  expect((await pdm.viewer.get(`/views/${other.id}`)).status).toBe(404);
  expect((await pdm.admin.get('/audit/verify')).body).toMatchObject({ verdict: 'intact', errors: [] });
});
