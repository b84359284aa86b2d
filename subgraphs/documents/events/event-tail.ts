import { currentAction } from '../../core/domain/audit/audit-action.ts';
import { eventText, isForAdministrators } from '../../core/domain/audit/cloud-event.ts';
import { endOfLog, actorNames, type SealedRecord, sealedRecordsAfter } from '../../core/store/audit/sealed-events.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';

/** An event in both its forms, as JSON: for administrators, and for readers, to whom records about access and the system are not told. */
export type StreamEvent = { seq: number; action: string; forAdministrators: string; forReaders: string | null };

export type EventTail = {
  /** The place of the newest record; what is recorded from now on comes after it. */
  newest(): Promise<number>;
  /**
   * Goes on from a place, event by event without a gap, some at a time: an empty part every few seconds in which nothing came. Ends when the
   * service stops, or after the next part once the signal aborts.
   */
  follow(after: number, signal: AbortSignal): AsyncGenerator<StreamEvent[]>;
  /** How many follow now. */
  followers(): number;
};

const DEFAULTS = { pollMs: 500, heartbeatMs: 5_000, bufferSize: 2_000 };
const BATCH = 200;

/**
 * Follows the log once for all who listen in this process, and only while somebody does. The newest events are kept; who
 * comes from further back, or takes them so slowly that they are no longer kept, reads his own pages from the store, each
 * when he has taken the one before. So nothing heaps up for anybody.
 */
export function createEventTail(services: Services, times: Partial<typeof DEFAULTS> = {}): EventTail {
  const { pollMs: lookMs, heartbeatMs: beatMs, bufferSize: kept } = { ...DEFAULTS, ...times };
  const { dispatch, log } = services;
  const scope: Scope = { db: services.mongo.db };
  const recent: StreamEvent[] = [];
  // null while nobody follows
  let newest: number | null = null;
  let followers = 0;
  let advanced = Promise.withResolvers<void>();
  let running = false;

  const wake = () => {
    const woken = advanced;
    advanced = Promise.withResolvers();
    woken.resolve();
  };

  async function run(): Promise<void> {
    newest = (await endOfLog(scope))?.newest ?? 0;
    for (let woken = performance.now(); followers && !dispatch.closed.aborted; ) {
      // Before the look, so that nothing sealed during it is missed.
      const bell = dispatch.waitFor(['sealed'], lookMs);
      const events: StreamEvent[] = await readBatch(scope, newest);
      recent.push(...events);
      recent.splice(0, recent.length - kept);
      newest = events.at(-1)?.seq ?? newest;
      if (events.length || performance.now() - woken >= beatMs) {
        wake();
        woken = performance.now();
      }
      if (events.length < BATCH) await bell;
    }
  }

  function start(): void {
    if (running) return;
    running = true;
    run()
      .catch(async (error: unknown) => {
        log.warn({ err: error }, 'the log could not be followed; it is tried again');
        await dispatch.waitFor([], lookMs);
      })
      .finally(() => {
        running = false;
        recent.length = 0;
        newest = null;
        wake();
        if (followers && !dispatch.closed.aborted) start();
      });
  }

  /** What there is after a place: of what is kept, else of the store. */
  function batchAfter(place: number): StreamEvent[] | Promise<StreamEvent[]> {
    if (newest !== null && place >= newest) return [];
    const oldest = recent[0]?.seq;
    if (oldest !== undefined && place >= oldest - 1)
      return recent.slice(place - oldest + 1, place - oldest + 1 + BATCH);
    return readBatch(scope, place);
  }

  return {
    newest: async () => (await endOfLog(scope))?.newest ?? 0,
    followers: () => followers,
    follow: async function* (after, signal) {
      let place = after;
      followers += 1;
      start();
      try {
        while (!signal.aborted && !dispatch.closed.aborted) {
          const next = advanced.promise;
          const part = await batchAfter(place);
          place = part.at(-1)?.seq ?? place;
          yield part;
          if (!part.length) await next;
        }
      } finally {
        followers -= 1;
      }
    },
  };
}

async function readBatch(scope: Scope, after: number): Promise<StreamEvent[]> {
  const events = await sealedRecordsAfter(scope, after, BATCH);
  const end = events.length ? await endOfLog(scope) : null;
  if (!end) return [];
  const nameOf = await actorNames(
    scope,
    events.map(({ record }) => record),
  );
  return events.map(({ seq, record }: SealedRecord) => {
    const text = (administrator: boolean) =>
      eventText(record, { seq, log: end.log }, { name: nameOf(record.by), administrator });
    return {
      seq,
      action: currentAction(record.action),
      forAdministrators: text(true),
      forReaders: isForAdministrators(record) ? null : text(false),
    };
  });
}
