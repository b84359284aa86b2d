// Redelivers events to webhooks.
import { notFound } from '../../core/domain/errors.ts';
import { change, find, get } from '../../core/store/query/records.ts';
import type { DeliveryRecord } from '../../core/store/schema/collections.ts';
import { deliveryId, newDelivery } from '../../core/store/webhooks.ts';
import type { Work } from '../../core/work.ts';

type Input = { id: string; eventId: string };

/**
 * Queues an event for another delivery under the same id, with all retries. Throws `not_found` if the webhook has no
 * delivery of the event in the last 30 days.
 */
export async function redeliverEvent(work: Work, { id, eventId }: Input): Promise<DeliveryRecord> {
  await get(work, 'webhooks', id);
  const delivery = await find(work, 'webhookDeliveries', deliveryId(id, eventId));

  if (!delivery) throw notFound(`delivery to webhook ${id} of event`, eventId);

  const {
    _id,
    tries: _tries,
    ...initialFields
  } = newDelivery(id, { id: eventId, action: delivery.action, seq: delivery.seq }, work.now, true);
  // Resets the delivery, but keeps its earlier attempts.
  const queued = await change(work, 'webhookDeliveries', _id, initialFields);
  work.audit({
    action: 'webhook.redelivered',
    summary: `Event ${eventId} was queued for redelivery to webhook ${id}.`,
    changes: { webhookId: { from: null, to: id }, eventId: { from: null, to: eventId } },
  });
  work.afterCommit(() => work.services.dispatch.notify('webhook'));
  return queued;
}
