// Publishes sealed audit records as events over NATS.
import { currentAction } from '../../core/domain/audit/audit-action.ts';
import { formatEvent, isAdminOnly } from '../../core/domain/audit/cloud-event.ts';
import type { EventPublisher } from '../../core/platform/publish-nats.ts';
import { acquireCursor, createCursor, moveCursor, releaseCursor } from '../../core/store/audit/event-cursors.ts';
import { actorNames, endOfLog, sealedRecordsAfter } from '../../core/store/audit/sealed-events.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';
import { type PollLoop, startPollLoop } from './poll-loop.ts';

const CURSOR = 'nats';
const BATCH = 200;
const LEASE_MS = 10_000;
const POLL_MS = 1_000;

/**
 * Starts to publish events recorded since the first start with NATS, as users without administrator rights see them: no
 * events about access and the system, no IP addresses and token ids. The position is stored after the NATS server
 * stored the events, so each event arrives at least once, and duplicates have the same id. If several processes run it,
 * only the holder of a 10-second lease publishes.
 */
export function startPublishing(
  services: Services,
  publisher: EventPublisher,
  { leaseMs = LEASE_MS, pollMs = POLL_MS } = {},
): PollLoop {
  const scope: Scope = { db: services.mongo.db };
  let initialized = false;

  const work = async (holder: string): Promise<boolean> => {
    const end = await endOfLog(scope);
    if (!initialized) await createCursor(scope, CURSOR, end?.newest ?? 0);
    initialized = true;
    if (!end || !publisher.up()) return false;
    const seq = await acquireCursor(scope, CURSOR, { id: holder, now: services.clock(), leaseMs });
    if (seq === null || seq >= end.newest) return false;
    const events = await sealedRecordsAfter(scope, seq, BATCH);
    const published = events.filter(({ record }) => !isAdminOnly(record));
    const nameOf = await actorNames(
      scope,
      published.map(({ record }) => record),
    );
    await publisher.publish(
      published.map(({ seq, record }) => ({
        id: record._id,
        type: currentAction(record.action),
        text: formatEvent(record, { seq, log: end.log }, { name: nameOf(record.by), administrator: false }),
      })),
    );
    return moveCursor(scope, CURSOR, events.at(-1)?.seq ?? seq, holder);
  };
  return startPollLoop(
    services,
    { name: 'event publishing', topics: ['sealed'], everyMs: () => pollMs },
    work,
    (holder) => releaseCursor(scope, CURSOR, holder),
  );
}
