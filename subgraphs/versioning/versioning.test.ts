// Versions and workspaces: creation, numbering, naming, archiving and deletion.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, sha256Of } from '../../test/support/content.ts';
import { violatedInvariants } from '../../test/support/invariants.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { artifactsOf } from '../core/store/files/artifacts.ts';
import { change, find, get } from '../core/store/query/records.ts';
import { collection } from '../core/store/query/scope.ts';
import { createVersion } from './create-version.ts';
import { updateVersion } from './update-version.ts';
import { archiveWorkspace, unarchiveWorkspace } from './workspaces/archive-workspace.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { deleteWorkspace } from './workspaces/delete-workspace.ts';
import { updateWorkspace } from './workspaces/update-workspace.ts';

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

const contents = async (versionId: string) =>
  (await artifactsOf(on.scope, versionId)).map(({ kind, sha256 }) => [kind, sha256]);
const reserve = (workspaceId: string, userId: string) =>
  change(on.scope, 'workspaces', workspaceId, {
    reservation: { userId, since: new Date(), expiresAt: new Date(Date.now() + 60_000), note: null },
  });

test('freezes the draft as a version based on its predecessor, and bases the draft on it', async () => {
  const { documentId, workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'first');
  await on.upload(draftId, 'attachment.note', 'a note', 'note.txt');
  const first = await on.version(workspaceId);
  expect(first).toMatchObject({
    type: 'version',
    n: 1,
    name: 'V1',
    comment: null,
    basedOnVersionId: null,
    parents: [],
    documentId,
    workspaceId,
  });
  expect(await contents(first._id)).toEqual(await contents(draftId));
  await on.upload(draftId, 'source', 'second');
  expect(await contents(first._id)).not.toEqual(await contents(draftId));
  const second = await on.run(createVersion, { workspaceId, name: ' Serie 部品 ', comment: 'released to the shop' });
  expect(second).toMatchObject({
    n: 2,
    name: 'Serie 部品',
    comment: 'released to the shop',
    basedOnVersionId: first._id,
    parents: [first._id],
  });
  expect(second.contentHash).not.toBe(first.contentHash);
  expect(await get(on.scope, 'versions', draftId)).toMatchObject({
    basedOnVersionId: second._id,
    parents: [second._id],
  });
  expect(await get(on.scope, 'workspaces', workspaceId)).toMatchObject({ newestVersionId: second._id });
});

test('hashes equal content equally, regardless of derived files', async () => {
  const { workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'same');
  const before = await on.version(workspaceId);
  await on.claim(draftId);
  await on.result(draftId, 'glb', 'same');
  const after = await on.version(workspaceId);
  expect(await contents(after._id)).toHaveLength(2);
  expect(after.contentHash).toBe(before.contentHash);
});

test('numbers twenty concurrently created versions without gaps, each with its files', async () => {
  const { documentId, workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'content');
  const versions = await Promise.all(Array.from({ length: 20 }, () => on.version(workspaceId)));
  expect(versions.map(({ n }) => n).sort((a, b) => a! - b!)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(await get(on.scope, 'documents', documentId)).toMatchObject({ lastVersion: 20 });
  for (const { _id } of versions) expect(await contents(_id)).toHaveLength(1);
  const newest = versions.find(({ n }) => n === 20)!;
  expect(await get(on.scope, 'versions', draftId)).toMatchObject({ basedOnVersionId: newest._id });
});

test('numbers the versions of all workspaces of a document in one sequence', async () => {
  const { documentId, workspaceId } = await on.document();
  const first = await on.version(workspaceId);
  const branch = await on.run(createWorkspace, { documentId, name: 'variant', fromVersionId: first._id });
  const versions = await Promise.all([workspaceId, branch._id, workspaceId, branch._id].map((id) => on.version(id)));
  expect(new Set(versions.map(({ n }) => n))).toEqual(new Set([2, 3, 4, 5]));
});

test('freezes either the old or the new file during a concurrent upload', async () => {
  const { workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'before');
  for (let round = 0; round < 5; round++) {
    const [uploaded, version] = await Promise.all([
      on.upload(draftId, 'source', `after ${round}`),
      on.version(workspaceId),
    ]);
    const before = round ? `after ${round - 1}` : 'before';
    const [[, held] = []] = await contents(version._id);
    expect([sha256Of(before), uploaded.sha256]).toContain(held);
  }
});

test('creates a workspace with the content of its version, independent of other workspaces', async () => {
  const { documentId, workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'base');
  const version = await on.version(workspaceId);
  const branch = await on.run(createWorkspace, {
    documentId,
    name: 'variant',
    fromVersionId: version._id,
    description: 'lighter',
  });
  expect(branch).toMatchObject({
    documentId,
    name: 'variant',
    description: 'lighter',
    main: false,
    fromVersionId: version._id,
    newestVersionId: null,
  });
  expect(await contents(branch.draftId)).toEqual(await contents(version._id));
  expect(await get(on.scope, 'versions', branch.draftId)).toMatchObject({
    type: 'draft',
    basedOnVersionId: version._id,
    workspaceId: branch._id,
  });
  await on.upload(branch.draftId, 'source', 'changed');
  expect(await contents(draftId)).toEqual(await contents(version._id));
  expect(await on.version(branch._id)).toMatchObject({ n: 2, parents: [version._id] });
});

test('rejects creating a workspace from a draft, an unknown version or a version of another document', async () => {
  const one = await on.document();
  const other = await on.document();
  const version = await on.version(other.workspaceId);
  const create = (fromVersionId: string) =>
    on.run(createWorkspace, { documentId: one.documentId, name: 'variant', fromVersionId });
  await expect(create(version._id)).rejects.toMatchObject({ code: 'wrong_document' });
  await expect(create(one.draftId)).rejects.toMatchObject({ code: 'not_a_version' });
  await expect(create('ver_00000000000000000000000000')).rejects.toMatchObject({ code: 'not_found' });
});

test('keeps workspace names unique within a document, ignoring case, for concurrent requests too', async () => {
  const { documentId, workspaceId } = await on.document();
  const { _id: fromVersionId } = await on.version(workspaceId);
  const create = (name: string) => on.run(createWorkspace, { documentId, name, fromVersionId });
  await expect(create('MAIN')).rejects.toMatchObject({ code: 'name_taken' });
  const outcomes = await Promise.allSettled([create('Variant'), create('VARIANT'), create('variant')]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'name_taken' });
  const { _id } = await create('second');
  await expect(on.run(updateWorkspace, { id: _id, name: 'vaRIANT' })).rejects.toMatchObject({ code: 'name_taken' });
  expect(await on.run(updateWorkspace, { id: _id, name: 'Second', description: 'x' })).toMatchObject({
    name: 'Second',
    description: 'x',
  });
  expect(await on.run(updateWorkspace, { id: _id, description: null })).toMatchObject({
    name: 'Second',
    description: null,
  });
});

test('deletes a workspace without versions together with its draft, files and jobs', async () => {
  const { documentId, workspaceId, draftId } = await on.document();
  await expect(on.run(deleteWorkspace, { id: workspaceId })).rejects.toMatchObject({ code: 'last_workspace' });
  await on.upload(draftId, 'source', 'base');
  const version = await on.version(workspaceId);
  await expect(on.run(deleteWorkspace, { id: workspaceId })).rejects.toMatchObject({
    code: 'workspace_has_versions',
    details: { versions: [{ id: version._id, n: 1 }] },
  });
  const branch = await on.run(createWorkspace, { documentId, name: 'variant', fromVersionId: version._id });
  await on.upload(branch.draftId, 'source', 'other');
  expect(await on.run(deleteWorkspace, { id: branch._id })).toBe(true);
  for (const id of [branch._id, branch.draftId])
    expect(await find(on.scope, id === branch._id ? 'workspaces' : 'versions', id)).toBeNull();
  expect(await contents(branch.draftId)).toEqual([]);
  expect(await collection(on.scope, 'jobs').countDocuments({ versionId: branch.draftId })).toBe(0);
});

test('rejects every write to an archived workspace until it is unarchived', async () => {
  const { workspaceId, draftId } = await on.document();
  await on.run(archiveWorkspace, { id: workspaceId });
  const refused = { code: 'workspace_archived' };
  await expect(on.version(workspaceId)).rejects.toMatchObject(refused);
  await expect(on.upload(draftId, 'source', 'x')).rejects.toMatchObject(refused);
  await expect(on.run(updateWorkspace, { id: workspaceId, name: 'x' })).rejects.toMatchObject(refused);
  await expect(on.run(updateVersion, { id: draftId, comment: 'x' })).rejects.toMatchObject(refused);
  await expect(on.run(deleteWorkspace, { id: workspaceId })).rejects.toMatchObject(refused);
  expect(await on.run(unarchiveWorkspace, { id: workspaceId })).toMatchObject({ archived: false });
  expect(await on.run(unarchiveWorkspace, { id: workspaceId })).toMatchObject({ archived: false });
  expect(await on.version(workspaceId)).toMatchObject({ n: 1 });
});

test('rejects every write to an archived document', async () => {
  const { documentId, workspaceId, draftId } = await on.document();
  const version = await on.version(workspaceId);
  await change(on.scope, 'documents', documentId, { archived: true });
  const refused = { code: 'document_archived' };
  await expect(on.version(workspaceId)).rejects.toMatchObject(refused);
  await expect(on.upload(draftId, 'source', 'x')).rejects.toMatchObject(refused);
  await expect(on.upload(version._id, 'thumbnail', 'x')).rejects.toMatchObject(refused);
  await expect(on.run(createWorkspace, { documentId, name: 'x', fromVersionId: version._id })).rejects.toMatchObject(
    refused,
  );
  await expect(on.run(archiveWorkspace, { id: workspaceId })).rejects.toMatchObject(refused);
  await expect(on.run(unarchiveWorkspace, { id: workspaceId })).rejects.toMatchObject(refused);
  await expect(on.run(updateVersion, { id: version._id, name: 'x' })).rejects.toMatchObject(refused);
});

test('rejects draft writes and archiving while another user reserves the workspace', async () => {
  const { workspaceId, draftId } = await on.document();
  await reserve(workspaceId, 'usr_editor');
  const other = requestAs('editor', 'usr_other');
  const refused = { code: 'workspace_reserved', details: { holder: { id: 'usr_editor' } } };
  await expect(on.as(other, createVersion, { workspaceId })).rejects.toMatchObject(refused);
  await expect(on.as(other, updateVersion, { id: draftId, comment: 'x' })).rejects.toMatchObject(refused);
  await expect(on.as(other, archiveWorkspace, { id: workspaceId })).rejects.toMatchObject(refused);
  await expect(on.version(workspaceId)).resolves.toMatchObject({ n: 1 });
});

test('updates the name and comment of a version, and keeps its content', async () => {
  const { workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'x');
  const version = await on.version(workspaceId);
  const changed = await on.run(updateVersion, { id: version._id, name: 'Serie', comment: 'why' });
  expect(changed).toMatchObject({ name: 'Serie', comment: 'why', n: 1, contentHash: version.contentHash });
  expect(await on.run(updateVersion, { id: version._id, comment: null })).toMatchObject({
    name: 'Serie',
    comment: null,
  });
  expect(await on.run(updateVersion, { id: draftId, comment: 'in work' })).toMatchObject({
    type: 'draft',
    comment: 'in work',
  });
});
