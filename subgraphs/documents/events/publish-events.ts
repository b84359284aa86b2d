// Publishes sealed audit records as events over NATS.
import { currentAction } from '../../core/domain/audit/audit-action.ts';
import { formatEvent, isAdminOnly } from '../../core/domain/audit/cloud-event.ts';
import type { EventPublisher } from '../../core/platform/publish-nats.ts';
import { actorNames, endOfLog, nextEvents } from '../../core/store/audit/sealed-events.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';
import { createHeldCursor } from './held-cursor.ts';
import { type PollLoop, startPollLoop } from './poll-loop.ts';

const CURSOR = 'nats';
const BATCH = 200;
const LEASE_MS = 10_000;
const POLL_MS = 1_000;

/**
 * Starts to publish events recorded since the first start with NATS, as users without administrator rights see them: no
 * events about access and the system, no IP addresses and token ids. The position is stored every 5 seconds,
 * after the NATS server stored the events, so each event arrives at least once, and duplicates have the same id. If
 * several processes run it, only the holder of a 10-second lease publishes.
 */
export function startPublishing(
  services: Services,
  publisher: EventPublisher,
  { leaseMs = LEASE_MS, pollMs = POLL_MS } = {},
): PollLoop {
  const scope: Scope = { db: services.mongo.db };
  const cursor = createHeldCursor(services, CURSOR, leaseMs);
  let initialized = false;

  const work = async (): Promise<boolean> => {
    if (!initialized) await cursor.create((await endOfLog(scope))?.newest ?? 0);
    initialized = true;
    if (!publisher.up()) return false;
    const seq = await cursor.position();
    if (seq === null) return false;
    const { log, events } = await nextEvents(scope, seq, BATCH);
    const published = events.filter(({ record }) => !isAdminOnly(record));
    const nameOf = await actorNames(
      scope,
      published.map(({ record }) => record),
    );
    await publisher.publish(
      published.map(({ seq, record }) => ({
        id: record._id,
        type: currentAction(record.action),
        text: formatEvent(record, { seq, log }, { name: nameOf(record.by), administrator: false }),
      })),
    );
    const last = events.at(-1);
    if (last) cursor.move(last.seq);
    return events.length === BATCH;
  };
  return startPollLoop(
    services,
    { name: 'event publishing', topics: ['sealed'], everyMs: () => pollMs },
    work,
    cursor.release,
  );
}
