// Events over a real NATS server: every one arrives, whatever was away meanwhile.
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noNats, type TestNats, testNats } from '../../../test/support/nats-server.ts';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { EVENT_STREAM, natsEventPublisher } from '../../core/platform/publish-nats.ts';
import { endOfLog } from '../../core/store/audit/sealed-events.ts';
import { collection } from '../../core/store/query/scope.ts';
import { inTransaction, type Services } from '../../core/work.ts';
import { createUser } from '../access/create-user.ts';
import { startSealing } from '../audit/seal-audit.ts';
import { createFolder } from '../folders/create-folder.ts';
import { startPublishing } from './publish-events.ts';
import { readEvents } from './read-events.ts';

let nats: TestNats;
let store: TestStore;
let services: Services;
let sealing: ReturnType<typeof startSealing>;
beforeAll(async () => {
  if (noNats) return;
  nats = await testNats();
  store = await testStore();
  services = store.services;
  sealing = startSealing(services, { everyMs: 50, gapMs: 10 });
});
afterAll(async () => {
  if (noNats) return;
  await sealing.stop();
  await store.close();
  await nats.close();
});

let named = 0;
const record = async () =>
  (await inTransaction(services, requestAs('editor'), createFolder, { name: `Folder ${++named}`, parentId: null }))._id;

type Message = {
  subject: string;
  event: { id: string; type: string; data: { folderId: string | null; by: { tokenId: string | null } } };
};

/** What is in the stream, in its order, as soon as there are so many. */
async function published(count: number): Promise<Message[]> {
  const connection: NatsConnection = await connect({ servers: nats.url });
  try {
    const manager = await connection.jetstreamManager({ checkAPI: false });
    for (;;) {
      const state = await manager.streams.info(EVENT_STREAM).then(
        (info) => info.state,
        () => null,
      );
      if (state && state.messages >= count) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const messages: Message[] = [];
    const { last_seq: last } = (await manager.streams.info(EVENT_STREAM)).state;
    for (let seq = 1; seq <= last; seq++) {
      const message = await manager.streams.getMessage(EVENT_STREAM, { seq });
      messages.push({ subject: message.subject, event: message.json() });
    }
    return messages;
  } finally {
    await connection.close();
  }
}

/** A process that publishes. */
function publishing(): () => Promise<void> {
  const publisher = natsEventPublisher({ url: nats.url, log: services.log });
  const running = startPublishing(services, publisher, { lookMs: 50 });
  return async () => {
    await running.stop();
    await publisher.stop();
  };
}

test.skipIf(noNats)(
  'from the first start on everything arrives in order, also what was recorded while the server or the publisher was away',
  async () => {
    await record();
    while (!(await endOfLog({ db: services.mongo.db }))?.newest)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const whileAway = publishing();
    // begun, and no server yet: what is recorded from here on is published when there is one
    while (!(await collection({ db: services.mongo.db }, 'eventCursors').findOne({ _id: 'nats' })))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const folders = [await record()];
    await nats.start();
    await published(1);
    await whileAway();

    folders.push(await record());
    await inTransaction(services, requestAs('admin'), createUser, { name: 'Not told', role: 'viewer' });
    folders.push(await record());
    const [one, other] = [publishing(), publishing()];
    const messages = await published(3);
    await Promise.all([one(), other()]);

    expect(messages.map(({ event }) => event.data.folderId)).toEqual(folders);
    expect(new Set(messages.map(({ event }) => event.id)).size).toBe(messages.length);
    for (const { subject, event } of messages) {
      expect(subject).toBe(`pdm.events.${event.type}`);
      expect(event.data.by.tokenId).toBeNull();
    }
    expect(messages.some(({ event }) => event.type.startsWith('user.'))).toBe(false);
    const viewer = { scope: { db: services.mongo.db }, request: requestAs('viewer') };
    const feed = await readEvents(viewer, {});
    expect(messages.map(({ event }) => event.id)).toEqual(feed.items.map(({ id }) => id).slice(-messages.length));
  },
);

test.skipIf(noNats)(
  'a publisher that died before it stored its place publishes again, and the server drops what it has',
  async () => {
    const { seq } = (await collection({ db: services.mongo.db }, 'eventCursors').findOne({ _id: 'nats' }))!;
    const before = await published(1);
    await collection({ db: services.mongo.db }, 'eventCursors').updateOne({ _id: 'nats' }, { $set: { seq: seq - 2 } });
    const folder = await record();
    const stop = publishing();
    const messages = await published(before.length + 1);
    await stop();
    expect(messages).toHaveLength(before.length + 1);
    expect(messages.at(-1)!.event.data.folderId).toBe(folder);
  },
);
