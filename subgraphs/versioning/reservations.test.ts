// Reservations: check-out, heartbeat, check-in, check-in requests, and which commands they block.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, type Place } from '../../test/support/content.ts';
import { violatedInvariants } from '../../test/support/invariants.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { deleteArtifact } from '../artifacts/delete-artifact.ts';
import { change, get } from '../core/store/query/records.ts';
import { collection } from '../core/store/query/scope.ts';
import { ensureUser } from '../core/store/users.ts';
import type { Command } from '../core/work.ts';
import { archiveDocument } from '../documents/archive-document.ts';
import { deleteDocument } from '../documents/delete-document.ts';
import { createVersion } from './create-version.ts';
import { restoreVersion } from './restore-version.ts';
import { releaseVersion } from './revisions/release-version.ts';
import { takeOver } from './take-over.ts';
import { undoDraftChange } from './undo-draft-change.ts';
import { updateVersion } from './update-version.ts';
import { archiveWorkspace } from './workspaces/archive-workspace.ts';
import { checkinWorkspace } from './workspaces/checkin-workspace.ts';
import { checkoutWorkspace, heartbeatCheckout } from './workspaces/checkout-workspace.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { deleteWorkspace } from './workspaces/delete-workspace.ts';
import { requestCheckin } from './workspaces/request-checkin.ts';
import { updateWorkspace } from './workspaces/update-workspace.ts';

let store: TestStore;
let on: ReturnType<typeof content>;
let now = new Date('2026-01-01T12:00:00Z');
beforeAll(async () => {
  store = await testStore({ clock: () => now, limits: { reservationSeconds: 900 } });
  on = content(store.services);
  for (const [_id, name] of [
    ['usr_me', 'Me'],
    ['usr_berta', 'Berta Bauer'],
  ] as const)
    await ensureUser(on.scope, { _id, name, role: 'editor', disabled: false, oidc: null, createdAt: now });
});
afterAll(async () => {
  expect(await violatedInvariants(on.scope, { hasDirectWrites: true })).toEqual([]);
  await store.close();
});

const me = requestAs('editor', 'usr_me');
const berta = requestAs('editor', 'usr_berta');
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};
const checkout = (request: typeof me, id: string, more: { ttlSeconds?: number; note?: string | null } = {}) =>
  on.as(request, checkoutWorkspace, { id, ...more });

test('lets one of twenty concurrent users check out, and names the holder to the others', async () => {
  const { workspaceId } = await on.document();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => checkout(requestAs('editor', `usr_${i}`), workspaceId)),
  );
  const [winner, ...more] = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value.userId] : [],
  );
  expect(more).toEqual([]);
  expect((await get(on.scope, 'workspaces', workspaceId)).reservation?.userId).toBe(winner);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ code: 'workspace_reserved', details: { holder: { id: winner } } });
});

test('reserves for the requested time, and extends it by heartbeats without audit records', async () => {
  const { documentId, workspaceId } = await on.document();
  const start = now;
  expect(await checkout(me, workspaceId, { ttlSeconds: 120, note: ' the hole ' })).toMatchObject({
    userId: 'usr_me',
    since: start,
    note: 'the hole',
  });
  later(100);
  const records = () => collection(on.scope, 'audit').countDocuments({ documentId });
  const before = await records();
  expect(await on.as(me, heartbeatCheckout, { id: workspaceId })).toMatchObject({
    since: start,
    expiresAt: new Date(start.getTime() + 220_000),
  });
  expect(await on.as(me, heartbeatCheckout, { id: workspaceId, ttlSeconds: 60 })).toMatchObject({
    expiresAt: new Date(start.getTime() + 160_000),
  });
  expect(await records()).toBe(before);
  await expect(checkout(berta, workspaceId)).rejects.toMatchObject({
    code: 'workspace_reserved',
    message: expect.stringContaining('reserved by Me until'),
    details: { workspaceId, holder: { id: 'usr_me', name: 'Me' }, expiresAt: '2026-01-01T12:02:40.000Z' },
  });
  later(60);
  expect(await checkout(berta, workspaceId)).toMatchObject({
    userId: 'usr_berta',
    since: now,
    note: null,
    expiresAt: new Date(now.getTime() + 900_000),
  });
  expect(await records()).toBe(before + 1);
});

test('extends reservations stored without ttlSeconds by the default time', async () => {
  const { workspaceId } = await on.document();
  const old = { userId: 'usr_me', since: now, expiresAt: new Date(now.getTime() + 5000), note: null };
  await change(on.scope, 'workspaces', workspaceId, { reservation: old });
  expect(await on.as(me, heartbeatCheckout, { id: workspaceId })).toMatchObject({
    expiresAt: new Date(now.getTime() + 900_000),
  });
});

test('lets only administrators end a reservation of another user, and records it', async () => {
  const { documentId, workspaceId } = await on.document();
  await checkout(me, workspaceId, { note: 'mine' });
  await expect(on.as(berta, checkinWorkspace, { id: workspaceId })).rejects.toMatchObject({
    code: 'forbidden',
    details: { holder: { name: 'Me' } },
  });
  await expect(on.as(berta, checkinWorkspace, { id: workspaceId, force: true })).rejects.toMatchObject({
    code: 'admin_only',
  });
  const admin = requestAs('admin');
  await expect(on.as(admin, checkinWorkspace, { id: workspaceId })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await on.as(admin, checkinWorkspace, { id: workspaceId, force: true })).toMatchObject({ reservation: null });
  const record = await collection(on.scope, 'audit').findOne({ documentId, action: 'workspace.checked_in' });
  expect(record).toMatchObject({ by: { id: 'usr_admin' }, changes: { reservedBy: { from: 'usr_me', to: null } } });
  await expect(on.as(me, heartbeatCheckout, { id: workspaceId })).rejects.toMatchObject({ code: 'lease_lost' });
});

test('stores and records check-in requests once, until the reservation ends', async () => {
  const { documentId, workspaceId } = await on.document();
  const before = (await get(on.scope, 'documents', documentId)).updatedAt;
  later(1);
  await checkout(me, workspaceId);
  const records = () =>
    collection(on.scope, 'audit').find({ documentId, action: 'workspace.checkin_requested' }).toArray();
  const request = (note?: string | null) => on.as(berta, requestCheckin, { id: workspaceId, note });
  const asks = [{ userId: 'usr_berta', at: now, note: 'for a drawing' }];
  expect(await request(' for a drawing ')).toMatchObject({ workspaceId, userId: 'usr_me', asks });
  const requestedAt = now;
  later(60);
  expect(await request()).toMatchObject({ asks: [{ at: requestedAt }] });
  const [record, ...more] = await records();
  expect(record).toMatchObject({
    by: { id: 'usr_berta' },
    workspaceId,
    changes: { holderId: { from: null, to: 'usr_me' }, note: { from: null, to: 'for a drawing' } },
  });
  expect(more).toEqual([]);
  later(240);
  await on.as(me, heartbeatCheckout, { id: workspaceId });
  expect(await request('soon?')).toMatchObject({ asks: [{ userId: 'usr_berta', at: now, note: 'soon?' }] });
  expect((await records()).length).toBe(2);
  await on.as(me, checkinWorkspace, { id: workspaceId });
  expect((await get(on.scope, 'documents', documentId)).updatedAt).toEqual(before); // only content counts as a change
  expect(await checkout(me, workspaceId)).not.toHaveProperty('asks');
  const [end] = await collection(on.scope, 'audit').find({ documentId, action: 'workspace.checked_in' }).toArray();
  expect(end?.changes.requestedBy).toEqual({ from: ['usr_berta'], to: [] });
});

test('records or rejects each check-in request that is concurrent with the check-in', async () => {
  const { documentId, workspaceId } = await on.document();
  await checkout(me, workspaceId);
  const requests = Array.from({ length: 12 }, (_, i) =>
    on.as(requestAs('editor', `usr_${i}`), requestCheckin, { id: workspaceId }),
  );
  const outcomes = await Promise.allSettled([
    ...requests.slice(0, 6),
    on.as(me, checkinWorkspace, { id: workspaceId }),
    ...requests.slice(6),
  ]);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  expect(refused).toEqual(refused.map(() => 'not_reserved_by_other'));
  expect((await get(on.scope, 'workspaces', workspaceId)).reservation).toBeNull();
  const records = await collection(on.scope, 'audit')
    .find({ documentId, action: /^workspace\.check/ })
    .sort({ chainSeq: 1 })
    .toArray();
  // no request follows the check-in, whose record names all users with a request
  const requesters = records.filter(({ action }) => action === 'workspace.checkin_requested').map(({ by }) => by.id);
  expect(requesters.length).toBe(12 - refused.length);
  expect(records.at(-1)?.action).toBe('workspace.checked_in');
  expect(records.at(-1)?.changes.requestedBy?.from ?? []).toEqual(requesters);
});

// the holder of the workspace, and whether it or its document is archived; usr_me runs the commands
const STATES = ['nobody', 'me', 'me, expired', 'berta', 'berta, expired', 'archived', 'document archived'] as const;
type State = (typeof STATES)[number];
const outcomes = (free: string, own: string, other: string): Record<State, string> => ({
  nobody: free,
  me: own,
  'me, expired': free,
  berta: other,
  'berta, expired': free,
  archived: 'workspace_archived',
  'document archived': 'document_archived',
});
const draftWrite = outcomes('nobody', 'me', 'workspace_reserved');
const alwaysAllowed = outcomes('nobody', 'me', 'berta');
type Held = Place & { versionId: string; auditId: string };
/** `once`: the command cannot run twice on a workspace, so the next run needs another one. */
type Case = { run(target: Held): Promise<unknown>; outcomes: Record<State, string>; once?: true };
const runs =
  <I, R>(command: Command<I, R>, input: (target: Held) => I): Case['run'] =>
  (target) =>
    on.as(me, command, input(target));
const deletes = outcomes('gone', 'gone', 'workspace_reserved');

const CASES: Record<string, Case> = {
  checkout: {
    run: runs(checkoutWorkspace, ({ workspaceId: id }) => ({ id })),
    outcomes: outcomes('me', 'me', 'workspace_reserved'),
  },
  heartbeat: {
    run: runs(heartbeatCheckout, ({ workspaceId: id }) => ({ id })),
    outcomes: outcomes('lease_lost', 'me', 'workspace_reserved'),
  },
  'request check-in': {
    run: runs(requestCheckin, ({ workspaceId: id }) => ({ id })),
    outcomes: outcomes('not_reserved_by_other', 'not_reserved_by_other', 'berta'),
  },
  checkin: {
    run: runs(checkinWorkspace, ({ workspaceId: id }) => ({ id })),
    outcomes: outcomes('nobody', 'nobody', 'forbidden'),
  },
  upload: {
    run: ({ draftId }) => on.upload(draftId, 'attachment.note', 'x', 'x.txt', 'editor', 'usr_me'),
    outcomes: draftWrite,
  },
  'delete file': {
    run: runs(deleteArtifact, ({ draftId: versionId }) => ({ versionId, kind: 'source' })),
    outcomes: draftWrite,
    once: true,
  },
  'update draft': { run: runs(updateVersion, ({ draftId: id }) => ({ id, comment: 'x' })), outcomes: draftWrite },
  'create version': { run: runs(createVersion, ({ workspaceId }) => ({ workspaceId })), outcomes: draftWrite },
  'take over': {
    run: runs(takeOver, ({ workspaceId, versionId }) => ({ workspaceId, versionId, force: true })),
    outcomes: draftWrite,
  },
  restore: {
    run: runs(restoreVersion, ({ workspaceId, versionId }) => ({ workspaceId, versionId })),
    outcomes: draftWrite,
  },
  undo: { run: runs(undoDraftChange, ({ workspaceId, auditId }) => ({ workspaceId, auditId })), outcomes: draftWrite },
  archive: { run: runs(archiveWorkspace, ({ workspaceId: id }) => ({ id })), outcomes: draftWrite },
  'archive document': {
    run: runs(archiveDocument, ({ documentId: id }) => ({ id })),
    outcomes: { ...draftWrite, archived: 'nobody' },
  },
  rename: {
    run: runs(updateWorkspace, ({ workspaceId: id }) => ({ id, name: `renamed ${id}` })),
    outcomes: alwaysAllowed,
  },
  release: {
    run: runs(releaseVersion, ({ versionId }) => ({ versionId })),
    outcomes: { ...alwaysAllowed, archived: 'nobody' },
    once: true,
  },
  'delete workspace': { run: runs(deleteWorkspace, ({ workspaceId: id }) => ({ id })), outcomes: deletes, once: true },
  'delete document': {
    run: runs(deleteDocument, ({ documentId: id }) => ({ id })),
    outcomes: { ...deletes, archived: 'gone' },
    once: true,
  },
};

let target: Held | undefined;
test.each(Object.entries(CASES))('%s respects reservations and archiving', async (_name, { run, outcomes, once }) => {
  for (const state of STATES) {
    target ??= await createBranch();
    await setState(target, state);
    const outcome = await run(target).then(
      () => holderOf(target!),
      (error) => error.code,
    );
    expect([state, outcome]).toEqual([state, outcomes[state]]);
    if (once && ['nobody', 'me', 'berta', 'gone'].includes(outcome)) target = undefined;
  }
});

// not main, so that it can be deleted; with a file and a backup to restore
async function createBranch(): Promise<Held> {
  const { documentId, workspaceId: main, draftId: mainDraft } = await on.document();
  await on.upload(mainDraft, 'source', 'one');
  const { _id: versionId } = await on.version(main);
  const { _id: workspaceId, draftId } = await on.run(createWorkspace, {
    documentId,
    name: 'branch',
    fromVersionId: versionId,
  });
  const { auditId } = await on.run(restoreVersion, { workspaceId, versionId });
  return { documentId, workspaceId, draftId, versionId, auditId };
}

async function setState({ documentId, workspaceId }: Place, state: State): Promise<void> {
  const [holder, expired] = state.split(', ');
  const expiresAt = new Date(now.getTime() + (expired ? 0 : 60_000));
  const held = holder === 'me' || holder === 'berta';
  await change(on.scope, 'workspaces', workspaceId, {
    archived: state === 'archived',
    reservation: held
      ? { userId: `usr_${holder}`, since: new Date(now.getTime() - 60_000), expiresAt, note: null }
      : null,
  });
  await change(on.scope, 'documents', documentId, { archived: state === 'document archived' });
}

async function holderOf({ workspaceId }: Place): Promise<string> {
  const workspace = await collection(on.scope, 'workspaces').findOne({ _id: workspaceId });
  if (!workspace) return 'gone';
  const { reservation } = workspace;
  return reservation && reservation.expiresAt > now ? reservation.userId.slice(4) : 'nobody';
}
