// Creates webhooks.
import { formatWebhookSecret, validateWebhookUrl } from '../../core/domain/access/webhook.ts';
import { validateEventTypes } from '../../core/domain/audit/cloud-event.ts';
import { refuse } from '../../core/domain/errors.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { createWebhookSecret } from '../../core/platform/webhook-secret.ts';
import { endOfLog } from '../../core/store/audit/sealed-events.ts';
import { insert } from '../../core/store/query/records.ts';
import type { WebhookRecord } from '../../core/store/schema/collections.ts';
import { allWebhooks, MAX_WEBHOOKS } from '../../core/store/webhooks.ts';
import type { Work } from '../../core/work.ts';

type Input = { url: string; name?: string | null; types?: readonly string[] | null };

/**
 * Creates a webhook for events recorded from now on. The result contains the signing secret, which is never returned
 * again. Throws `validation_failed` for URLs in networks that are not allowed, and beyond 50 webhooks.
 */
export async function createWebhook(work: Work, input: Input): Promise<WebhookRecord & { secret: string }> {
  const { key, networks } = work.services.webhooks;
  const url = validateWebhookUrl(input.url, networks);
  const afterSeq = await newestSeq(work);

  if ((await allWebhooks(work)).length >= MAX_WEBHOOKS)
    refuse('validation_failed', `There are already ${MAX_WEBHOOKS} webhooks, the maximum. Delete a webhook first.`);

  const _id = work.newId('whk');
  const { secret, sealed } = createWebhookSecret(key, _id);
  const webhook = await insert(work, 'webhooks', {
    _id,
    name: validateName(input.name ?? new URL(url).host),
    url,
    types: validateEventTypes(input.types ?? []),
    enabled: true,
    disabledReason: null,
    afterSeq,
    secrets: [{ sealed, until: null }],
    createdAt: work.now,
    createdBy: work.actor.id,
    updatedAt: work.now,
    updatedBy: work.actor.id,
    lock: 0,
  });
  work.audit({
    action: 'webhook.created',
    summary: `Webhook ${_id} was created.`,
    changes: { webhook: { from: null, to: { id: _id, ...auditedFields(webhook) } } },
  });
  work.neverReplay();
  work.afterCommit(() => work.services.dispatch.notify('webhook'));
  return { ...webhook, secret: formatWebhookSecret(secret) };
}

/**
 * Returns the `seq` of the newest sealed record. Who plans deliveries reads the webhooks after the events, and so
 * delivers every event that is recorded after the webhook was stored.
 */
export async function newestSeq(work: Work): Promise<number> {
  return (await endOfLog(work))?.newest ?? 0;
}

/** Returns the audited fields of a webhook, with only the origin of the URL, because the rest may be a credential. */
export function auditedFields({
  name,
  url,
  types,
  enabled,
}: Pick<WebhookRecord, 'name' | 'url' | 'types' | 'enabled'>) {
  return { name, origin: new URL(url).origin, types, enabled };
}
