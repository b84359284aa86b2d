// Notices that the store does not respond, long before the timeouts of the driver.
import { setImmediate } from 'node:timers/promises';
import { DomainError } from '../domain/errors.ts';

/** Ends reads with `unavailable` while the store does not respond. */
export type StoreWatch = {
  /** Calls `onLost`, at most once, if the store stops responding. Returns a function that ends the watch. */
  watch(onLost: (error: DomainError) => void): () => void;
  /** Resolves or rejects as `read` does, or rejects with `unavailable`. The read itself goes on. */
  guard<T>(read: Promise<T>): Promise<T>;
  /** Notes that connections were lost: reads that wait on one of them may never end, although the store responds. */
  connectionsLost(): void;
};

type Waiting = { startedAt: number; since: number; onLost: (error: DomainError) => void };

const PATIENCE_MS = 1_000;
const PING_MS = 1_500;

/**
 * Creates a watch. When a read has waited for a second, the store is pinged, at most one ping at a time; if it does not
 * respond within 1.5 s, all waiting reads end. So a read ends within 3 s, and reads that end sooner send no ping.
 */
export function createStoreWatch(ping: (timeoutMs: number) => Promise<unknown>): StoreWatch {
  // In the order of their start.
  const waiting = new Set<Waiting>();
  let scheduled = false;
  let connectionsLostAt = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    const [oldest] = waiting;
    if (scheduled || !oldest) return;
    scheduled = true;
    setTimeout(() => void check(), Math.max(0, oldest.since + PATIENCE_MS - performance.now())).unref();
  }

  async function check(): Promise<void> {
    const [oldest] = waiting;
    const isLate = oldest !== undefined && performance.now() - oldest.since >= PATIENCE_MS - 1;
    if (isLate) endLost((await responds(ping)) ? connectionsLostAt : Number.POSITIVE_INFINITY);
    scheduled = false;
    schedule();
  }

  // The others are slow; the next ping is due after another second.
  function endLost(startedBefore: number): void {
    const now = performance.now();
    for (const entry of waiting) {
      entry.since = now;
      if (entry.startedAt >= startedBefore) continue;
      waiting.delete(entry);
      entry.onLost(databaseUnreachable());
    }
  }

  function watch(onLost: Waiting['onLost']): () => void {
    const startedAt = performance.now();
    const entry = { startedAt, since: startedAt, onLost };
    waiting.add(entry);
    schedule();
    return () => void waiting.delete(entry);
  }

  return {
    watch,
    connectionsLost: () => {
      connectionsLostAt = performance.now();
    },
    guard: (read) =>
      new Promise((resolve, reject) => {
        const end = watch(reject);
        read.then(resolve, reject).finally(end);
      }),
  };
}

/** The error of a request that the store did not answer. */
export function databaseUnreachable(): DomainError {
  return new DomainError('unavailable', 'The database is not reachable. Try again in a moment.', { part: 'database' });
}

async function responds(ping: (timeoutMs: number) => Promise<unknown>): Promise<boolean> {
  let responded = false;
  const pinged = ping(PING_MS).then(
    () => {
      responded = true;
    },
    () => undefined,
  );
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PING_MS);
  });
  await Promise.race([pinged, timeout]);
  clearTimeout(timer);
  // If this process was busy, the response may have arrived but not been read.
  if (!responded) await setImmediate();
  if (!responded) await setImmediate();
  return responded;
}
