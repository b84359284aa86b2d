import { currentAction } from '../../core/domain/audit/audit-action.ts';
import { eventText, isForAdministrators } from '../../core/domain/audit/cloud-event.ts';
import type { EventPublisher } from '../../core/platform/publish-nats.ts';
import { createCursor, acquireCursor, moveCursor, releaseCursor } from '../../core/store/audit/event-cursors.ts';
import { endOfLog, actorNames, sealedRecordsAfter } from '../../core/store/audit/sealed-events.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';
import { type PollLoop, startPollLoop } from './poll-loop.ts';

const CURSOR = 'nats';
const BATCH = 200;
const LEASE_MS = 10_000;
const POLL_MS = 1_000;

/**
 * Publishes what is recorded, from the first start with a message server on, as readers see it: nothing about access and the system, no addresses and
 * tokens. The place it has come to is stored after the server has stored the events, so that each arrives at least once whoever dies when; the id
 * tells repetitions. Of several processes one publishes, as long as it is not silent for 10 seconds.
 */
export function startPublishing(
  services: Services,
  publisher: EventPublisher,
  { leaseMs = LEASE_MS, lookMs = POLL_MS } = {},
): PollLoop {
  const scope: Scope = { db: services.mongo.db };
  let begun = false;

  const work = async (holder: string): Promise<boolean> => {
    const end = await endOfLog(scope);
    if (!begun) await createCursor(scope, CURSOR, end?.newest ?? 0);
    begun = true;
    if (!end || !publisher.up()) return false;
    const place = await acquireCursor(scope, CURSOR, { id: holder, now: services.clock(), leaseMs });
    if (place === null || place >= end.newest) return false;
    const events = await sealedRecordsAfter(scope, place, BATCH);
    const shown = events.filter(({ record }) => !isForAdministrators(record));
    const nameOf = await actorNames(
      scope,
      shown.map(({ record }) => record),
    );
    await publisher.publish(
      shown.map(({ seq, record }) => ({
        id: record._id,
        type: currentAction(record.action),
        text: eventText(record, { seq, log: end.log }, { name: nameOf(record.by), administrator: false }),
      })),
    );
    return moveCursor(scope, CURSOR, events.at(-1)?.seq ?? place, holder);
  };
  return startPollLoop(services, { what: 'publishing events', bells: ['sealed'], everyMs: lookMs }, work, (holder) =>
    releaseCursor(scope, CURSOR, holder),
  );
}
