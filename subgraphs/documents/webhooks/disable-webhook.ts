// Disables webhooks whose deliveries fail.
import { change, find } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';

/** Disables a webhook and stores the reason. Does nothing if it is deleted or already disabled. */
export async function disableWebhook(work: Work, { id, reason }: { id: string; reason: string }): Promise<void> {
  const webhook = await find(work, 'webhooks', id);

  if (!webhook?.enabled) {
    work.unchanged();
    return;
  }

  await change(work, 'webhooks', id, {
    enabled: false,
    disabledReason: reason,
    updatedAt: work.now,
    updatedBy: work.actor.id,
  });
  work.audit({
    action: 'webhook.disabled',
    summary: `Webhook ${id} was disabled. ${reason}`,
    changes: { webhookId: { from: null, to: id }, enabled: { from: true, to: false } },
  });
}
