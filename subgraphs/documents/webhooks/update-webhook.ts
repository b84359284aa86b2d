// Updates, disables and enables webhooks.
import { validateWebhookUrl } from '../../core/domain/access/webhook.ts';
import { changesBetween } from '../../core/domain/audit/audit-event.ts';
import { validateEventTypes } from '../../core/domain/audit/cloud-event.ts';
import { assertNotNull } from '../../core/domain/text/assert-not-null.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { change, lock } from '../../core/store/query/records.ts';
import type { WebhookRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';
import { auditedFields, newestSeq } from './create-webhook.ts';

type Input = {
  id: string;
  url?: string | null;
  name?: string | null;
  types?: readonly string[] | null;
  enabled?: boolean | null;
};

/**
 * Updates, disables or enables a webhook. An enabled webhook gets its waiting deliveries and new events, but not those
 * recorded while it was disabled (`GET /events` returns them).
 */
export async function updateWebhook(work: Work, { id, url, name, types, enabled }: Input): Promise<WebhookRecord> {
  assertNotNull({ url, name, types, enabled });
  const before = await lock(work, 'webhooks', id);

  const settings = {
    url: url == null ? before.url : validateWebhookUrl(url, work.services.webhooks.networks),
    name: name == null ? before.name : validateName(name),
    types: types == null ? before.types : validateEventTypes(types),
    enabled: enabled ?? before.enabled,
  };
  const enabling = settings.enabled && !before.enabled;
  const resumed = enabling ? { afterSeq: await newestSeq(work), disabledReason: null } : {};

  const after = await change(work, 'webhooks', id, {
    ...settings,
    ...resumed,
    updatedAt: work.now,
    updatedBy: work.actor.id,
  });
  const changes = changesBetween(auditedFields(before), auditedFields(after), ['name', 'origin', 'types', 'enabled']);
  work.audit({
    action: 'webhook.updated',
    summary: `Webhook ${id} was updated.`,
    changes: { webhookId: { from: null, to: id }, ...changes },
  });
  work.afterCommit(() => work.services.dispatch.notify('webhook'));
  return after;
}
