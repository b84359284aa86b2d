import type { Actor } from '../../core/domain/access/actor.ts';
import { hasAbility } from '../../core/domain/access/permissions.ts';
import {
  checkedPlace,
  checkedTypes,
  type EventAttributes,
  eventAttributes,
  isForAdministrators,
  isOfTypes,
} from '../../core/domain/audit/cloud-event.ts';
import { pageSize, decodeCursor, encodeCursor } from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { endOfLog, type SealedRecord, sealedRecordsAfter } from '../../core/store/audit/sealed-events.ts';

type Input = { after?: number | null; cursor?: string | null; types?: string | null; limit?: number | null };
/** A sealed record with the attributes of an event. */
export type SealedEvent = SealedRecord & EventAttributes;
export type EventPage = { items: SealedEvent[]; next: number; nextCursor: string | null };

const LIST = 'events';
const BATCH = 200;
// What one question looks through for the types it wants.
const MAX_SCANNED = 4_000;

/**
 * What was recorded after a place in the log, oldest first and without a gap: `next` is the place to go on from, also past records that the one who asks does not
 * see or want. `types` are separated by commas. `nextCursor` is null when there is nothing more now.
 */
export async function readEvents(
  { scope, request }: Pick<Context, 'scope' | 'request'>,
  { after, cursor, types, limit }: Input,
): Promise<EventPage> {
  const size = pageSize(limit);
  const wanted = checkedTypes(types?.split(',') ?? []);
  const end = await endOfLog(scope);
  const all = isAdministrator(request.actor);
  const items: SealedEvent[] = [];
  let next = checkedPlace(Number(decodeCursor(LIST, cursor)?.[0] ?? after ?? 0), end?.newest ?? 0);

  for (let looked = 0; end && next < end.newest && items.length < size && looked < MAX_SCANNED; looked += BATCH) {
    for (const event of await sealedRecordsAfter(scope, next, BATCH)) {
      if (items.length === size) break;
      const { seq, record } = event;
      next = seq;
      if ((all || !isForAdministrators(record)) && isOfTypes(wanted, record))
        items.push({ ...event, ...eventAttributes(record, seq, end.log) });
    }
  }
  return { items, next, nextCursor: next < (end?.newest ?? 0) ? encodeCursor(LIST, [next]) : null };
}

/** Whether somebody sees all of the log. */
function isAdministrator({ role }: Pick<Actor, 'role'>): boolean {
  return role === 'system' || hasAbility(role, 'administer');
}
