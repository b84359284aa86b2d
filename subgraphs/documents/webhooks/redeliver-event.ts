import { notFound } from '../../core/domain/errors.ts';
import { change, find, get } from '../../core/store/query/records.ts';
import type { DeliveryRecord } from '../../core/store/schema/collections.ts';
import { deliveryId, newDelivery } from '../../core/store/webhooks.ts';
import type { Work } from '../../core/work.ts';

type Input = { id: string; eventId: string };

/** Sends an event to a webhook again, under the same id, with all its tries. Refuses what was not sent to it within 30 days (`not_found`). */
export async function redeliverEvent(work: Work, { id, eventId }: Input): Promise<DeliveryRecord> {
  await get(work, 'webhooks', id);
  const delivery = await find(work, 'webhookDeliveries', deliveryId(id, eventId));

  if (!delivery) throw notFound(`delivery to webhook ${id} of the event`, eventId);

  const {
    _id,
    tries: _tries,
    ...fresh
  } = newDelivery(id, { id: eventId, action: delivery.action, seq: delivery.seq }, work.now, true);
  const again = await change(work, 'webhookDeliveries', _id, fresh);
  work.audit({
    action: 'webhook.redelivered',
    summary: `Event ${eventId} is sent to webhook ${id} again.`,
    changes: { webhookId: { from: null, to: id }, eventId: { from: null, to: eventId } },
  });
  work.afterCommit(() => work.services.dispatch.notify('webhook'));
  return again;
}
