import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemblies } from '../support/assemblies.ts';
import { sha256Of } from '../support/content.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

/** main with v1 (source "one"), and a branch of it with v2 (source "two"). */
async function twoBranches() {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const [{ id: workspaceId, draftId }] = body.workspaces;
  await pdm.editor.upload(draftId, 'source', 'one');
  const v1 = (await pdm.editor.post(`/workspaces/${workspaceId}/versions`)).body.id as string;
  const branch = (await pdm.editor.post(`/documents/${body.id}/workspaces`, { name: 'branch', fromVersionId: v1 }))
    .body;
  await pdm.editor.upload(branch.draftId, 'source', 'two');
  const v2 = (await pdm.editor.post(`/workspaces/${branch.id}/versions`)).body.id as string;
  return { id: body.id as string, workspaceId: workspaceId as string, draftId: draftId as string, v1, v2, branch };
}

const takeOver = (workspaceId: string, body: object) => pdm.editor.post(`/workspaces/${workspaceId}/take-over`, body);
const restore = (workspaceId: string, versionId: string) =>
  pdm.editor.post(`/workspaces/${workspaceId}/restore`, { versionId });
const undo = (workspaceId: string, auditId: string) => pdm.editor.post(`/workspaces/${workspaceId}/undo`, { auditId });
const sourceOf = async (versionId: string) =>
  (await pdm.viewer.get(`/versions/${versionId}/artifacts/source/file`)).bytes.toString();

test('replaces the content of the draft by that of a version, and records both parents in the next version', async () => {
  const { workspaceId, draftId, v1, v2 } = await twoBranches();
  const { status, body } = await takeOver(workspaceId, { versionId: v2 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: draftId, type: 'draft', workspaceId, basedOnVersionId: v1, parents: [v1, v2] });
  expect(await sourceOf(draftId)).toBe('two');
  const version = (await pdm.editor.post(`/workspaces/${workspaceId}/versions`)).body;
  expect(version).toMatchObject({ n: 3, basedOnVersionId: v1, parents: [v1, v2] });
});

test('lists the changes that would be lost, and discards them only with force', async () => {
  const { workspaceId, draftId, v2 } = await twoBranches();
  await pdm.editor.upload(draftId, 'source', 'mine', { fileName: 'Größe 部品.stp' });
  const refused = await takeOver(workspaceId, { versionId: v2 });
  expect(refused).toMatchObject({ status: 409, body: { code: 'draft_would_lose' } });
  expect(refused.body.lost).toEqual([
    {
      what: 'file',
      kind: 'source',
      fileName: 'Größe 部品.stp',
      sha256: sha256Of('mine'),
      size: 4,
      changedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      changedBy: { id: expect.stringMatching(/^usr_/), name: 'Ed Editor' },
    },
  ]);
  expect(await sourceOf(draftId)).toBe('mine');
  const graphql = await pdm.editor.graphql(
    `mutation { takeOver(workspaceId: "${workspaceId}", versionId: "${v2}") { auditId } }`,
  );
  expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'draft_would_lose', lost: refused.body.lost });
  expect((await takeOver(workspaceId, { versionId: v2, force: true })).status).toBe(200);
  expect(await sourceOf(draftId)).toBe('two');
});

test('restores without confirmation, records the replaced content in the audit log, and can undo it', async () => {
  const { id, workspaceId, draftId, v1 } = await twoBranches();
  await pdm.editor.upload(draftId, 'source', 'mine');
  const restored = await restore(workspaceId, v1);
  expect(restored).toMatchObject({ status: 200, body: { id: draftId, basedOnVersionId: v1, parents: [v1] } });
  expect(await sourceOf(draftId)).toBe('one');
  const [record] = (await pdm.viewer.get(`/documents/${id}/audit?limit=1`)).body.items;
  expect(record).toMatchObject({
    id: restored.body.auditId,
    action: 'draft.restored',
    versionId: draftId,
    workspaceId,
  });
  expect(record.changes.source).toMatchObject({ from: { sha256: sha256Of('mine') }, to: { sha256: sha256Of('one') } });
  expect((Date.parse(restored.body.undoExpiresAt) - Date.parse(record.at)) / 86_400_000).toBe(30);
  const undone = await undo(workspaceId, record.id);
  expect(undone).toMatchObject({ status: 200, body: { id: draftId, parents: [v1] } });
  expect(await sourceOf(draftId)).toBe('mine');
  expect((await undo(workspaceId, undone.body.auditId)).status).toBe(200);
  expect(await sourceOf(draftId)).toBe('one');
});

test('names the version that a draft was restored from until a take-over, a new version or an undo', async () => {
  const { id, workspaceId, draftId, v1, v2 } = await twoBranches();
  const v3 = (await pdm.editor.post(`/workspaces/${workspaceId}/versions`)).body.id as string;
  const originOf = async (versionId: string) => {
    const { basedOnVersionId, parents, restoredFromVersionId } = (await pdm.viewer.get(`/versions/${versionId}`)).body;
    return { basedOnVersionId, parents, restoredFromVersionId };
  };
  const unrestored = { basedOnVersionId: v3, parents: [v3], restoredFromVersionId: null };
  expect(await originOf(draftId)).toEqual(unrestored);
  const first = (await restore(workspaceId, v1)).body;
  expect(first).toMatchObject({ parents: [v3, v1], restoredFromVersionId: v1 });
  const restored = { basedOnVersionId: v3, parents: [v3, v1], restoredFromVersionId: v1 };
  expect(await originOf(draftId)).toEqual(restored);

  const undone = (await undo(workspaceId, first.auditId)).body;
  expect(await originOf(draftId)).toEqual(unrestored);
  await undo(workspaceId, undone.auditId);
  expect(await originOf(draftId)).toEqual(restored);

  const takenOver = (await takeOver(workspaceId, { versionId: v2 })).body;
  expect(await originOf(draftId)).toEqual({ ...restored, parents: [v3, v2], restoredFromVersionId: null });
  await undo(workspaceId, takenOver.auditId);
  expect(await originOf(draftId)).toEqual(restored);

  const v4 = (await pdm.editor.post(`/workspaces/${workspaceId}/versions`)).body.id as string;
  expect(await originOf(v4)).toEqual(restored);
  expect(await originOf(draftId)).toEqual({ basedOnVersionId: v4, parents: [v4], restoredFromVersionId: null });
  const copy = (await pdm.editor.post(`/documents/${id}/copy`, { versionId: v4 })).body;
  const nothing = { basedOnVersionId: null, parents: [], restoredFromVersionId: null };
  expect(await originOf(copy.workspaces[0].draftId)).toEqual(nothing);
});

test('keeps the restored version as a parent when an undo follows a new version', async () => {
  const { workspaceId, v1, v2 } = await twoBranches();
  expect((await restore(workspaceId, v1)).body).toMatchObject({ parents: [v1], restoredFromVersionId: v1 });
  const { auditId } = (await takeOver(workspaceId, { versionId: v2 })).body;
  const v3 = (await pdm.editor.post(`/workspaces/${workspaceId}/versions`)).body.id as string;
  expect((await undo(workspaceId, auditId)).body).toMatchObject({
    basedOnVersionId: v3,
    parents: [v3, v1],
    restoredFromVersionId: v1,
  });
});

test('accepts only versions of the same document, and undoes only stored content', async () => {
  const { workspaceId, draftId, v1, branch } = await twoBranches();
  const other = await twoBranches();
  for (const action of ['take-over', 'restore']) {
    const send = (versionId?: string) => pdm.editor.post(`/workspaces/${workspaceId}/${action}`, { versionId });
    expect(await send(other.v1)).toMatchObject({ status: 422, body: { code: 'wrong_document' } });
    expect(await send(draftId)).toMatchObject({ status: 422, body: { code: 'not_a_version' } });
    expect(await send('ver_00000000000000000000000000')).toMatchObject({ status: 404 });
    expect(await send()).toMatchObject({ status: 400, body: { errors: [{ path: '/versionId' }] } });
    expect((await pdm.viewer.post(`/workspaces/${workspaceId}/${action}`, { versionId: v1 })).status).toBe(403);
  }
  const { auditId } = (await restore(workspaceId, v1)).body;
  expect(await undo(branch.id, auditId)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await undo(workspaceId, 'aud_nothing')).toMatchObject({ status: 404 });
});

test('rejects archived workspaces and documents', async () => {
  const { id, workspaceId, v1, branch } = await twoBranches();
  const { auditId } = (await restore(branch.id, v1)).body;
  await pdm.editor.post(`/workspaces/${branch.id}/archive`);
  const answers = () =>
    Promise.all([
      takeOver(branch.id, { versionId: v1, force: true }),
      restore(branch.id, v1),
      undo(branch.id, auditId),
    ]);
  for (const answer of await answers())
    expect(answer).toMatchObject({ status: 409, body: { code: 'workspace_archived' } });
  await pdm.editor.post(`/documents/${id}/archive`);
  for (const answer of await answers())
    expect(answer).toMatchObject({ status: 409, body: { code: 'document_archived' } });
  expect((await restore(workspaceId, v1)).status).toBe(409);
});

test('queues jobs for the new content only where results are missing', async () => {
  const { workspaceId, draftId, v1, v2 } = await twoBranches();
  const jobs = async () => (await pdm.viewer.get(`/versions/${draftId}/jobs`)).body.items.length;
  const before = await jobs();
  await takeOver(workspaceId, { versionId: v2 });
  await restore(workspaceId, v1);
  expect(await jobs()).toBe(before);
});

test('assembles restored content again only if its references have changed since', async () => {
  const make = assemblies(pdm.editor);
  const [part, other] = [await make.part(), await make.part()];
  const { workspaceId, draftId, ...item } = await make.assembly([[other]]);
  const [{ id: first }] = (await pdm.viewer.get(`/documents/${item.id}`)).body.versions;
  await make.use({ ...item, workspaceId, draftId }, [[part]]);
  const countAssembleJobs = async () => {
    const { body } = await restore(workspaceId, first);
    expect((await undo(workspaceId, body.auditId)).status).toBe(200);
    const { id } = await make.version({ ...item, workspaceId, draftId });
    return (await pdm.viewer.get(`/versions/${id}/jobs`)).body.items.length;
  };
  expect(await countAssembleJobs()).toBe(0);
  await make.version(part);
  expect(await countAssembleJobs()).toBe(1);
});
