// Events over a real NATS server: each arrives at least once, despite outages.
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestNats, testNats } from '../../../test/support/nats-server.ts';
import { needs } from '../../../test/support/needs.ts';
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

const natsServer = needs('nats-server');
let nats: TestNats;
let store: TestStore;
let services: Services;
let sealing: ReturnType<typeof startSealing>;
beforeAll(async () => {
  if (natsServer.isMissing) return;
  nats = await testNats();
  store = await testStore();
  services = store.services;
  sealing = startSealing(services, { everyMs: 50, gapMs: 10 });
});
afterAll(async () => {
  if (natsServer.isMissing) return;
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

/** Waits until the stream has at least `count` messages, and returns all of them in order. */
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

/** Starts a publisher and returns the function that stops it. */
function startPublisher(): () => Promise<void> {
  const publisher = natsEventPublisher({ url: nats.url, log: services.log });
  const running = startPublishing(services, publisher, { pollMs: 50 });
  return async () => {
    await running.stop();
    await publisher.stop();
  };
}

test.skipIf(natsServer.isMissing)(
  natsServer.title('publishes all events since the first start in order, including those recorded during outages'),
  async () => {
    await record();
    while (!(await endOfLog({ db: services.mongo.db }))?.newest)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const stopFirst = startPublisher();
    // started before the server: events recorded from here on are published once it is up
    while (!(await collection({ db: services.mongo.db }, 'eventCursors').findOne({ _id: 'nats' })))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const folders = [await record()];
    await nats.start();
    await published(1);
    await stopFirst();

    folders.push(await record());
    await inTransaction(services, requestAs('admin'), createUser, { name: 'Not published', role: 'viewer' });
    folders.push(await record());
    const stops = [startPublisher(), startPublisher()];
    const messages = await published(3);
    await Promise.all(stops.map((stop) => stop()));

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

test.skipIf(natsServer.isMissing)(
  natsServer.title('publishes again after a crash before storing its position, and the server drops duplicates'),
  async () => {
    const { seq } = (await collection({ db: services.mongo.db }, 'eventCursors').findOne({ _id: 'nats' }))!;
    const before = await published(1);
    await collection({ db: services.mongo.db }, 'eventCursors').updateOne({ _id: 'nats' }, { $set: { seq: seq - 2 } });
    const folder = await record();
    const stop = startPublisher();
    const messages = await published(before.length + 1);
    await stop();
    expect(messages).toHaveLength(before.length + 1);
    expect(messages.at(-1)!.event.data.folderId).toBe(folder);
  },
);
