// Concurrent pairs of commands end as if one had run after the other.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content } from '../../test/support/content.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { DomainError } from '../core/domain/errors.ts';
import { deleteDocument } from '../documents/delete-document.ts';
import { releaseVersion } from '../versioning/revisions/release-version.ts';
import { takeBackRevision } from '../versioning/revisions/take-back-revision.ts';
import { referencesByVersion } from './references/read-references.ts';
import { updateReferences } from './references/update-references.ts';

// How often each pair runs; raise it with PDM_TEST_RACES=20.
const TRIES = Number(process.env.PDM_TEST_RACES ?? 3);

let store: TestStore;
let on: ReturnType<typeof content>;
beforeAll(async () => {
  store = await testStore({ limits: { releasePolicy: 'strict' } });
  on = content(store.services);
});
afterAll(() => store.close());

const using = (id: string, at = '') =>
  JSON.stringify({ templates: [{ reference: { location: `pdm://documents/${id}${at}` } }] });
const use = (draftId: string, id: string, at = '') => on.upload(draftId, 'asm-json', using(id, at), 'asm.json');
/** Returns `done` or the error code. */
const outcome = (command: Promise<unknown>): Promise<string> =>
  command.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );
const resolved = async (draftId: string) => (await referencesByVersion(on.scope, [draftId])).get(draftId)?.[0]?.status;

test('either deletes a document or references it', async () => {
  for (let i = 0; i < TRIES; i++) {
    const [part, assembly] = [await on.document(), await on.document('assembly')];
    await on.version(part.workspaceId);
    const [deleted, used] = await Promise.all([
      outcome(on.run(deleteDocument, { id: part.documentId })),
      outcome(use(assembly.draftId, part.documentId)),
    ]);
    expect(used).toBe('done'); // addresses may be unresolved
    expect([deleted, await resolved(assembly.draftId)]).toEqual(
      deleted === 'done' ? ['done', 'unresolved'] : ['document_in_use', 'resolved'],
    );
  }
});

test('stores one of two uploads that would form a cycle', async () => {
  for (let i = 0; i < TRIES; i++) {
    const [one, two] = [await on.document('assembly'), await on.document('assembly')];
    const outcomes = await Promise.all([
      outcome(use(one.draftId, two.documentId)),
      outcome(use(two.draftId, one.documentId)),
    ]);
    expect(outcomes.sort()).toEqual(['done', 'reference_cycle']);
  }
});

test('either takes back a release or references its label', async () => {
  for (let i = 0; i < TRIES; i++) {
    const [part, assembly] = [await on.document(), await on.document('assembly')];
    const { _id } = await on.run(releaseVersion, { versionId: (await on.version(part.workspaceId))._id });
    const [takenBack, used] = await Promise.all([
      outcome(on.as(requestAs('admin'), takeBackRevision, { id: _id })),
      outcome(use(assembly.draftId, part.documentId, '@A')),
    ]);
    expect(used).toBe('done');
    expect([takenBack, await resolved(assembly.draftId)]).toEqual(
      takenBack === 'done' ? ['done', 'unresolved'] : ['revision_in_use', 'resolved'],
    );
  }
});

test('never updates a reference to a release that was taken back meanwhile', async () => {
  for (let i = 0; i < TRIES; i++) {
    const [part, assembly] = [await on.document(), await on.document('assembly')];
    const release = async () => on.run(releaseVersion, { versionId: (await on.version(part.workspaceId))._id });
    await release();
    await use(assembly.draftId, part.documentId, '@A');
    const { _id } = await release();
    const [takenBack, update] = await Promise.all([
      outcome(on.as(requestAs('admin'), takeBackRevision, { id: _id })),
      updateReferences(on.context('editor'), { versionId: assembly.draftId }),
    ]);
    expect(await resolved(assembly.draftId)).toBe('resolved');
    expect([takenBack, update.changed.length]).toEqual(takenBack === 'done' ? ['done', 0] : ['revision_in_use', 1]);
  }
});

test('rejects the release of an assembly before its references under the strict policy', async () => {
  const [part, assembly] = [await on.document(), await on.document('assembly')];
  const { _id: partVersion } = await on.version(part.workspaceId);
  await use(assembly.draftId, part.documentId);
  const { _id: versionId } = await on.version(assembly.workspaceId);
  await expect(on.run(releaseVersion, { versionId })).rejects.toMatchObject({
    code: 'children_not_released',
    details: { children: [{ code: 'child_not_released', documentId: part.documentId, versionN: 1 }] },
  });
  await on.run(releaseVersion, { versionId: partVersion });
  expect((await on.run(releaseVersion, { versionId })).warnings).toEqual([]);
});
