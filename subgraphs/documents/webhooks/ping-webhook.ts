// Pings webhooks.
import { get, insert } from '../../core/store/query/records.ts';
import type { DeliveryRecord } from '../../core/store/schema/collections.ts';
import { newDelivery } from '../../core/store/webhooks.ts';
import type { Work } from '../../core/work.ts';

/** Queues the event `webhook.pinged` for a webhook, which may be disabled. Returns the waiting delivery. */
export async function pingWebhook(work: Work, { id }: { id: string }): Promise<DeliveryRecord> {
  await get(work, 'webhooks', id);

  const action = 'webhook.pinged';
  const eventId = work.audit({
    action,
    summary: `Webhook ${id} was pinged.`,
    changes: { webhookId: { from: null, to: id } },
  });
  work.afterCommit(() => work.services.dispatch.notify('webhook'));
  return insert(work, 'webhookDeliveries', newDelivery(id, { id: eventId, action, seq: null }, work.now, true));
}
