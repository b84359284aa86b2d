// Reads new events once per process for all event streams.
import { currentAction } from '../../core/domain/audit/audit-action.ts';
import { formatEvent, isAdminOnly } from '../../core/domain/audit/cloud-event.ts';
import { actorNames, endOfLog, nextEvents, type SealedRecord } from '../../core/store/audit/sealed-events.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';

/**
 * An event as JSON for administrators and for other readers; `forReaders` is null if only administrators can read it.
 */
export type StreamEvent = { seq: number; action: string; forAdministrators: string; forReaders: string | null };

export type EventTail = {
  /** Resolves to the `seq` of the newest sealed record, 0 if there is none. */
  newest(): Promise<number>;
  /**
   * Yields batches of the events after a `seq`, in order and without gaps. Yields an empty batch after a few seconds
   * without events. Ends when the service stops, or after the next batch once the signal aborts.
   */
  follow(after: number, signal: AbortSignal): AsyncGenerator<StreamEvent[]>;
  /** The number of current followers. */
  followers(): number;
};

const DEFAULTS = { pollMs: 500, heartbeatMs: 5_000, bufferSize: 2_000 };
const BATCH = 200;

/**
 * Creates the reader of the log that all followers in this process share. It runs only while there are followers, and
 * buffers the newest events. Followers that start or fall behind the buffer read their own batches from the store, one
 * at a time, so slow followers use no additional memory.
 */
export function createEventTail(services: Services, options: Partial<typeof DEFAULTS> = {}): EventTail {
  const { pollMs, heartbeatMs, bufferSize } = { ...DEFAULTS, ...options };
  const { dispatch, log } = services;
  const scope: Scope = { db: services.mongo.db };
  const recent: StreamEvent[] = [];
  // The `seq` of the newest event that was read; null while there are no followers.
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
      // Subscribe first, so that no notification during the read is missed.
      const notified = dispatch.waitFor(['sealed'], pollMs);
      const events: StreamEvent[] = await readBatch(scope, newest);
      recent.push(...events);
      recent.splice(0, recent.length - bufferSize);
      newest = events.at(-1)?.seq ?? newest;
      if (events.length || performance.now() - woken >= heartbeatMs) {
        wake();
        woken = performance.now();
      }
      if (events.length < BATCH) await notified;
    }
  }

  function start(): void {
    if (running) return;
    running = true;
    run()
      .catch(async (error: unknown) => {
        log.warn({ err: error }, 'could not read new events; retrying');
        await dispatch.waitFor([], pollMs);
      })
      .finally(() => {
        running = false;
        recent.length = 0;
        newest = null;
        wake();
        if (followers && !dispatch.closed.aborted) start();
      });
  }

  /** Returns the next events after a `seq`, from the buffer if possible, else from the store. */
  function batchAfter(seq: number): StreamEvent[] | Promise<StreamEvent[]> {
    if (newest !== null && seq >= newest) return [];
    // The buffer contains consecutive events, so an event's index is its `seq` minus the oldest one.
    const oldest = recent[0]?.seq;
    if (oldest !== undefined && seq >= oldest - 1) return recent.slice(seq - oldest + 1, seq - oldest + 1 + BATCH);
    return readBatch(scope, seq);
  }

  return {
    newest: async () => (await endOfLog(scope))?.newest ?? 0,
    followers: () => followers,
    follow: async function* (after, signal) {
      let seq = after;
      followers += 1;
      start();
      try {
        while (!signal.aborted && !dispatch.closed.aborted) {
          const next = advanced.promise;
          const batch = await batchAfter(seq);
          seq = batch.at(-1)?.seq ?? seq;
          yield batch;
          if (!batch.length) await next;
        }
      } finally {
        followers -= 1;
      }
    },
  };
}

async function readBatch(scope: Scope, after: number): Promise<StreamEvent[]> {
  const { log, events } = await nextEvents(scope, after, BATCH);
  const nameOf = await actorNames(
    scope,
    events.map(({ record }) => record),
  );
  return events.map(({ seq, record }: SealedRecord) => {
    const format = (administrator: boolean) =>
      formatEvent(record, { seq, log }, { name: nameOf(record.by), administrator });
    return {
      seq,
      action: currentAction(record.action),
      forAdministrators: format(true),
      forReaders: isAdminOnly(record) ? null : format(false),
    };
  });
}
