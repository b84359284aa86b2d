// Rotates the signing secrets of webhooks.
import { formatWebhookSecret } from '../../core/domain/access/webhook.ts';
import { createWebhookSecret } from '../../core/platform/webhook-secret.ts';
import { change, lock } from '../../core/store/query/records.ts';
import type { WebhookRecord } from '../../core/store/schema/collections.ts';
import type { Work } from '../../core/work.ts';

const OVERLAP_MS = 24 * 3_600_000;

/**
 * Creates a new signing secret, which is never returned again. For 24 hours deliveries are also signed with the
 * previous secret, so that receivers can change over.
 */
export async function rotateWebhookSecret(
  work: Work,
  { id }: { id: string },
): Promise<WebhookRecord & { secret: string }> {
  const { secrets } = await lock(work, 'webhooks', id);

  const { secret, sealed } = createWebhookSecret(work.services.webhooks.key, id);
  const until = new Date(work.now.getTime() + OVERLAP_MS);
  const previous = secrets.filter((each) => each.until === null).map((each) => ({ ...each, until }));

  const webhook = await change(work, 'webhooks', id, {
    secrets: [{ sealed, until: null }, ...previous],
    updatedAt: work.now,
    updatedBy: work.actor.id,
  });
  work.audit({
    action: 'webhook.secret_rotated',
    summary: `The secret of webhook ${id} was rotated.`,
    changes: { webhookId: { from: null, to: id } },
  });
  work.neverReplay();
  work.afterCommit(() => work.services.dispatch.notify('webhook'));
  return { ...webhook, secret: formatWebhookSecret(secret) };
}
