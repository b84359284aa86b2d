import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import type { Context } from '../core/graphql.ts';
import type { DeliveryRecord } from '../core/store/collections.ts';
import { get } from '../core/store/records.ts';
import { listDeliveries } from '../core/store/webhooks.ts';

type Input = { id: string; status?: DeliveryRecord['status'] | null; limit?: number | null; cursor?: string | null };

/** A page of what was sent to a webhook within 30 days and what waits for it, newest first. Refuses a webhook that is not there (`not_found`). */
export async function readDeliveries(
  { scope }: Pick<Context, 'scope'>,
  { id, status, limit, cursor }: Input,
): Promise<{ items: DeliveryRecord[]; nextCursor: string | null }> {
  await get(scope, 'webhooks', id);
  const size = pageSize(limit);
  const list = `deliveries ${JSON.stringify([id, status])}`;
  const [at, last] = readCursor(list, cursor) ?? [];
  const before = at === undefined ? undefined : { createdAt: new Date(at), id: String(last) };
  const found = await listDeliveries(scope, { webhookId: id, status }, { limit: size + 1, before });
  return page(found, size, ({ createdAt, _id }) => [createdAt.getTime(), _id], list);
}
