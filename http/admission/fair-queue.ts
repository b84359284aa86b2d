// Shares slots fairly between callers and sheds requests that would wait too long. No timers: `leave` receives how long
// a request took.

export type FairQueueOptions = {
  /** How many requests run at once. */
  slots: number;
  /** How many of them may belong to one caller. */
  slotsPerCaller: number;
  /** How many of them may belong to one caller while others send requests. Default: `slotsPerCaller`. */
  slotsPerCallerAmongOthers?: number;
  /** The maximum expected wait of a request in milliseconds. */
  maxWaitMs: number;
  /** The current time in milliseconds. */
  now?: () => number;
};

/**
 * The outcome of a new request. `evicted` is a waiting request of another caller that lost its place to it. `waitMs` is
 * how long a rejected request would have waited.
 */
export type Entered<Entry> =
  | { outcome: 'run' }
  | { outcome: 'wait'; evicted?: Entry }
  | { outcome: 'reject'; waitMs: number };

export type FairQueue<Entry> = {
  /** Takes a slot if one is free, else waits for one, unless the expected wait is too long. */
  enter(caller: string, entry: Entry): Entered<Entry>;
  /** Frees the slot of a request that ran for `ms`. Returns the waiting requests that have a slot now. */
  leave(caller: string, ms: number): Entry[];
  /** Removes a waiting request whose client has disconnected. */
  cancel(caller: string, entry: Entry): void;
  /** The expected wait of one more request in milliseconds. */
  waitMs(): number;
};

/** Assumed before the first request ends. */
const INITIAL_SERVICE_MS = 10;
/** How long a caller counts as active after its last request. */
const ACTIVE_MS = 1_000;
/** The weight of the newest request in the moving average of service times. */
const NEWEST_WEIGHT = 1 / 32;

/**
 * Creates a queue. The callers take turns, however many requests each sends. The expected wait of a request is the mean
 * service time times the number of turns before it, if all waiting callers keep sending, divided by the number of slots. If
 * it is too long, the request is rejected at once. If other callers have arrived since and all requests together would wait too long, the newest request
 * of the caller with the most waiting requests is evicted: one caller's requests do not displace those of the others.
 */
export function createFairQueue<Entry>({
  slots,
  slotsPerCaller,
  slotsPerCallerAmongOthers = slotsPerCaller,
  maxWaitMs,
  now = () => performance.now(),
}: FairQueueOptions): FairQueue<Entry> {
  const runningOf = new Map<string, number>();
  // In the order of their turns. Only callers with waiting requests.
  const waitingOf = new Map<string, Entry[]>();
  let running = 0;
  let waiting = 0;
  let serviceMs = INITIAL_SERVICE_MS;
  // The last request, and the last one of another caller.
  let last = { caller: '', at: Number.NEGATIVE_INFINITY };
  let lastOther = last;

  const recordRequest = (caller: string): void => {
    if (caller !== last.caller) lastOther = last;
    last = { caller, at: now() };
  };
  const shareOf = (caller: string): number => {
    const { at } = caller === last.caller ? lastOther : last;
    return now() - at < ACTIVE_MS ? slotsPerCallerAmongOthers : slotsPerCaller;
  };
  const hasSlotFor = (caller: string): boolean => running < slots && (runningOf.get(caller) ?? 0) < shareOf(caller);
  const waitMs = (): number => (serviceMs * (waiting + 1)) / slots;

  const start = (caller: string): void => {
    running += 1;
    runningOf.set(caller, (runningOf.get(caller) ?? 0) + 1);
  };

  const remove = (caller: string, entries: Entry[], index: number): Entry | undefined => {
    const [entry] = entries.splice(index, 1);
    waiting -= 1;
    if (!entries.length) waitingOf.delete(caller);
    return entry;
  };

  const startNext = (): Entry | undefined => {
    for (const [caller, entries] of waitingOf) {
      if (!hasSlotFor(caller)) continue;
      const entry = remove(caller, entries, 0);
      // Behind the others, for the next round.
      if (waitingOf.delete(caller)) waitingOf.set(caller, entries);
      start(caller);
      return entry;
    }
    return undefined;
  };

  const evictFromBusiest = (minLength: number): Entry | undefined => {
    let busiest: [string, Entry[]] | undefined;
    for (const one of waitingOf) if (one[1].length > (busiest?.[1].length ?? minLength)) busiest = one;
    return busiest && remove(...busiest, busiest[1].length - 1);
  };

  return {
    waitMs,

    enter(caller, entry) {
      recordRequest(caller);
      const own = waitingOf.get(caller) ?? [];
      if (!own.length && hasSlotFor(caller)) {
        start(caller);
        return { outcome: 'run' };
      }
      const callers = waitingOf.size + (own.length ? 0 : 1);
      const ownWaitMs = serviceMs * (own.length + 1) * Math.max(callers / slots, 1 / shareOf(caller));
      if (ownWaitMs > maxWaitMs) return { outcome: 'reject', waitMs: ownWaitMs };
      const isFull = waitMs() > maxWaitMs;
      const evicted = isFull ? evictFromBusiest(own.length + 1) : undefined;
      if (isFull && evicted === undefined) return { outcome: 'reject', waitMs: waitMs() };
      own.push(entry);
      waitingOf.set(caller, own);
      waiting += 1;
      return evicted === undefined ? { outcome: 'wait' } : { outcome: 'wait', evicted };
    },

    leave(caller, ms) {
      serviceMs += (ms - serviceMs) * NEWEST_WEIGHT;
      running -= 1;
      const left = (runningOf.get(caller) ?? 1) - 1;
      if (left) runningOf.set(caller, left);
      else runningOf.delete(caller);
      const started: Entry[] = [];
      for (let next = startNext(); next !== undefined; next = startNext()) started.push(next);
      return started;
    },

    cancel(caller, entry) {
      const entries = waitingOf.get(caller) ?? [];
      const index = entries.indexOf(entry);
      if (index >= 0) remove(caller, entries, index);
    },
  };
}
