// Releases, obsolete revisions and releases taken back, in every state and concurrently.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content } from '../../test/support/content.ts';
import { violatedInvariants } from '../../test/support/invariants.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { releaseImpact } from '../artifacts/references/release-impact.ts';
import { RELEASE_TRANSITIONS, type ReleaseAction } from '../core/domain/versions/release.ts';
import { revisionLabel } from '../core/domain/versions/revision-label.ts';
import { find, get } from '../core/store/query/records.ts';
import { collection, within } from '../core/store/query/scope.ts';
import type { Command } from '../core/work.ts';
import { archiveDocument, unarchiveDocument } from '../documents/archive-document.ts';
import { deleteDocument } from '../documents/delete-document.ts';
import { obsoleteRevision } from './revisions/obsolete-revision.ts';
import { releaseVersion } from './revisions/release-version.ts';
import { takeBackRevision } from './revisions/take-back-revision.ts';
import { updateRevision } from './revisions/update-revision.ts';
import { archiveWorkspace } from './workspaces/archive-workspace.ts';

let store: TestStore;
let on: ReturnType<typeof content>;
beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  on = content(store.services);
});
afterAll(async () => {
  expect(await violatedInvariants(on.scope, { hasDirectWrites: true })).toEqual([]);
  await store.close();
});

const release = (versionId: string) => on.run(releaseVersion, { versionId });
const codeOf = (error: { code: string }) => error.code;
const takeBack = (id: string) => on.as(requestAs('admin'), takeBackRevision, { id });
const oneTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

async function versions(count: number) {
  const target = await on.document();
  const ids: string[] = [];
  for (let n = 1; n <= count; n++) ids.push((await on.version(target.workspaceId))._id);
  return { ...target, versions: ids };
}

test('labels twenty concurrently released versions without gaps', async () => {
  const { documentId, versions: ids } = await versions(20);
  const released = await Promise.all(ids.map(release));
  expect(released.map(({ ordinal }) => ordinal).sort((a, b) => a - b)).toEqual(oneTo(20));
  for (const { label, ordinal, versionId, _id } of released) {
    expect(label).toBe(revisionLabel('asme', ordinal));
    expect(await get(on.scope, 'versions', versionId)).toMatchObject({ releasedAs: { revisionId: _id, label } });
  }
  expect(await get(on.scope, 'documents', documentId)).toMatchObject({ lastRevision: 20, updatedBy: 'usr_editor' });
});

test('releases a version once for ten concurrent requests', async () => {
  const { versions: ids } = await versions(1);
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => release(ids[0]!)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ code: 'already_released', details: { label: 'A' } });
});

test('never reuses a label, even after a release was taken back or the scheme changed', async () => {
  const { documentId, versions: ids } = await versions(5);
  const [one, two, three, four] = ids as [string, string, string, string];
  await release(one);
  const second = await release(two);
  expect(await takeBack(second._id)).toBe(true);
  expect(await release(two)).toMatchObject({ label: 'C', ordinal: 3 });
  const { revisionScheme } = store.services.limits;
  store.services.limits.revisionScheme = 'numeric';
  expect(await release(three)).toMatchObject({ label: '4', ordinal: 4 });
  // the tenth asme label is K, the eleventh letter of alpha26
  await collection(on.scope, 'documents').updateOne(
    { _id: documentId },
    { $set: { lastRevision: 10, takenBackLabels: ['B', 'K'] } },
  );
  store.services.limits.revisionScheme = 'alpha26';
  expect(await release(four)).toMatchObject({ label: 'L', ordinal: 12 });
  store.services.limits.revisionScheme = revisionScheme;
});

test('starts with label A in documents stored without lastRevision', async () => {
  const { documentId, versions: ids } = await versions(2);
  await collection(on.scope, 'documents').updateOne({ _id: documentId }, { $unset: { lastRevision: '' } });
  const first = await release(ids[0]!);
  expect(first).toMatchObject({ label: 'A', ordinal: 1, versionN: 1, warnings: [], obsolete: false });
  await collection(on.scope, 'documents').updateOne({ _id: documentId }, { $unset: { lastRevision: '' } });
  await takeBack(first._id);
  expect(await release(ids[1]!)).toMatchObject({ label: 'B', ordinal: 2 });
});

test('rejects deleting a document that was ever released, even if the release was taken back', async () => {
  const { documentId, versions: ids } = await versions(1);
  const revision = await release(ids[0]!);
  await expect(on.run(deleteDocument, { id: documentId })).rejects.toMatchObject({
    code: 'document_released',
    details: { revisions: [{ label: 'A' }] },
  });
  await takeBack(revision._id);
  await expect(on.run(deleteDocument, { id: documentId })).rejects.toMatchObject({ code: 'document_released' });
});

test('keeps a label that is being taken back out of concurrently created versions', async () => {
  const { documentId, versions: ids } = await versions(1);
  const { _id, label } = await release(ids[0]!);
  const { workspaceId, draftId } = await on.document('assembly');
  const text = JSON.stringify({
    templates: [{ ident: 'part', reference: { location: `pdm://documents/${documentId}@${label}` } }],
  });
  const createUser = async () => {
    await on.upload(draftId, 'asm-json', text, 'asm.json');
    return on.version(workspaceId);
  };
  const conflict = once(store.services.mongo.client, 'commandFailed');
  let creation: Promise<unknown> | undefined;
  await on.as(
    requestAs('admin'),
    async (work, input: { id: string }) => {
      await takeBackRevision(work, input);
      await collection(work, 'revisions').findOne({}, within(work)); // sends the writes so far
      // starts while nothing uses the label, and continues after this transaction
      creation ??= createUser().catch(codeOf);
      await Promise.race([creation, conflict]);
    },
    { id: _id },
  );
  expect(await creation).toBe('unresolved_reference');
});

test('releases versions of archived workspaces, but not of archived documents', async () => {
  const { documentId, workspaceId, versions: ids } = await versions(2);
  await on.run(archiveWorkspace, { id: workspaceId });
  const revision = await release(ids[0]!);
  expect(revision).toMatchObject({ label: 'A' });
  await on.run(archiveDocument, { id: documentId });
  const refused = { code: 'document_archived' };
  await expect(release(ids[1]!)).rejects.toMatchObject(refused);
  await expect(on.run(updateRevision, { id: revision._id, comment: 'x' })).rejects.toMatchObject(refused);
  await expect(on.run(obsoleteRevision, { id: revision._id })).rejects.toMatchObject(refused);
  await expect(takeBack(revision._id)).rejects.toMatchObject(refused);
  await on.run(unarchiveDocument, { id: documentId });
  expect(await on.run(obsoleteRevision, { id: revision._id })).toMatchObject({
    obsolete: true,
    obsoletedBy: 'usr_editor',
  });
});

// the next state, or the error code, by action and state
const STATES = ['draft', 'version', 'released', 'obsolete', 'taken back'] as const;
const OUTCOMES: Record<ReleaseAction | 'comment', Record<(typeof STATES)[number], string>> = {
  release: {
    draft: 'not_a_version',
    version: 'released',
    released: 'already_released',
    obsolete: 'already_released',
    'taken back': 'released',
  },
  obsolete: {
    draft: 'not_found',
    version: 'not_found',
    released: 'obsolete',
    obsolete: 'already_obsolete',
    'taken back': 'not_found',
  },
  take_back: {
    draft: 'not_found',
    version: 'not_found',
    released: 'version',
    obsolete: 'version',
    'taken back': 'not_found',
  },
  comment: {
    draft: 'not_found',
    version: 'not_found',
    released: 'released',
    obsolete: 'obsolete',
    'taken back': 'not_found',
  },
};
const COMMANDS = {
  release: releaseVersion,
  obsolete: obsoleteRevision,
  take_back: takeBackRevision,
  comment: updateRevision,
};

test.each(Object.entries(OUTCOMES))(
  '%s has the expected outcome in every state of a version',
  async (action, outcomes) => {
    for (const state of STATES) {
      const { versionId, revisionId } = await inState(state);
      const input = { versionId, id: revisionId, comment: 'changed' };
      const command = COMMANDS[action as keyof typeof COMMANDS] as Command<typeof input, unknown>;
      const outcome = await on.as(requestAs('admin'), command, input).then(() => stateOf(versionId), codeOf);
      expect([state, outcome]).toEqual([state, outcomes[state]]);
    }
  },
);

const ACTIONS = Object.keys(RELEASE_TRANSITIONS) as ReleaseAction[];

test.each(ACTIONS)(
  '%s matches its entry in RELEASE_TRANSITIONS, and its impact is rejected in the same states',
  async (action) => {
    const { from, to }: { from: readonly string[]; to: string } = RELEASE_TRANSITIONS[action];
    for (const state of STATES) {
      const { versionId } = await inState(state);
      const outcome = OUTCOMES[action][state];
      expect([state, from.includes(await stateOf(versionId)) ? to : 'refused']).toEqual([
        state,
        STATES.some((one) => one === outcome) ? outcome : 'refused',
      ]);
      const impact = await releaseImpact(on.context('viewer'), { versionId, action }).then(() => to, codeOf);
      expect([state, impact]).toEqual([state, outcome]);
    }
  },
);

async function inState(state: (typeof STATES)[number]): Promise<{ versionId: string; revisionId: string }> {
  const target = await on.document();
  if (state === 'draft') return { versionId: target.draftId, revisionId: 'rev_none' };
  const { _id: versionId } = await on.version(target.workspaceId);
  if (state === 'version') return { versionId, revisionId: 'rev_none' };
  const { _id: revisionId } = await release(versionId);
  if (state === 'obsolete') await on.run(obsoleteRevision, { id: revisionId });
  if (state === 'taken back') await takeBack(revisionId);
  return { versionId, revisionId };
}

async function stateOf(versionId: string): Promise<string> {
  const { type, releasedAs } = await get(on.scope, 'versions', versionId);
  if (!releasedAs) return type;
  return (await find(on.scope, 'revisions', releasedAs.revisionId))?.obsolete ? 'obsolete' : 'released';
}
