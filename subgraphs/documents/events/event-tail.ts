import { currentAction } from '../../core/domain/audit/audit-action.ts';
import { eventText, isForAdministrators } from '../../core/domain/audit/cloud-event.ts';
import { endOfLog, namesOf, type Sealed, sealedAfter } from '../../core/store/audit/sealed-events.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';

/** An event in both its forms, as JSON: for administrators, and for readers, to whom records about access and the system are not told. */
export type ToldEvent = { seq: number; action: string; forAdministrators: string; forReaders: string | null };

export type EventTail = {
  /** The place of the newest record; what is recorded from now on comes after it. */
  newest(): Promise<number>;
  /**
   * Goes on from a place, event by event without a gap, some at a time: an empty part every few seconds in which nothing came. Ends when the
   * service stops, or after the next part once the signal aborts.
   */
  follow(after: number, signal: AbortSignal): AsyncGenerator<ToldEvent[]>;
  /** How many follow now. */
  followers(): number;
};

const USUAL = { lookMs: 500, beatMs: 5_000, kept: 2_000 };
const BATCH = 200;

/**
 * Follows the log once for all who listen in this process, and only while somebody does. The newest events are kept; who
 * comes from further back, or takes them so slowly that they are no longer kept, reads his own pages from the store, each
 * when he has taken the one before. So nothing heaps up for anybody.
 */
export function eventTail(services: Services, times: Partial<typeof USUAL> = {}): EventTail {
  const { lookMs, beatMs, kept } = { ...USUAL, ...times };
  const { dispatch, log } = services;
  const scope: Scope = { db: services.mongo.db };
  const recent: ToldEvent[] = [];
  // null while nobody follows
  let newest: number | null = null;
  let followers = 0;
  let moved = Promise.withResolvers<void>();
  let running = false;

  const wake = () => {
    const woken = moved;
    moved = Promise.withResolvers();
    woken.resolve();
  };

  async function run(): Promise<void> {
    newest = (await endOfLog(scope))?.newest ?? 0;
    for (let woken = performance.now(); followers && !dispatch.closed.aborted; ) {
      // Before the look, so that nothing sealed during it is missed.
      const bell = dispatch.heard(['sealed'], lookMs);
      const events: ToldEvent[] = await told(scope, newest);
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
        await dispatch.heard([], lookMs);
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
  function partAfter(place: number): ToldEvent[] | Promise<ToldEvent[]> {
    if (newest !== null && place >= newest) return [];
    const oldest = recent[0]?.seq;
    if (oldest !== undefined && place >= oldest - 1)
      return recent.slice(place - oldest + 1, place - oldest + 1 + BATCH);
    return told(scope, place);
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
          const next = moved.promise;
          const part = await partAfter(place);
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

async function told(scope: Scope, after: number): Promise<ToldEvent[]> {
  const events = await sealedAfter(scope, after, BATCH);
  const end = events.length ? await endOfLog(scope) : null;
  if (!end) return [];
  const nameOf = await namesOf(
    scope,
    events.map(({ record }) => record),
  );
  return events.map(({ seq, record }: Sealed) => {
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
