// The shared reader of new events: many, slow and late followers.
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { inTransaction, type Services } from '../../core/work.ts';
import { startSealing } from '../audit/seal-audit.ts';
import { createFolder } from '../folders/create-folder.ts';
import { createEventTail, type EventTail, type StreamEvent } from './event-tail.ts';

let store: TestStore;
let services: Services;
let sealing: ReturnType<typeof startSealing>;
let tail: EventTail;
beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  services = store.services;
  sealing = startSealing(services, { everyMs: 50, gapMs: 10 });
  tail = createEventTail(services, { pollMs: 50, heartbeatMs: 100, bufferSize: 4 });
});
afterAll(async () => {
  await sealing.stop();
  await store.close();
});

let named = 0;
async function record(count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await inTransaction(services, requestAs('editor'), createFolder, { name: `Folder ${++named}`, parentId: null });
}

async function take(from: AsyncIterator<StreamEvent[]>, count: number): Promise<number[]> {
  const seqs: number[] = [];
  while (seqs.length < count) seqs.push(...((await from.next()).value as StreamEvent[]).map(({ seq }) => seq));
  return seqs;
}

test('reads each event once for a thousand followers, and yields all events in order to each', async () => {
  const abort = new AbortController();
  const from = await tail.newest();
  const listeners = Array.from({ length: 1_000 }, () => tail.follow(from, abort.signal));
  for (const listener of listeners) expect((await listener.next()).value).toEqual([]);
  let finds = 0;
  const count = ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === 'find' && command.find === 'audit') finds += 1;
  };
  services.mongo.client.on('commandStarted', count);
  const taking = Promise.all(listeners.map((listener) => take(listener, 5)));
  await record(5);
  const taken = await taking;
  services.mongo.client.off('commandStarted', count);
  for (const seqs of taken) expect(seqs).toEqual([1, 2, 3, 4, 5].map((n) => from + n));
  expect(finds).toBeLessThanOrEqual(5);
  expect(tail.followers()).toBe(1_000);
  abort.abort();
  await Promise.all(listeners.map((listener) => listener.next()));
  expect(tail.followers()).toBe(0);
});

test('yields each event once to followers that are slow or start behind the buffer', async () => {
  const abort = new AbortController();
  const from = await tail.newest();
  const slow = tail.follow(from, abort.signal);
  await slow.next();
  const quick = tail.follow(from, abort.signal);
  await Promise.all([record(12), take(quick, 12)]);
  const late = tail.follow(0, abort.signal);
  expect(await take(slow, 12)).toEqual(Array.from({ length: 12 }, (_, n) => from + n + 1));
  expect(await take(late, from + 12)).toEqual(Array.from({ length: from + 12 }, (_, n) => n + 1));
  abort.abort();
  for (const listener of [slow, quick, late]) await listener.next();
  expect(tail.followers()).toBe(0);
});

test('ends all followers when the service stops', async () => {
  const listeners = Array.from({ length: 10 }, () => tail.follow(0, new AbortController().signal));
  const ends = listeners.map(async (listener) => {
    for await (const _batch of listener);
  });
  services.dispatch.close();
  await Promise.all(ends);
  expect(tail.followers()).toBe(0);
});
