// Deletes webhooks.
import { get, remove } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';
import { auditedFields } from './create-webhook.ts';

/** Deletes a webhook. Waiting deliveries are not sent; past ones are deleted after their 30 days. */
export async function deleteWebhook(work: Work, { id }: { id: string }): Promise<boolean> {
  const webhook = await get(work, 'webhooks', id);

  await remove(work, 'webhooks', id);
  work.audit({
    action: 'webhook.deleted',
    summary: `Webhook ${id} was deleted.`,
    changes: { webhook: { from: { id, ...auditedFields(webhook) }, to: null } },
  });
  work.afterCommit(() => work.services.dispatch.notify('webhook'));
  return true;
}
