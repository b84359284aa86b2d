// Lists webhooks and their deliveries.

import { paginateInMemory } from '../../core/domain/text/paginate-in-memory.ts';
import {
  decodePosition,
  type Page,
  type PageInput,
  page,
  pageSize,
  resolveOrder,
} from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { datePosition } from '../../core/store/query/page-request.ts';
import { get } from '../../core/store/query/records.ts';
import type { DeliveryRecord, WebhookRecord } from '../../core/store/schema/collections.ts';
import { allWebhooks, countDeliveries, listDeliveries } from '../../core/store/webhooks.ts';

/** Returns a page of the webhooks, by default oldest first. */
export async function readWebhooks(
  { scope }: Pick<Context, 'scope'>,
  input: PageInput<'name' | 'createdAt' | 'updatedAt'>,
): Promise<Page<WebhookRecord>> {
  return paginateInMemory(await allWebhooks(scope), input, {
    list: 'webhooks',
    keys: {
      name: ({ name }) => name,
      createdAt: ({ createdAt }) => createdAt.getTime(),
      updatedAt: ({ updatedAt }) => updatedAt.getTime(),
    },
    idOf: ({ _id }) => _id,
    defaultOrder: { sort: 'createdAt', descending: false },
  });
}

type Input = PageInput<'createdAt'> & { id: string; status?: DeliveryRecord['status'] | null };

/**
 * Returns a page of a webhook's deliveries, by default newest first: the waiting ones and those of the last 30 days.
 * Throws `not_found` for an unknown webhook.
 */
export async function readDeliveries(
  { scope }: Pick<Context, 'scope'>,
  { id, status, ...input }: Input,
): Promise<Page<DeliveryRecord>> {
  await get(scope, 'webhooks', id);
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, { sort: 'createdAt', descending: true });
  const list = `deliveries ${JSON.stringify([id, status, descending])}`;
  const after = datePosition(decodePosition(list, input.cursor));
  const [found, total] = await Promise.all([
    listDeliveries(scope, { webhookId: id, status }, { descending, limit: limit + 1, after }),
    input.total ? countDeliveries(scope, { webhookId: id, status }) : null,
  ]);
  return { ...page(found, limit, ({ createdAt, _id }) => [createdAt.getTime(), _id], list), total };
}
