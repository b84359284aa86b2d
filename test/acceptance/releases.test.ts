import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

async function model(count = 1) {
  const { body: document } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const versions: string[] = [];
  for (let n = 0; n < count; n++)
    versions.push((await pdm.editor.post(`/workspaces/${document.workspaces[0].id}/versions`)).body.id);
  return {
    id: document.id as string,
    draftId: document.drafts[0].id as string,
    versions,
    workspaceId: document.workspaces[0].id as string,
  };
}

const release = (versionId = '', body?: object) => pdm.editor.post(`/versions/${versionId}/release`, body);
const actions = (items: { action: string }[]) => items.map(({ action }) => action);

test('releases a version under the next label of its document', async () => {
  const { id, versions } = await model(2);
  const first = await release(versions[0], { comment: ' for production ' });
  expect(first.status).toBe(201);
  expect(first.headers.get('location')).toBe(`/api/v1/revisions/${first.body.id}`);
  expect(first.body).toEqual({
    id: expect.stringMatching(/^rev_[0-9a-z]{26}$/),
    documentId: id,
    versionId: versions[0],
    versionN: 1,
    label: 'A',
    ordinal: 1,
    comment: 'for production',
    obsolete: false,
    obsoletedAt: null,
    obsoletedBy: null,
    warnings: [],
    createdAt: expect.stringMatching(/Z$/),
    createdBy: { id: expect.stringMatching(/^usr_/), name: 'Ed Editor' },
  });
  expect((await release(versions[1])).body).toMatchObject({ label: 'B', versionN: 2, comment: null });
  expect((await pdm.viewer.get(`/revisions/${first.body.id}`)).body).toEqual(first.body);
  expect((await pdm.viewer.get(`/versions/${versions[0]}`)).body.releasedAs).toEqual({
    revisionId: first.body.id,
    label: 'A',
  });
  const { items } = (await pdm.viewer.get(`/documents/${id}/revisions`)).body;
  expect(items.map(({ label }: { label: string }) => label)).toEqual(['B', 'A']);
  expect((await pdm.viewer.get(`/documents/${id}`)).body.revisions).toEqual(items);
});

test('rejects the release of drafts, released versions and versions of archived documents', async () => {
  const { id, draftId, versions } = await model(2);
  const { body } = await release(versions[0]);
  expect(await release(draftId)).toMatchObject({ status: 422, body: { code: 'not_a_version' } });
  expect(await release(versions[0])).toMatchObject({
    status: 409,
    body: { code: 'already_released', label: 'A', revisionId: body.id },
  });
  expect(await release('ver_00000000000000000000000000')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await release(versions[1], { comment: 'x'.repeat(4001) })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
  expect(await pdm.viewer.post(`/versions/${versions[1]}/release`)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  await pdm.editor.post(`/documents/${id}/archive`);
  expect(await release(versions[1])).toMatchObject({ status: 409, body: { code: 'document_archived' } });
});

test('assigns labels without gaps to concurrent releases', async () => {
  const { versions } = await model(8);
  const released = await Promise.all(versions.map((id) => release(id)));
  expect(released.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(released.map(({ body }) => body.label).sort()).toEqual([...'ABCDEFGH']);
});

test('updates and clears the comment of a revision, and makes the revision obsolete only once', async () => {
  const { versions } = await model();
  const { body } = await release(versions[0], { comment: 'first' });
  expect(await pdm.editor.patch(`/revisions/${body.id}`, { comment: 'second' })).toMatchObject({
    status: 200,
    body: { comment: 'second' },
  });
  expect(await pdm.editor.patch(`/revisions/${body.id}`, {})).toMatchObject({
    status: 200,
    body: { comment: 'second' },
  });
  expect(await pdm.editor.patch(`/revisions/${body.id}`, { comment: null })).toMatchObject({
    status: 200,
    body: { comment: null },
  });
  expect(await pdm.editor.patch(`/revisions/${body.id}`, { label: 'Z' })).toMatchObject({ status: 400 });
  const obsolete = await pdm.editor.post(`/revisions/${body.id}/obsolete`);
  expect(obsolete).toMatchObject({
    status: 200,
    body: { label: 'A', obsolete: true, obsoletedBy: { name: 'Ed Editor' } },
  });
  expect(obsolete.body.obsoletedAt).toMatch(/Z$/);
  expect(await pdm.editor.post(`/revisions/${body.id}/obsolete`)).toMatchObject({
    status: 409,
    body: { code: 'already_obsolete' },
  });
  expect((await pdm.viewer.get(`/versions/${versions[0]}`)).body.releasedAs).toMatchObject({ label: 'A' });
});

test('lets an administrator take back a release without reusing its label, and keeps the history', async () => {
  const { id, versions } = await model(2);
  const { body } = await release(versions[0]);
  expect(await pdm.editor.delete(`/revisions/${body.id}`)).toMatchObject({ status: 403, body: { code: 'admin_only' } });
  expect((await pdm.admin.delete(`/revisions/${body.id}`)).status).toBe(204);
  expect((await pdm.admin.delete(`/revisions/${body.id}`)).status).toBe(404);
  expect((await pdm.viewer.get(`/revisions/${body.id}`)).status).toBe(404);
  expect((await pdm.viewer.get(`/versions/${versions[0]}`)).body.releasedAs).toBeNull();
  expect((await release(versions[0])).body).toMatchObject({ label: 'B', ordinal: 2 });
  const history = (await pdm.viewer.get(`/revisions/${body.id}/audit`)).body;
  expect(actions(history.items)).toEqual(['revision.taken_back', 'version.released']);
  expect(history.items[0]).toMatchObject({
    documentId: id,
    versionId: versions[0],
    changes: { label: { from: 'A', to: null } },
  });
  expect(await pdm.editor.delete(`/documents/${id}`)).toMatchObject({
    status: 409,
    body: { code: 'document_released' },
  });
});

test('returns the audit records of a revision page by page', async () => {
  const { id, versions } = await model();
  const { body } = await release(versions[0]);
  await pdm.editor.patch(`/revisions/${body.id}`, { comment: 'x' });
  await pdm.editor.post(`/revisions/${body.id}/obsolete`);
  const all = ['revision.obsoleted', 'revision.updated', 'version.released'];
  const first = (await pdm.viewer.get(`/revisions/${body.id}/audit?limit=2`)).body;
  const second = (await pdm.viewer.get(`/revisions/${body.id}/audit?limit=2&cursor=${first.nextCursor}`)).body;
  expect(actions([...first.items, ...second.items])).toEqual(all);
  expect(second.nextCursor).toBeNull();
  expect(actions((await pdm.viewer.get(`/versions/${versions[0]}/audit`)).body.items)).toEqual([
    ...all,
    'version.created',
  ]);
  expect(actions((await pdm.viewer.get(`/documents/${id}/audit?limit=3`)).body.items)).toEqual(all);
  expect((await pdm.viewer.get('/revisions/rev_nothing/audit')).status).toBe(404);
});

test('releases, rejects and takes back through GraphQL', async () => {
  const { versions } = await model();
  const mutation =
    'mutation ($id: ID!) { releaseVersion(versionId: $id, comment: "x") { id label version { releasedAs { label } } warnings { code } } }';
  const released = (await pdm.editor.graphql(mutation, { id: versions[0] })).body;
  expect(released.data.releaseVersion).toMatchObject({
    label: 'A',
    version: { releasedAs: { label: 'A' } },
    warnings: [],
  });
  expect((await pdm.editor.graphql(mutation, { id: versions[0] })).body.errors[0].extensions).toMatchObject({
    code: 'already_released',
    label: 'A',
  });
  const back = 'mutation ($id: ID!) { takeBackRevision(id: $id) }';
  const { id } = released.data.releaseVersion;
  expect((await pdm.editor.graphql(back, { id })).body.errors[0].extensions).toMatchObject({ code: 'admin_only' });
  expect((await pdm.admin.graphql(back, { id })).body.data).toEqual({ takeBackRevision: true });
});
