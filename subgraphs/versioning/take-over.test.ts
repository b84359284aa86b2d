// Take-over, restore and undo of draft content.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, sha256Of } from '../../test/support/content.ts';
import { violatedInvariants } from '../../test/support/invariants.ts';
import { resultFile } from '../../test/support/result-files.ts';
import { type TestStore, testStore } from '../../test/support/store.ts';
import { deleteArtifact } from '../artifacts/delete-artifact.ts';
import { startBlobSweep } from '../artifacts/sweep-blobs.ts';
import { artifactsOf } from '../core/store/files/artifacts.ts';
import { find, get } from '../core/store/query/records.ts';
import { collection } from '../core/store/query/scope.ts';
import { ensureUser } from '../core/store/users.ts';
import { deleteDocument } from '../documents/delete-document.ts';
import { restoreVersion } from './restore-version.ts';
import { takeOver } from './take-over.ts';
import { undoDraftChange } from './undo-draft-change.ts';
import { updateVersion } from './update-version.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { deleteWorkspace } from './workspaces/delete-workspace.ts';

const DAY = 86_400_000;

let store: TestStore;
let on: ReturnType<typeof content>;
let ahead = 0;
beforeAll(async () => {
  store = await testStore({ clock: () => new Date(Date.now() + ahead) });
  on = content(store.services);
  await ensureUser(on.scope, {
    _id: 'usr_editor',
    name: 'Ed Editor',
    role: 'editor',
    disabled: false,
    oidc: null,
    createdAt: new Date(),
  });
});
afterAll(async () => {
  expect(await violatedInvariants(on.scope, { hasDirectWrites: true })).toEqual([]);
  await store.close();
});

/** Creates a document with v1 in main (source "one") and v2 in a branch of it (source "two", a note). */
async function twoBranches() {
  const { documentId, workspaceId, draftId } = await on.document();
  await on.upload(draftId, 'source', 'one');
  const v1 = await on.version(workspaceId);
  const branch = await on.run(createWorkspace, { documentId, name: 'branch', fromVersionId: v1._id });
  await on.upload(branch.draftId, 'source', 'two');
  await on.upload(branch.draftId, 'attachment.note', 'a note', 'note.txt');
  const v2 = await on.version(branch._id);
  return { documentId, workspaceId, draftId, v1, v2, branch };
}

const take = (workspaceId: string, versionId: string, force?: boolean) =>
  on.run(takeOver, { workspaceId, versionId, force });
const contents = async (versionId: string) =>
  (await artifactsOf(on.scope, versionId)).map(({ kind, sha256 }) => [kind, sha256]);
const jobsOf = (versionId: string) => collection(on.scope, 'jobs').find({ versionId }).sort({ seq: 1 }).toArray();
const derive = async (draftId: string, source: string) => {
  await on.claim(draftId);
  await on.result(draftId, 'glb', source);
};

test('replaces the content of a draft and makes the version its second parent', async () => {
  const { documentId, workspaceId, draftId, v1, v2 } = await twoBranches();
  const { draft, auditId } = await take(workspaceId, v2._id);
  expect(draft).toMatchObject({ _id: draftId, type: 'draft', basedOnVersionId: v1._id, parents: [v1._id, v2._id] });
  expect(await contents(draftId)).toEqual(await contents(v2._id));
  const record = await get(on.scope, 'audit', auditId);
  expect(record).toMatchObject({ action: 'draft.taken_over', documentId, workspaceId, versionId: draftId });
  expect(record.changes).toEqual({
    source: {
      from: expect.objectContaining({ sha256: sha256Of('one') }),
      to: expect.objectContaining({ sha256: sha256Of('two') }),
    },
    'attachment.note': { from: null, to: { fileName: 'note.txt', size: 6, sha256: sha256Of('a note') } },
    parents: { from: [v1._id], to: [v1._id, v2._id] },
  });
  const v3 = await on.version(workspaceId);
  expect(v3).toMatchObject({ n: 3, basedOnVersionId: v1._id, parents: [v1._id, v2._id], contentHash: v2.contentHash });
  expect(await get(on.scope, 'versions', draftId)).toMatchObject({ basedOnVersionId: v3._id, parents: [v3._id] });
});

test('keeps only the last version taken over as second parent, and none after a restore', async () => {
  const { workspaceId, draftId, v1, v2 } = await twoBranches();
  await take(workspaceId, v2._id);
  expect((await take(workspaceId, v1._id)).draft.parents).toEqual([v1._id]);
  await take(workspaceId, v2._id);
  expect((await on.run(restoreVersion, { workspaceId, versionId: v1._id })).draft).toMatchObject({
    basedOnVersionId: v1._id,
    parents: [v1._id],
  });
  expect(await contents(draftId)).toEqual(await contents(v1._id));
});

test('rejects losing content that no version has, unless forced, and names the last editor', async () => {
  const { documentId, workspaceId, draftId, v2 } = await twoBranches();
  await on.upload(draftId, 'source', 'mine', 'Gehäuse.stp');
  await on.upload(draftId, 'attachment.note', 'a note', 'note.txt');
  await on.upload(draftId, 'thumbnail', 'a picture', 'mine.png');
  const refused = await take(workspaceId, v2._id).catch((error) => error);
  expect(refused).toMatchObject({ code: 'draft_would_lose' });
  const changedBy = { id: 'usr_editor', name: 'Ed Editor' };
  expect(refused.details.lost).toEqual([
    {
      what: 'file',
      kind: 'source',
      fileName: 'Gehäuse.stp',
      sha256: sha256Of('mine'),
      size: 4,
      changedAt: expect.any(Date),
      changedBy,
    },
    {
      what: 'file',
      kind: 'thumbnail',
      fileName: 'mine.png',
      sha256: sha256Of('a picture'),
      size: 9,
      changedAt: expect.any(Date),
      changedBy,
    },
  ]);
  expect(await contents(draftId)).toContainEqual(['source', sha256Of('mine')]);
  // the same content in another draft does not count
  const other = await on.run(createWorkspace, { documentId, name: 'other', fromVersionId: v2._id });
  await on.upload(other.draftId, 'source', 'mine', 'Gehäuse.stp');
  await expect(take(workspaceId, v2._id)).rejects.toMatchObject({ code: 'draft_would_lose' });
  await take(workspaceId, v2._id, true);
  expect(await contents(draftId)).toEqual(await contents(v2._id));
});

test('allows a take-over if a version of any branch has the content', async () => {
  const { workspaceId, draftId, v2, branch } = await twoBranches();
  await on.upload(draftId, 'source', 'mine');
  await expect(take(workspaceId, v2._id)).rejects.toMatchObject({ code: 'draft_would_lose' });
  await on.upload(branch.draftId, 'source', 'mine');
  await on.version(branch._id);
  await take(workspaceId, v2._id);
  expect(await contents(draftId)).toEqual(await contents(v2._id));
});

test('rejects drafts, unknown versions and versions of other documents', async () => {
  const { workspaceId, branch } = await twoBranches();
  const other = await twoBranches();
  for (const command of [takeOver, restoreVersion]) {
    const run = (versionId: string) => on.run(command, { workspaceId, versionId });
    await expect(run(other.v2._id)).rejects.toMatchObject({ code: 'wrong_document' });
    await expect(run(branch.draftId)).rejects.toMatchObject({ code: 'not_a_version' });
    await expect(run('ver_none')).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('takes over derived files without queueing jobs', async () => {
  const { workspaceId, draftId, v2, branch } = await twoBranches();
  await derive(branch.draftId, 'two');
  const before = await jobsOf(draftId);
  const { draft } = await take(workspaceId, v2._id);
  expect((await contents(draftId)).map(([kind]) => kind)).toEqual(['attachment.note', 'glb', 'source']);
  const [glb] = (await artifactsOf(on.scope, draftId)).filter(({ kind }) => kind === 'glb');
  expect(glb).toMatchObject({ inputSha256: sha256Of('two'), generator: 'test/1', stale: false, versionId: draftId });
  // the draft awaits the running job of the version; no job of the draft was added
  expect(draft.awaitsJobs).toEqual((await jobsOf(branch.draftId)).map(({ _id }) => _id));
  expect((await jobsOf(draftId)).map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id));
});

test('delivers results of a running job of the version to the draft too', async () => {
  const { workspaceId, draftId, v2, branch } = await twoBranches();
  const job = await on.claim(branch.draftId);
  await take(workspaceId, v2._id);
  await on.result(branch.draftId, 'glb', 'two');
  expect(await contents(draftId)).toContainEqual(['glb', sha256Of(resultFile('glb', 'glb of two'))]);
  expect((await jobsOf(draftId)).map(({ inputSha256 }) => inputSha256)).toEqual([sha256Of('one')]);
  expect((await get(on.scope, 'versions', draftId)).awaitsJobs).toEqual([job._id]);
});

test('queues a job for a version without derived files and jobs, and cancels that of the replaced file', async () => {
  const { workspaceId, draftId, v2, branch } = await twoBranches();
  await collection(on.scope, 'jobs').updateMany(
    { versionId: branch.draftId },
    {
      $set: {
        status: 'failed',
        finishedAt: new Date(),
        error: { code: 'not_step', message: 'not a STEP file', final: true },
      },
    },
  );
  await on.upload(draftId, 'source', 'mine');
  await take(workspaceId, v2._id, true);
  const jobs = (await jobsOf(draftId)).map(({ type, status, inputSha256 }) => [type, status, inputSha256]);
  // v1 awaits the job for "one"; nothing else awaits the one for "mine"
  expect(jobs).toEqual([
    ['convert', 'waiting', sha256Of('one')],
    ['convert', 'cancelled', sha256Of('mine')],
    ['convert', 'waiting', sha256Of('two')],
  ]);
});

test('undoes a replacement by its audit record, and undoes the undo', async () => {
  const { workspaceId, draftId, v1, v2 } = await twoBranches();
  await on.upload(draftId, 'source', 'mine', 'mine.stp');
  await on.upload(draftId, 'thumbnail', 'a picture', 'mine.png');
  const mine = await contents(draftId);
  const replaced = await take(workspaceId, v2._id, true);
  const back = await on.run(undoDraftChange, { workspaceId, auditId: replaced.auditId });
  expect(back.draft).toMatchObject({ _id: draftId, basedOnVersionId: v1._id, parents: [v1._id] });
  expect(await contents(draftId)).toEqual(mine);
  expect((await artifactsOf(on.scope, draftId)).map(({ fileName }) => fileName)).toEqual(['mine.stp', 'mine.png']);
  expect((await jobsOf(draftId)).at(-1)).toMatchObject({ status: 'waiting', inputSha256: sha256Of('mine') });
  const again = await on.run(undoDraftChange, { workspaceId, auditId: back.auditId });
  expect(again.draft.parents).toEqual([v1._id, v2._id]);
  expect(await contents(draftId)).toEqual(await contents(v2._id));
  expect(new Set([replaced.auditId, back.auditId, again.auditId]).size).toBe(3);
});

test('makes the newest version and the second parent of the backup the parents after an undo', async () => {
  const { workspaceId, v1, v2 } = await twoBranches();
  await take(workspaceId, v2._id);
  const { auditId } = await on.run(restoreVersion, { workspaceId, versionId: v1._id });
  const v3 = await on.version(workspaceId);
  const { draft } = await on.run(undoDraftChange, { workspaceId, auditId });
  expect(draft).toMatchObject({ basedOnVersionId: v3._id, parents: [v3._id, v2._id] });
});

test('delivers results of a running job to the draft again after an undo', async () => {
  const { workspaceId, draftId, v1, v2, branch } = await twoBranches();
  const job = await on.claim(branch.draftId);
  await take(workspaceId, v2._id);
  const { auditId } = await on.run(restoreVersion, { workspaceId, versionId: v1._id });
  const { draft } = await on.run(undoDraftChange, { workspaceId, auditId });
  expect(draft.awaitsJobs).toEqual([job._id]);
  await on.result(branch.draftId, 'glb', 'two');
  expect(await contents(draftId)).toContainEqual(['glb', sha256Of(resultFile('glb', 'glb of two'))]);
  expect((await jobsOf(draftId)).map(({ inputSha256 }) => inputSha256)).toEqual([sha256Of('one')]);
});

test('undoes only replacements of the same workspace, and only for 30 days', async () => {
  const { workspaceId, v1, branch } = await twoBranches();
  const { auditId, undoExpiresAt } = await on.run(restoreVersion, { workspaceId, versionId: v1._id });
  expect(undoExpiresAt.getTime() - Date.now()).toBeGreaterThan(29 * DAY);
  const undo = (id: string, of: string) => on.run(undoDraftChange, { workspaceId: id, auditId: of });
  const refused = { code: 'not_found' };
  await expect(undo(branch._id, auditId)).rejects.toMatchObject(refused);
  await expect(undo(workspaceId, 'aud_none')).rejects.toMatchObject(refused);
  const { _id: uploaded } = (await collection(on.scope, 'audit').findOne({
    action: 'artifact.uploaded',
    workspaceId,
  }))!;
  await expect(undo(workspaceId, uploaded)).rejects.toMatchObject(refused);
  ahead = 30 * DAY + 1000;
  await expect(undo(workspaceId, auditId)).rejects.toMatchObject(refused);
  ahead = 0;
});

test('keeps the blobs of a backup as long as the backup exists', async () => {
  const { workspaceId, draftId, v1 } = await twoBranches();
  await on.upload(draftId, 'attachment.note', 'kept for a while', 'note.txt');
  const { auditId } = await on.run(restoreVersion, { workspaceId, versionId: v1._id });
  const sweep = startBlobSweep(store.services, { firstMs: DAY, blobAgeMs: -1000 });
  const sha256 = sha256Of('kept for a while');
  await sweep.runOnce();
  expect(await find(on.scope, 'blobs', sha256)).not.toBeNull();
  await collection(on.scope, 'draftBackups').deleteOne({ _id: auditId });
  await sweep.runOnce();
  expect(await find(on.scope, 'blobs', sha256)).toBeNull();
  await sweep.stop();
});

test('deletes backups with their workspace and document', async () => {
  const { documentId, workspaceId, v1 } = await twoBranches();
  const extra = await on.run(createWorkspace, { documentId, name: 'extra', fromVersionId: v1._id });
  for (const id of [workspaceId, extra._id]) await on.run(restoreVersion, { workspaceId: id, versionId: v1._id });
  const backups = () => collection(on.scope, 'draftBackups').countDocuments({ documentId });
  expect(await backups()).toBe(2);
  await on.run(deleteWorkspace, { id: extra._id });
  expect(await backups()).toBe(1);
  await on.run(deleteDocument, { id: documentId });
  expect(await backups()).toBe(0);
});

test('never loses an upload that is concurrent with a take-over', async () => {
  const { workspaceId, draftId, v2 } = await twoBranches();
  const two = await contents(v2._id);
  for (let round = 0; round < 3; round++) {
    const mine = sha256Of(`mine ${round}`);
    const [taken, uploaded] = await Promise.allSettled([
      take(workspaceId, v2._id),
      on.upload(draftId, 'source', `mine ${round}`),
    ]);
    expect(uploaded.status).toBe('fulfilled');
    const now = await contents(draftId);
    expect(now).toContainEqual(['source', mine]);
    if (taken.status === 'rejected')
      expect(taken.reason).toMatchObject({ code: 'draft_would_lose', details: { lost: [{ sha256: mine }] } });
    else expect(now).toEqual(two.map(([kind, sha256]) => [kind, kind === 'source' ? mine : sha256]));
    await take(workspaceId, v2._id, true);
  }
});

test('applies concurrent replacements one after the other and backs up each replaced content', async () => {
  const { workspaceId, draftId, v1, v2 } = await twoBranches();
  const before = await collection(on.scope, 'draftBackups').countDocuments({ draftId });
  const replacements = Array.from({ length: 6 }, (_, i) =>
    i % 2 ? on.run(restoreVersion, { workspaceId, versionId: v1._id }) : take(workspaceId, v2._id, true),
  );
  await Promise.all([...replacements, on.run(updateVersion, { id: draftId, comment: 'meanwhile' })]);
  expect([await contents(v1._id), await contents(v2._id)]).toContainEqual(await contents(draftId));
  expect(await collection(on.scope, 'draftBackups').countDocuments({ draftId })).toBe(before + 6);
  expect(await get(on.scope, 'versions', draftId)).toMatchObject({ comment: 'meanwhile' });
});

test('removes a file again if the backup did not contain it', async () => {
  const { branch, v2 } = await twoBranches();
  await on.run(deleteArtifact, { versionId: branch.draftId, kind: 'attachment.note' });
  const { auditId } = await on.run(restoreVersion, { workspaceId: branch._id, versionId: v2._id });
  expect(await contents(branch.draftId)).toEqual(await contents(v2._id));
  await on.run(undoDraftChange, { workspaceId: branch._id, auditId });
  expect((await contents(branch.draftId)).map(([kind]) => kind)).toEqual(['source']);
});
