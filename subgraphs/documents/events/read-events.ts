// Reads pages of events.
import { isAdministrator } from '../../core/domain/access/permissions.ts';
import {
  type EventAttributes,
  eventAttributes,
  isAdminOnly,
  matchesTypes,
  validateEventPosition,
  validateEventTypes,
} from '../../core/domain/audit/cloud-event.ts';
import { decodeCursor, encodeCursor, pageSize } from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { endOfLog, type SealedRecord, sealedRecordsAfter } from '../../core/store/audit/sealed-events.ts';

type Input = { after?: number | null; cursor?: string | null; types?: string | null; limit?: number | null };
/** A sealed audit record with the CloudEvents attributes. */
export type SealedEvent = SealedRecord & EventAttributes;
export type EventPage = { items: SealedEvent[]; next: number; nextCursor: string | null };

const LIST = 'events';
const BATCH = 200;
// The number of records that one request scans for matching types.
const MAX_SCANNED = 4_000;

/**
 * Returns the events after a `seq`, oldest first and without gaps. `types` is a comma-separated list. `next` is the
 * `seq` to continue after; it advances past events that were filtered out. `nextCursor` is null at the end of the log.
 */
export async function readEvents(
  { scope, request }: Pick<Context, 'scope' | 'request'>,
  { after, cursor, types, limit }: Input,
): Promise<EventPage> {
  const size = pageSize(limit);
  const selectedTypes = validateEventTypes(types?.split(',') ?? []);
  const end = await endOfLog(scope);
  const readsAll = isAdministrator(request.actor);
  const items: SealedEvent[] = [];
  let next = validateEventPosition(Number(decodeCursor(LIST, cursor)?.[0] ?? after ?? 0), end?.newest ?? 0);

  for (let scanned = 0; end && next < end.newest && items.length < size && scanned < MAX_SCANNED; scanned += BATCH) {
    for (const event of await sealedRecordsAfter(scope, next, BATCH)) {
      if (items.length === size) break;
      const { seq, record } = event;
      next = seq;
      if ((readsAll || !isAdminOnly(record)) && matchesTypes(selectedTypes, record))
        items.push({ ...event, ...eventAttributes(record, seq, end.log) });
    }
  }
  return { items, next, nextCursor: next < (end?.newest ?? 0) ? encodeCursor(LIST, [next]) : null };
}
