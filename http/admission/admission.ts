// Decides when a request may run, and limits how many requests of a caller are in progress.
import type { ServerResponse } from 'node:http';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { publishOverload } from '../../subgraphs/core/platform/instrumentation.ts';
import { networkPrefixOf } from '../request/network-prefix.ts';
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts';
import { createRejections } from './rejections.ts';

/** Who sent a request: a token, a user of an identity provider, or the network of an anonymous client. */
export type Caller = { key: string; isExempt: boolean };
/** A request that may take long: it is counted separately, and needs no slot. */
export type LongRequest = 'upload' | 'stream';
/** The maximum number of requests of a caller in progress. */
export type MaxInProgress = Record<'request' | LongRequest, number>;
/** Frees a slot, or ends the count of a request. Further calls have no effect. */
export type Release = () => void;

export type Admission = {
  /** Counts a request of a caller. Throws `rate_limited` if too many are in progress. Workers are exempt. */
  acquire(kind: LongRequest | undefined, caller: Caller): Release;
  /**
   * Counts a request of a caller like `acquire` until its response is complete or its client has disconnected. A client
   * that repeats a rejected request on the same connection before the time of Retry-After waits first, so that
   * rejections do not take the time of other callers.
   */
  enter(kind: LongRequest | undefined, caller: Caller, response: ServerResponse): Promise<void>;
  /**
   * Runs `work` when the caller has a slot for it, and frees the slot when `work` ends or calls its argument. Throws
   * `overloaded` at once if the wait would be too long. Workers are exempt: a lease must not expire in a queue, and
   * requests of many workers share transactions.
   */
  run<T>(
    access: 'read' | 'write',
    caller: Caller,
    response: ServerResponse,
    work: (release: Release) => Promise<T>,
  ): Promise<T>;
};

const SHARE_OF_CALLER = 1 / 2;
const READ_SHARE_AMONG_OTHERS = 1 / 8;
// Writes share transactions, one at a time: more slots make these larger, which costs less. Reads do not wait for writes.
const WRITE_SLOTS_PER_SLOT = 2;
const IN_PROGRESS: Record<keyof MaxInProgress, { name: string; retryAfter: number }> = {
  request: { name: 'requests', retryAfter: 1 },
  upload: { name: 'uploads', retryAfter: 5 },
  stream: { name: 'streams and long polls', retryAfter: 5 },
};

/**
 * Creates the admission of this process: `slots` for reads, and twice as many for writes. A caller gets at most half
 * of either, and an eighth of those for reads while others send requests: reads compete for the processor, whereas
 * concurrent writes share transactions.
 */
export function createAdmission({
  slots,
  maxWaitMs,
  maxInProgress,
}: Pick<FairQueueOptions, 'slots' | 'maxWaitMs'> & { maxInProgress: MaxInProgress }): Admission {
  const counts = new Map<string, number>();
  const share = (count: number, of: number) => Math.ceil(count * of);
  const writeSlots = share(slots, WRITE_SLOTS_PER_SLOT);
  const takeSlot = {
    read: createSlots({
      slots,
      slotsPerCaller: share(slots, SHARE_OF_CALLER),
      slotsPerCallerAmongOthers: share(slots, READ_SHARE_AMONG_OTHERS),
      maxWaitMs,
    }),
    write: createSlots({ slots: writeSlots, slotsPerCaller: share(writeSlots, SHARE_OF_CALLER), maxWaitMs }),
  };
  const rejections = createRejections();

  const admission: Admission = {
    acquire(long, { key: caller, isExempt }) {
      const kind = long ?? 'request';
      if (isExempt) return () => undefined;
      const { name, retryAfter } = IN_PROGRESS[kind];
      const key = `${name} ${caller}`;
      const count = counts.get(key) ?? 0;
      if (count >= maxInProgress[kind])
        throw new DomainError(
          'rate_limited',
          `This token already has ${count} ${name} in progress, the maximum. Wait until one ends.`,
          { limit: name, allowed: maxInProgress[kind], retryAfter },
        );
      counts.set(key, count + 1);
      return once(() => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left) counts.set(key, left);
        else counts.delete(key);
      });
    },

    async enter(kind, caller, response) {
      await rejections.waitBeforeRepeat(caller.key, response);
      try {
        response.once('close', admission.acquire(kind, caller));
      } catch (error) {
        if (error instanceof DomainError) rejections.record(caller.key, response, error);
        throw error;
      }
    },

    async run(access, { key, isExempt }, response, work) {
      if (isExempt) return work(() => undefined);
      const release = await takeSlot[access](key, response).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'overloaded') {
          publishOverload({ access });
          rejections.record(key, response, error);
        }
        throw error;
      });
      try {
        return await work(release);
      } finally {
        release();
      }
    },
  };
  return admission;
}

/**
 * Creates the function that resolves when a caller has a slot. It rejects with `overloaded` if the wait is too long,
 * and stops waiting if the client of `response` disconnects.
 */
export function createSlots(
  options: FairQueueOptions,
): (caller: string, response?: ServerResponse) => Promise<Release> {
  const queue = createFairQueue<Waiting>(options);
  const maxActualWaitMs = 2 * options.maxWaitMs; // the expected wait is an estimate

  const slotOf = (caller: string): Release => {
    const startedAt = performance.now();
    return once(() => {
      for (const { start } of queue.leave(caller, performance.now() - startedAt)) start();
    });
  };

  return async (caller, response) => {
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const entry: Waiting = { start: () => resolve(slotOf(caller)), shed: () => reject(overloaded(queue.waitMs())) };
    const entered = queue.enter(caller, entry);
    if (entered.outcome === 'run') return slotOf(caller);
    if (entered.outcome === 'reject') throw overloaded(entered.waitMs);
    entered.evicted?.shed();

    const stop = (error: DomainError) => {
      queue.cancel(caller, entry);
      reject(error);
    };
    const onClose = () => stop(new DomainError('request_timeout', 'The client disconnected before the request ran.'));
    const timer =
      maxActualWaitMs < MAX_TIMEOUT_MS
        ? setTimeout(() => stop(overloaded(queue.waitMs())), maxActualWaitMs)
        : undefined;
    response?.once('close', onClose);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      response?.off('close', onClose);
    }
  };
}

/** Returns the caller of a request: its token, else its user, else the network of an anonymous client. */
export function callerOf(actor: Actor | null, ip: string): Caller {
  if (!actor) return { key: `anonymous ${networkPrefixOf(ip)}`, isExempt: false };
  const { id, tokenId, role } = actor;
  return { key: tokenId ?? id, isExempt: role === 'worker' || role === 'system' };
}

type Waiting = { start(): void; shed(): void };

const MAX_TIMEOUT_MS = 2 ** 31;

function overloaded(waitMs: number): DomainError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  return new DomainError(
    'overloaded',
    `The service has more requests than it can process in time, so this one was not executed. Repeat it after ${retryAfter} s.`,
    { retryAfter },
  );
}

function once(release: Release): Release {
  let held = true;
  return () => {
    if (held) release();
    held = false;
  };
}
