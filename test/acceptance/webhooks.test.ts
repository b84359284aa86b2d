// Webhooks from the perspective of their administrators and receivers.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { TEST_QUERY_COMMENT } from '../support/query-plans.ts';
import { type Receiver, receiver, signatureOf } from '../support/receiver.ts';

let pdm: Pdm;
let hook: Receiver;
beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1' } });
});
afterAll(() => pdm.close());
beforeEach(async () => {
  hook = await receiver();
});
afterEach(() => hook.close());

async function until<T>(read: () => T | Promise<T>): Promise<Exclude<T, false | null | undefined>> {
  for (;;) {
    const found = await read();
    if (found) return found as Exclude<T, false | null | undefined>;
    await sleep(20);
  }
}

async function createWebhook(body: object = {}): Promise<{ id: string; secret: string }> {
  const answer = await pdm.admin.post('/webhooks', { url: hook.url, ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const deliveries = async (id: string) => (await pdm.admin.get(`/webhooks/${id}/deliveries`)).body.items;

test('sends recorded events as signed CloudEvents in the order of the log, with the same content as for readers', async () => {
  const { id, secret } = await createWebhook();
  const folders = ['A', 'B', 'C'].map((name) => ({ name: `${name} of ${id}` }));
  for (const folder of folders) await pdm.editor.post('/folders', folder);
  await pdm.admin.post('/tokens', { name: 'for administrators' });
  await pdm.editor.post('/documents', { name: 'Last', kind: 'model' });
  await until(() => hook.got.length === 4);
  const { items } = (await pdm.viewer.get(`/events?limit=200&after=${hook.got[0]!.event.data.seq - 1}`)).body;
  expect(hook.got.map(({ event }) => event)).toEqual(items);
  for (const got of hook.got)
    expect([got.id, got.signature, got.type]).toEqual([
      got.event.id,
      signatureOf(secret, got),
      'application/cloudevents+json; charset=utf-8',
    ]);
  expect(Math.abs(Number(hook.got[0]!.timestamp) * 1000 - Date.now())).toBeLessThan(60_000);
  const delivered = await until(async () => {
    const items = await deliveries(id);
    return items.every(({ status }: { status: string }) => status === 'delivered') && items;
  });
  expect(delivered[0]).toMatchObject({
    type: 'document.created',
    webhookId: id,
    nextAttemptAt: null,
    attempts: [{ status: 204, error: null }],
  });
});

test('filters by type, and sends events for administrators only when selected, without addresses and tokens', async () => {
  await createWebhook({ types: ['folder.*', 'token.created'] });
  await pdm.editor.post('/documents', { name: 'Not wanted', kind: 'model' });
  await pdm.admin.post('/tokens', { name: 'wanted' });
  await pdm.editor.post('/folders', { name: 'Wanted' });
  await until(() => hook.got.length === 2);
  expect(hook.got.map(({ event }) => event.type)).toEqual(['token.created', 'folder.created']);
  expect(hook.got[0]!.event.data).toMatchObject({ ip: null, by: { tokenId: null } });
});

test('sends a ping at once, also while the webhook is disabled, and resumes with new events when it is enabled', async () => {
  const { id } = await createWebhook({ types: ['folder.created'] });
  expect((await pdm.admin.patch(`/webhooks/${id}`, { enabled: false })).body.enabled).toBe(false);
  await pdm.editor.post('/folders', { name: 'While it is off' });
  const ping = await pdm.admin.post(`/webhooks/${id}/ping`);
  expect([ping.status, ping.body.status, ping.body.type]).toEqual([202, 'waiting', 'webhook.pinged']);
  await until(() => hook.got.length === 1);
  expect(hook.got[0]!.id).toBe(ping.body.eventId);
  await pdm.admin.patch(`/webhooks/${id}`, { enabled: true });
  const folder = (await pdm.editor.post('/folders', { name: 'On again' })).body;
  await until(() => hook.got.length === 2);
  expect(hook.got[1]!.event).toMatchObject({ type: 'folder.created', subject: folder.id });
});

test('retries and lists failed deliveries, and keeps the message id of a redelivery', async () => {
  const { id } = await createWebhook({ types: ['folder.created'] });
  hook.answer((_got, response) => response.writeHead(302, { location: hook.url }).end('x'.repeat(5_000)));
  await pdm.editor.post('/folders', { name: 'Refused' });
  const [refused] = await until(async () => {
    const items = await deliveries(id);
    return items[0]?.attempts.length && items;
  });
  expect(refused).toMatchObject({
    status: 'waiting',
    nextAttemptAt: expect.any(String),
    attempts: [{ status: 302, responseBody: 'x'.repeat(1024) }],
  });
  expect(hook.got).toHaveLength(1);
  hook.answer((_got, response) => response.writeHead(200).end());
  expect((await pdm.admin.post(`/webhooks/${id}/deliveries/${refused.eventId}/redeliver`)).status).toBe(202);
  await until(async () => (await deliveries(id))[0].status === 'delivered');
  expect(hook.got.map(({ id }) => id)).toEqual([refused.eventId, refused.eventId]);
  expect((await pdm.admin.post(`/webhooks/${id}/deliveries/aud_unknown/redeliver`)).status).toBe(404);
});

test('signs with the new and the previous secret, and never returns a secret again, stores it in plain text or records it', async () => {
  const first = await createWebhook({ types: ['folder.created'] });
  const second = (await pdm.admin.post(`/webhooks/${first.id}/secret`)).body;
  await pdm.admin.post(`/webhooks/${first.id}/ping`);
  await until(() => hook.got.length === 1);
  const [got] = hook.got;
  expect(got!.signature.split(' ')).toEqual([signatureOf(second.secret, got!), signatureOf(first.secret, got!)]);
  const shown = JSON.stringify([
    (await pdm.admin.get('/webhooks')).body,
    (await pdm.admin.get(`/webhooks/${first.id}`)).body,
  ]);
  const db = pdm.services.mongo.db;
  const stored = JSON.stringify([
    await collection({ db }, 'webhooks').find().toArray(),
    await collection({ db }, 'audit').find({}, { comment: TEST_QUERY_COMMENT }).toArray(),
  ]);
  for (const secret of [first.secret, second.secret]) {
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    for (const text of [shown, stored]) expect(text).not.toContain(secret.slice(6));
  }
});

test('disables a webhook that responds with 410 and records it', async () => {
  const { id } = await createWebhook({ types: ['folder.created'] });
  hook.answer((_got, response) => response.writeHead(410).end());
  await pdm.editor.post('/folders', { name: 'Gone' });
  const off = await until(async () => {
    const { body } = await pdm.admin.get(`/webhooks/${id}`);
    return !body.enabled && body;
  });
  expect(off.disabledReason).toContain('410');
  const [recorded] = (await pdm.admin.get('/audit?action=webhook.disabled&limit=1')).body.items;
  expect(recorded).toMatchObject({ chain: 'system', by: { via: 'system' }, changes: { webhookId: { to: id } } });
});

test('rejects internal addresses, addresses with a password and invalid addresses, also on update', async () => {
  const { id } = await createWebhook();
  const inside = [
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://0x7f.1.1.1/',
    'https://192.168.1.1/',
  ];
  for (const url of [...inside, 'ftp://example.com/', 'https://user:pass@example.com/', 'hook', ''])
    for (const answer of [
      await pdm.admin.post('/webhooks', { url }),
      await pdm.admin.patch(`/webhooks/${id}`, { url }),
    ])
      expect([url, answer.status, answer.body.errors?.[0]?.path]).toEqual([url, 400, '/url']);
  expect((await pdm.admin.post('/webhooks', { url: hook.url, types: ['everything'] })).body.errors[0].path).toBe(
    '/types',
  );
});

test('sends nothing to a deleted webhook', async () => {
  const { id } = await createWebhook();
  expect((await pdm.admin.delete(`/webhooks/${id}`)).status).toBe(204);
  const other = await createWebhook({ types: ['folder.created'] });
  await pdm.editor.post('/folders', { name: 'After it was deleted' });
  await until(() => hook.got.length === 1);
  expect((await pdm.admin.get(`/webhooks/${id}/deliveries`)).status).toBe(404);
  expect((await deliveries(other.id)).length).toBe(1);
});
