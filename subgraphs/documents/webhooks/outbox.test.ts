// What an outbox keeps in memory, and what it reads from the store.
import { expect, test } from 'vitest';
import type { WebhookRecord } from '../../core/store/schema/collections.ts';
import { newDelivery } from '../../core/store/webhooks.ts';
import { createOutbox, enqueue, MAX_QUEUED, mustReadStore, type Outbox } from './outbox.ts';

const deliveries = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    delivery: newDelivery('whk_1', { id: `aud_${n}`, action: 'folder.created', seq: n }, new Date(0)),
  }));

function readOutbox(): Outbox {
  const outbox = createOutbox({ _id: 'whk_1' } as WebhookRecord);
  return { ...outbox, reads: outbox.requestedReads };
}

test('queues deliveries up to the maximum, and reads later ones from the store', () => {
  const outbox = readOutbox();
  enqueue(outbox, deliveries(MAX_QUEUED));
  expect([outbox.queue.length, mustReadStore(outbox)]).toEqual([MAX_QUEUED, false]);
  enqueue(outbox, deliveries(1));
  outbox.queue.shift();
  enqueue(outbox, deliveries(1));
  expect([outbox.queue.length, mustReadStore(outbox)]).toEqual([MAX_QUEUED - 1, true]);
});

test('queues nothing before the store was read', () => {
  const outbox = createOutbox({ _id: 'whk_1' } as WebhookRecord);
  enqueue(outbox, deliveries(1));
  expect([outbox.queue.length, mustReadStore(outbox)]).toEqual([0, true]);
});
