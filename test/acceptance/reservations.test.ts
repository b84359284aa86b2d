import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_RESERVATION_TTL_SECONDS: '600' } });
});
afterAll(() => pdm.close());

async function model() {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const [{ id: workspaceId, draftId }] = body.workspaces;
  await pdm.editor.upload(draftId, 'source', 'one');
  const version = (await pdm.editor.post(`/workspaces/${workspaceId}/versions`)).body;
  return {
    id: body.id as string,
    workspaceId: workspaceId as string,
    draftId: draftId as string,
    versionId: version.id as string,
  };
}

const at = (workspaceId: string, action = 'checkout') => `/workspaces/${workspaceId}/${action}`;
const lasts = ({ since, expiresAt }: { since: string; expiresAt: string }) =>
  (Date.parse(expiresAt) - Date.parse(since)) / 1000;

test('checks a workspace out and in, and shows the reservation wherever the workspace is returned', async () => {
  const { id, workspaceId } = await model();
  const { status, body } = await pdm.editor.post(at(workspaceId), { note: 'moving the hole' });
  expect(status).toBe(200);
  expect(body).toEqual({
    workspaceId,
    by: { id: expect.stringMatching(/^usr_/), name: 'Ed Editor' },
    note: 'moving the hole',
    since: expect.stringMatching(/Z$/),
    expiresAt: expect.stringMatching(/Z$/),
    checkinRequests: [],
  });
  expect(lasts(body)).toBe(600);
  expect((await pdm.viewer.get(`/workspaces/${workspaceId}`)).body.reservation).toEqual(body);
  expect((await pdm.viewer.get(`/documents/${id}`)).body.reservations).toEqual([body]);
  const renewed = (await pdm.editor.post(at(workspaceId), { ttlSeconds: 3600 })).body;
  expect(renewed).toMatchObject({ since: body.since, note: body.note });
  expect(Date.parse(renewed.expiresAt)).toBeGreaterThan(Date.parse(body.expiresAt));
  expect(await pdm.editor.post(at(workspaceId, 'checkin'))).toMatchObject({
    status: 200,
    body: { id: workspaceId, reservation: null },
  });
  expect(await pdm.editor.post(at(workspaceId, 'checkin'))).toMatchObject({ status: 200, body: { reservation: null } });
  const { items } = (await pdm.viewer.get(`/documents/${id}/audit?limit=3`)).body;
  expect(items.map(({ action }: { action: string }) => action)).toEqual([
    'workspace.checked_in',
    'workspace.checked_out',
    'workspace.checked_out',
  ]);
});

test('rejects every write of others to a reserved draft with the holder and the expiry', async () => {
  const { id, workspaceId, draftId, versionId } = await model();
  const { expiresAt, by: holder } = (await pdm.editor.post(at(workspaceId))).body;
  const refused = { status: 423, body: { code: 'workspace_reserved', workspaceId, holder, expiresAt } };
  const { admin } = pdm;
  const writes = [
    admin.post(at(workspaceId)),
    admin.post(at(workspaceId, 'checkout/heartbeat')),
    admin.upload(draftId, 'source', 'two'),
    admin.delete(`/versions/${draftId}/artifacts/source`),
    admin.patch(`/versions/${draftId}`, { comment: 'x' }),
    admin.post(at(workspaceId, 'versions')),
    admin.post(at(workspaceId, 'take-over'), { versionId, force: true }),
    admin.post(at(workspaceId, 'restore'), { versionId }),
    admin.post(at(workspaceId, 'archive')),
    admin.delete(`/workspaces/${workspaceId}`),
    admin.post(`/documents/${id}/archive`),
    admin.delete(`/documents/${id}`),
  ];
  for (const answer of await Promise.all(writes)) expect(answer).toMatchObject(refused);
  const answer = await admin.upload(draftId, 'source', 'two');
  expect(answer.body.detail).toBe(`Workspace "main" is reserved by Ed Editor until ${expiresAt}.`);
  expect(
    (await admin.graphql(`mutation { createVersion(workspaceId: "${workspaceId}") { id } }`)).body.errors[0].extensions,
  ).toMatchObject({
    code: 'workspace_reserved',
    holder,
  });
  expect((await admin.patch(`/versions/${versionId}`, { comment: 'no draft' })).status).toBe(200);
  expect((await pdm.editor.upload(draftId, 'source', 'two')).status).toBe(201);
  expect((await pdm.editor.post(at(workspaceId, 'versions'))).status).toBe(201);
  expect((await pdm.viewer.get(`/workspaces/${workspaceId}`)).body.reservation).toMatchObject({ by: holder });
});

test('renews a reservation for its initial duration with a heartbeat, without an audit record', async () => {
  const { id, workspaceId } = await model();
  const { body } = await pdm.editor.post(at(workspaceId), { ttlSeconds: 7200 });
  const records = async () => (await pdm.viewer.get(`/documents/${id}/audit`)).body.items.length;
  const before = await records();
  const renewed = await pdm.editor.post(at(workspaceId, 'checkout/heartbeat'));
  expect(renewed).toMatchObject({ status: 200, body: { workspaceId, since: body.since } });
  expect(lasts(renewed.body)).toBeGreaterThanOrEqual(7200);
  expect(await records()).toBe(before);
  await pdm.editor.post(at(workspaceId, 'checkin'));
  expect(await pdm.editor.post(at(workspaceId, 'checkout/heartbeat'))).toMatchObject({
    status: 409,
    body: { code: 'lease_lost' },
  });
});

test('rejects a check-in by others, and lets an administrator force it', async () => {
  const { workspaceId } = await model();
  await pdm.admin.post(at(workspaceId));
  const checkin = at(workspaceId, 'checkin');
  expect(await pdm.editor.post(checkin)).toMatchObject({
    status: 403,
    body: { code: 'forbidden', holder: { name: 'Administrator' } },
  });
  expect(await pdm.editor.post(checkin, { force: true })).toMatchObject({ status: 403, body: { code: 'admin_only' } });
  await pdm.admin.post(checkin);
  await pdm.editor.post(at(workspaceId));
  expect(await pdm.admin.post(checkin)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await pdm.admin.post(checkin, { force: true })).toMatchObject({ status: 200, body: { reservation: null } });
});

// state of the reservation by the user who requests the check-in: the error, or the requesters afterwards
test.each([
  ['held by the editor', 'admin', { status: 200, checkinRequests: ['Administrator'] }],
  ['held by the editor', 'editor', { status: 409, code: 'not_reserved_by_other' }],
  ['held by the editor', 'viewer', { status: 403, code: 'forbidden' }],
  ['checked in', 'admin', { status: 409, code: 'not_reserved_by_other' }],
  ['expired', 'admin', { status: 409, code: 'not_reserved_by_other' }],
  ['archived', 'admin', { status: 409, code: 'workspace_archived' }],
  ['in an archived document', 'admin', { status: 409, code: 'document_archived' }],
] as const)('%s, requested by the %s', async (state, role, expected) => {
  const { id, workspaceId } = await model();
  const done = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(200);
  await done(pdm.editor.post(at(workspaceId)));
  if (state === 'checked in') await done(pdm.editor.post(at(workspaceId, 'checkin')));
  if (state === 'archived') await done(pdm.editor.post(at(workspaceId, 'archive')));
  if (state === 'in an archived document') await done(pdm.editor.post(`/documents/${id}/archive`));
  if (state === 'expired') {
    const past = { $set: { 'reservation.since': new Date(0), 'reservation.expiresAt': new Date(1) } };
    await pdm.services.mongo.db.collection<{ _id: string }>('workspaces').updateOne({ _id: workspaceId }, past);
  }
  const before = (await pdm.viewer.get(`/workspaces/${workspaceId}`)).body.reservation;
  const { status, body } = await pdm[role].post(at(workspaceId, 'request-checkin'), { note: 'for a drawing' });
  const checkinRequests: { by: { name: string } }[] | undefined = body.checkinRequests;
  expect({ status, code: body.code, checkinRequests: checkinRequests?.map(({ by }) => by.name) }).toEqual({
    code: undefined,
    checkinRequests: undefined,
    ...expected,
  });
  if (status >= 400) expect((await pdm.viewer.get(`/workspaces/${workspaceId}`)).body.reservation).toEqual(before);
});

test('shows a check-in request in the reservation and in the lists of holder and requester, and publishes one event', async () => {
  const { id, workspaceId, draftId } = await model();
  const tag = async () =>
    (
      await fetch(`${pdm.url}/api/v1/documents/${id}`, { headers: { authorization: `Bearer ${pdm.tokens.editor}` } })
    ).headers.get('etag');
  const { body: held } = await pdm.editor.post(at(workspaceId), { note: 'ribs' });
  const before = await tag();
  const reservation = (await pdm.admin.post(at(workspaceId, 'request-checkin'), { note: ' for a drawing ' })).body;
  expect(reservation).toEqual({
    ...held,
    checkinRequests: [
      {
        by: { id: expect.stringMatching(/^usr_/), name: 'Administrator' },
        at: expect.stringMatching(/Z$/),
        note: 'for a drawing',
      },
    ],
  });
  expect((await pdm.admin.post(at(workspaceId, 'request-checkin'))).body).toEqual(reservation);
  expect((await pdm.viewer.get(`/workspaces/${workspaceId}`)).body.reservation).toEqual(reservation);
  expect((await pdm.viewer.get(`/documents/${id}`)).body.reservations).toEqual([reservation]);
  const ownRequests = async (who: 'editor' | 'admin' | 'viewer') => {
    const { held, requested } = (await pdm[who].get('/me/reservations')).body;
    const here = (all: { workspaceId: string }[]) => all.filter((each) => each.workspaceId === workspaceId);
    return [here(held), here(requested)];
  };
  const shown = {
    ...reservation,
    workspace: {
      id: workspaceId,
      name: 'main',
      draftId,
      document: { id, number: expect.any(String), name: 'Bracket' },
    },
  };
  expect([await ownRequests('editor'), await ownRequests('admin'), await ownRequests('viewer')]).toEqual([
    [[shown], []],
    [[], [shown]],
    [[], []],
  ]);
  // a check-in request does not block the writes of the holder
  expect(await tag()).not.toBe(before);
  const renamed = await fetch(`${pdm.url}/api/v1/documents/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${pdm.tokens.editor}`,
      'content-type': 'application/json',
      'if-match': String(before),
    },
    body: JSON.stringify({ description: 'with ribs' }),
  });
  expect(renamed.status).toBe(200);
  expect((await pdm.admin.post(at(workspaceId, 'request-checkin'), { note: 'x'.repeat(4001) })).body.code).toBe(
    'validation_failed',
  );
  await pdm.editor.post(at(workspaceId, 'checkin'));
  expect(await ownRequests('admin')).toEqual([[], []]);
  const events = async () => {
    const { items } = (await pdm.viewer.get('/events?limit=200&types=workspace.checkin_requested,workspace.checked_in'))
      .body;
    return items.filter(({ subject }: { subject: string }) => subject === id);
  };
  // sealed first, by another process where roles run separately
  await expect.poll(async () => (await events()).length, { timeout: 10_000 }).toBe(2);
  const [ask, end] = await events();
  expect([ask.type, ask.subject, ask.data.by.name, ask.data.changes.holderId.to]).toEqual([
    'workspace.checkin_requested',
    id,
    'Administrator',
    held.by.id,
  ]);
  expect([end.type, end.data.changes.requestedBy]).toEqual([
    'workspace.checked_in',
    { from: [ask.data.by.id], to: [] },
  ]);
});

test('sorts held and requested reservations by expiry', async () => {
  const durations = [900, 60, 3600, 300];
  const here: string[] = [];
  for (const ttlSeconds of durations) {
    const { workspaceId } = await model();
    await pdm.editor.post(at(workspaceId), { ttlSeconds });
    await pdm.admin.post(at(workspaceId, 'request-checkin'));
    here.push(workspaceId);
  }
  const inOrder = async (who: 'editor' | 'admin', which: 'held' | 'requested') => {
    const { body } = await pdm[who].get('/me/reservations');
    return body[which].filter(({ workspaceId }: { workspaceId: string }) => here.includes(workspaceId)).map(lasts);
  };
  const ascending = durations.toSorted((one, other) => one - other);
  expect(await inOrder('editor', 'held')).toEqual(ascending);
  expect(await inOrder('admin', 'requested')).toEqual(ascending);
});

test('rejects invalid checkouts', async () => {
  const { workspaceId } = await model();
  for (const ttlSeconds of [59, 86_401, 0, -1, 1.5, '60'])
    expect(await pdm.editor.post(at(workspaceId), { ttlSeconds })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/ttlSeconds' }] },
    });
  expect((await pdm.editor.post(at(workspaceId), { note: 'x'.repeat(4001) })).status).toBe(400);
  expect((await pdm.viewer.post(at(workspaceId))).status).toBe(403);
  await pdm.editor.post(at(workspaceId, 'archive'));
  expect(await pdm.editor.post(at(workspaceId))).toMatchObject({ status: 409, body: { code: 'workspace_archived' } });
  expect((await pdm.editor.post('/workspaces/wsp_nothing/checkout')).status).toBe(404);
});
