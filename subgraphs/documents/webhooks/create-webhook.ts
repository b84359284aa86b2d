import { validateWebhookUrl, formatWebhookSecret } from '../../core/domain/access/webhook.ts';
import { checkedTypes } from '../../core/domain/audit/cloud-event.ts';
import { refuse } from '../../core/domain/errors.ts';
import { validateName } from '../../core/domain/text/text.ts';
import { createWebhookSecret } from '../../core/platform/webhook-secret.ts';
import { createCursor, lockCursor } from '../../core/store/audit/event-cursors.ts';
import { endOfLog } from '../../core/store/audit/sealed-events.ts';
import { insert } from '../../core/store/query/records.ts';
import type { WebhookRecord } from '../../core/store/schema/collections.ts';
import { allWebhooks, MAX_WEBHOOKS, WEBHOOK_CURSOR } from '../../core/store/webhooks.ts';
import type { Work } from '../../core/work.ts';

type Input = { url: string; name?: string | null; types?: readonly string[] | null };

/**
 * Makes a webhook, which gets what is recorded from now on. The answer holds the secret that its deliveries are signed with, which is told here and
 * never again. Refuses addresses inside networks that are not allowed, and more than 50 webhooks.
 */
export async function createWebhook(
  work: Work,
  { url: given, name, types }: Input,
): Promise<WebhookRecord & { secret: string }> {
  const { key, networks } = work.services.webhooks;
  const url = validateWebhookUrl(given, networks);
  const afterSeq = await lockNewestSeq(work);
  const present = await allWebhooks(work);

  if (present.length >= MAX_WEBHOOKS)
    refuse(
      'validation_failed',
      `There are ${MAX_WEBHOOKS} webhooks already, which is as many as there may be. Delete one.`,
    );

  const _id = work.newId('whk');
  const { secret, sealed } = createWebhookSecret(key, _id);
  const webhook = await insert(work, 'webhooks', {
    _id,
    name: validateName(name ?? new URL(url).host),
    url,
    types: checkedTypes(types ?? []),
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
    summary: `Webhook ${_id} was made.`,
    changes: { webhook: { from: null, to: { id: _id, ...auditedFields(webhook) } } },
  });
  work.neverReplay();
  return { ...webhook, secret: formatWebhookSecret(secret) };
}

/** The place of the newest record; whoever decides at the same time which webhooks get the next ones conflicts, and decides again. */
export async function lockNewestSeq(work: Work): Promise<number> {
  const newest = (await endOfLog(work))?.newest ?? 0;
  await createCursor(work, WEBHOOK_CURSOR, newest);
  await lockCursor(work, WEBHOOK_CURSOR);
  return newest;
}

/** What is recorded of a webhook: of its address the origin, because the rest may be a credential. */
export function auditedFields({
  name,
  url,
  types,
  enabled,
}: Pick<WebhookRecord, 'name' | 'url' | 'types' | 'enabled'>) {
  return { name, origin: new URL(url).origin, types, enabled };
}
