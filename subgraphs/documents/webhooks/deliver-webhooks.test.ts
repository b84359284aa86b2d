// Webhook deliveries on the real store: order, retries and crashes.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { interceptedDb } from '../../../test/support/intercepted-db.ts';
import { type Receiver, receiver } from '../../../test/support/receiver.ts';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { acquireCursor, createCursor } from '../../core/store/audit/event-cursors.ts';
import { connectMongo } from '../../core/store/mongo.ts';
import { find } from '../../core/store/query/records.ts';
import { collection } from '../../core/store/query/scope.ts';
import type { DeliveryRecord, UserRecord } from '../../core/store/schema/collections.ts';
import { inTransaction, type Services } from '../../core/work.ts';
import { startSealing } from '../audit/seal-audit.ts';
import { createFolder } from '../folders/create-folder.ts';
import { createWebhook } from './create-webhook.ts';
import { startDelivering } from './deliver-webhooks.ts';
import { updateWebhook } from './update-webhook.ts';

let store: TestStore;
let services: Services;
let sealing: ReturnType<typeof startSealing>;
let hook: Receiver;
let later = 0;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  store = await testStore({ monitorCommands: true, clock: () => new Date(Date.now() + later) });
  services = store.services;
  await collection(scope(), 'users').insertOne({ _id: 'usr_admin', name: 'admin' } as UserRecord);
  sealing = startSealing(services, { everyMs: 50, gapMs: 10, leaseMs: 1e12 });
});
afterAll(async () => {
  await sealing.stop();
  await store.close();
});
beforeEach(async () => {
  hook = await receiver();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await hook.close();
  for (const name of ['webhooks', 'webhookDeliveries', 'eventCursors'] as const)
    await collection(scope(), name).deleteMany({});
});

const scope = () => ({ db: services.mongo.db });
const admin = requestAs('admin');
const createHook = async (types = ['folder.created']) =>
  (await inTransaction(services, admin, createWebhook, { url: hook.url, types }))._id;
const folder = async (name: string) =>
  (await inTransaction(services, admin, createFolder, { name, parentId: null }))._id;
let named = 0;
const recordEvent = () => folder(`Folder ${++named}`);
const deliveriesTo = (webhookId: string): Promise<DeliveryRecord[]> =>
  collection(scope(), 'webhookDeliveries').find({ webhookId }).sort({ seq: 1 }).toArray();

function deliver(on: Services = services, times: Parameters<typeof startDelivering>[1] = {}): () => Promise<void> {
  const { stop } = startDelivering(on, { pollMs: 20, idleMs: 20, ...times });
  stops.push(stop);
  return stop;
}

async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, false | null | undefined>> {
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, false | null | undefined>;
    await sleep(10);
  }
}

/** The services with a connection whose calls are intercepted; it reads events from the store instead of from memory. */
const intercepting = (interceptors: Parameters<typeof interceptedDb>[1]): Services => ({
  ...services,
  mongo: { ...services.mongo, db: interceptedDb(services.mongo.db, interceptors) },
});
const isDelivered = ({ status }: DeliveryRecord) => status === 'delivered';
const allDelivered = async (webhookId: string, count: number) =>
  (await deliveriesTo(webhookId)).filter(isDelivered).length === count;
const allSealed = () => until(async () => (await collection(scope(), 'auditPending').findOne({})) === null);
const subjects = () => hook.got.map(({ event }) => event.subject);

/** Returns a function that counts the attempts since then to acquire the lease for deliveries. */
function leaseAttempts(): () => number {
  let count = 0;
  services.mongo.client.on('commandStarted', ({ command }) => {
    if (command.findAndModify === 'eventCursors' && command.query._id.$eq === 'webhooks') count += 1;
  });
  return () => count;
}

test('delivers an event again under the same id after a crash between delivery and storing the result', async () => {
  // a second process with its own connection, which is closed before it can store the result
  const mongo = await connectMongo(store.uri, { name: services.mongo.db.databaseName });
  const webhookId = await createHook();
  hook.answer(async (_got, response) => {
    await mongo.client.close(true);
    response.writeHead(204).end();
  });
  const stopCrashed = deliver({ ...services, mongo });
  const folders = [await recordEvent(), await recordEvent()];
  await until(() => hook.got.length === 1);
  await stopCrashed();
  expect((await deliveriesTo(webhookId)).every(({ status }) => status === 'waiting')).toBe(true);

  hook.answer((_got, response) => response.writeHead(204).end());
  const attempts = leaseAttempts();
  deliver();
  await until(() => attempts() >= 2);
  expect(hook.got).toHaveLength(1); // the lease has not expired yet
  later += 11_000;
  const delivered = await until(async () => {
    const all = await deliveriesTo(webhookId);
    return all.length === 2 && all.every(({ status }) => status === 'delivered') && all;
  });
  const [first, ...rest] = hook.got.map(({ event }) => event);
  expect(rest.map(({ id }) => id)).toEqual(delivered.map(({ eventId }) => eventId));
  expect(first).toEqual(rest[0]);
  expect(rest.map(({ subject }) => subject)).toEqual(folders);
});

test('delivers each event once and in order with two processes', async () => {
  const webhookId = await createHook();
  deliver();
  deliver();
  for (let i = 0; i < 6; i++) await recordEvent();
  await until(async () => (await deliveriesTo(webhookId)).filter(({ status }) => status === 'delivered').length === 6);
  const seqs = hook.got.map(({ event }) => event.data.seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(hook.got.map(({ id }) => id)).size).toBe(6);
  expect(hook.got).toHaveLength(6);
});

test('delivers events recorded during downtime, but none from before the webhook was created', async () => {
  await deliver()();
  await recordEvent();
  const webhookId = await until(async () => {
    // wait until the event is sealed, so that it precedes the webhook
    return (await collection(scope(), 'auditPending').findOne({})) === null && createHook();
  });
  const expected = await recordEvent();
  deliver();
  const [delivered, ...others] = await until(async () => {
    const all = await deliveriesTo(webhookId);
    return all.some(({ status }) => status === 'delivered') && all;
  });
  expect([delivered!.failures, others, hook.got[0]!.event.subject]).toEqual([0, [], expected]);
});

test('disables a webhook after a day of failures, and sends waiting deliveries once it is enabled again', async () => {
  const webhookId = await createHook();
  hook.answer((_got, response) => response.writeHead(500).end('broken'));
  deliver();
  await recordEvent();
  for (let tried = 1; tried <= 9; tried++) {
    await until(async () => (await deliveriesTo(webhookId))[0]?.tries.length === tried);
    if (tried === 8) await recordEvent();
    if (tried < 9) later += 12 * 3_600_000;
  }
  const disabled = await until(async () => {
    const webhook = await find(scope(), 'webhooks', webhookId);
    return webhook && !webhook.enabled && webhook;
  });
  expect(disabled.disabledReason).toContain('500');
  const [failed] = await deliveriesTo(webhookId);
  expect([failed!.status, failed!.failures, failed!.tries.at(-1)!.answer]).toEqual(['failed', 9, 'broken']);
  const record = await collection(scope(), 'audit').findOne({
    action: 'webhook.disabled',
    'changes.webhookId.to': webhookId,
  });
  expect(record?.by.role).toBe('system');

  hook.answer((_got, response) => response.writeHead(200).end());
  await inTransaction(services, admin, updateWebhook, { id: webhookId, enabled: true });
  later += 3_600_000;
  await until(async () => (await deliveriesTo(webhookId))[1]?.status === 'delivered');
});

test('delivers after the clock is set back, although a retry and the lease were from before', async () => {
  const webhookId = await createHook();
  hook.answer((_got, response) => response.writeHead(500).end());
  later += 40 * 86_400_000;
  const stop = deliver();
  await recordEvent();
  await until(async () => (await deliveriesTo(webhookId)).some(({ failures }) => failures === 1));
  await stop();
  await collection(scope(), 'eventCursors').updateOne(
    { _id: 'webhooks' },
    { $set: { holder: 'a killed process', leaseUntil: new Date(Date.now() + later) } },
  );

  later -= 40 * 86_400_000;
  hook.answer((_got, response) => response.writeHead(204).end());
  deliver();
  await until(async () => (await deliveriesTo(webhookId)).every(({ status }) => status === 'delivered'));
  expect(new Set(hook.got.map(({ id }) => id)).size).toBe(1);
});

test('waits between attempts to acquire the lease that another process has', async () => {
  await createCursor(scope(), 'webhooks', 0);
  await acquireCursor(scope(), 'webhooks', { id: 'another process', now: services.clock(), leaseMs: 15_000 });
  const waits: number[] = [];
  const { dispatch } = services;
  const waitFor: typeof dispatch.waitFor = (topics, ms, signal) => {
    waits.push(ms);
    return dispatch.waitFor(topics, ms, signal);
  };
  const attempts = leaseAttempts();
  deliver({ ...services, dispatch: { ...dispatch, waitFor } }, { pollMs: 20, idleMs: 60_000 });
  await until(() => attempts() >= 3);
  expect(waits.slice(1).filter((ms) => ms !== 20)).toEqual([]);
});

test('delivers the first event after a webhook is created while events are read', async () => {
  await createHook(['user.created']);
  let created: string | undefined;
  let mustCreate = false;
  let expected: string | undefined;
  deliver(
    intercepting({
      'auditSeals.find': async (read) => {
        if (mustCreate) {
          mustCreate = false;
          created = await createHook();
          expected = await recordEvent();
          await allSealed();
        }
        return read();
      },
    }),
    { isAlone: true, idleMs: 60_000 },
  );
  await until(async () => (await collection(scope(), 'eventCursors').findOne({}))?.holder);
  await allSealed();
  mustCreate = true;
  services.dispatch.notify('sealed');
  await until(() => created !== undefined && allDelivered(created, 1));
  expect(subjects()).toEqual([expected]);
});

test('delivers the first event after a webhook is created, even if it precedes the notification', async () => {
  await createHook(['user.created']);
  deliver(services, { isAlone: true, idleMs: 60_000 });
  await until(async () => (await collection(scope(), 'eventCursors').findOne({}))?.holder);
  const silent = { ...services, dispatch: { ...services.dispatch, notify: () => undefined } };
  const input = { url: hook.url, types: ['folder.created'] };
  const { _id } = await inTransaction(silent, admin, createWebhook, input);
  const expected = await recordEvent();
  await until(() => allDelivered(_id, 1));
  expect(subjects()).toEqual([expected]);
});

test('delivers events from before the first start of deliveries, but after the webhook was created', async () => {
  await recordEvent();
  await allSealed();
  const webhookId = await createHook();
  const expected = [await recordEvent(), await recordEvent()];
  await allSealed();
  deliver();
  await until(() => allDelivered(webhookId, 2));
  expect(subjects()).toEqual(expected);
});

test('delivers no event again if its result could not be stored at first', async () => {
  const webhookId = await createHook();
  let failures = 0;
  deliver(
    intercepting({
      'webhookDeliveries.bulkWrite': async (store) => {
        if (++failures <= 2) throw new Error('the store cannot be reached');
        return store();
      },
    }),
  );
  const folders = [await recordEvent(), await recordEvent(), await recordEvent()];
  await until(() => allDelivered(webhookId, 3));
  expect(subjects()).toEqual(folders);
});

test('delivers no event again if other results could not be stored while its receiver responded', async () => {
  const webhookId = await createHook();
  const folders = [await recordEvent(), await recordEvent()];
  await allSealed();
  const failed = Promise.withResolvers<void>();
  let stores = 0;
  hook.answer(async (_got, response) => {
    if (hook.got.length === 2) await failed.promise;
    response.writeHead(204).end();
  });
  deliver(
    intercepting({
      'webhookDeliveries.bulkWrite': async (store) => {
        if (++stores > 1) return store();
        failed.resolve();
        throw new Error('the store cannot be reached');
      },
    }),
  );
  await until(() => allDelivered(webhookId, 2));
  expect(subjects()).toEqual(folders);
});

test('delivers an event once if it is read from the store while its delivery is being planned', async () => {
  const webhookId = await createHook();
  let reads = 0;
  let mustWait = false;
  const waiting = Promise.withResolvers<void>();
  const inserted = Promise.withResolvers<void>();
  deliver(
    intercepting({
      'webhookDeliveries.find': async (read) => {
        if (mustWait) {
          waiting.resolve();
          await inserted.promise;
        }
        const found = await read();
        reads += 1;
        return found;
      },
      'webhookDeliveries.insertMany': async (insert) => {
        const result = await insert();
        if (mustWait) {
          mustWait = false;
          reads = 0;
          inserted.resolve();
          // two queries find the delivery, and two that there is no other
          await until(async () => reads >= 4 && allDelivered(webhookId, 1));
        }
        return result;
      },
    }),
    { pollMs: 60_000, idleMs: 60_000 },
  );
  await until(() => reads >= 2);
  mustWait = true;
  services.dispatch.notify('webhook');
  await waiting.promise;
  const folders = [await recordEvent()];
  await until(() => allDelivered(webhookId, 1));
  folders.push(await recordEvent());
  await until(() => allDelivered(webhookId, 2));
  expect(subjects()).toEqual(folders);
});

test('removes the positions that earlier versions stored for each webhook', async () => {
  await createCursor(scope(), 'whk_01jd0000000000000000000000', 3);
  deliver();
  await until(async () => (await collection(scope(), 'eventCursors').distinct('_id')).join() === 'webhooks');
});
