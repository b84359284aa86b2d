// Keeps the position of a consumer of the log in memory, and stores it whenever it renews its lease.
import { randomUUID } from 'node:crypto';
import {
  acquireCursor,
  createCursor,
  type Holder,
  releaseCursor,
  saveCursor,
} from '../../core/store/audit/event-cursors.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';

/** A cursor of which one process at a time has the lease. */
export type HeldCursor = {
  /** Creates the cursor at a position, unless it exists. */
  create(seq: number): Promise<void>;
  /** Returns the position, after acquiring the lease if necessary; null if another process has it. */
  position(): Promise<number | null>;
  /** Whether this process has the lease. */
  isHeld(): boolean;
  /** Advances the position. A crash repeats what came after the last renewal. */
  move(seq: number): void;
  /** Stores the position and releases the lease. */
  release(): Promise<void>;
};

/** Creates a cursor that renews its lease of `leaseMs` after half of it. */
export function createHeldCursor(services: Services, name: string, leaseMs: number): HeldCursor {
  const { clock, log } = services;
  const scope: Scope = { db: services.mongo.db };
  const id = randomUUID();
  let seq = 0;
  let leaseUntil = new Date(0);
  let renewal: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();
  const holder = (): Holder => ({ id, now: clock(), leaseMs });

  const isHeld = () => {
    const leftMs = leaseUntil.getTime() - clock().getTime();
    return leftMs > 0 && leftMs <= 2 * leaseMs;
  };
  const drop = () => {
    clearInterval(renewal);
    leaseUntil = new Date(0);
  };
  const save = async () => {
    const at = holder();
    try {
      if (await saveCursor(scope, name, seq, at)) leaseUntil = new Date(at.now.getTime() + leaseMs);
      else drop();
    } catch (error) {
      log.debug({ err: error, cursor: name }, 'could not store the position in the log; retrying');
    }
  };

  return {
    isHeld,
    create: (first) => createCursor(scope, name, first),
    async position() {
      if (isHeld()) return seq;
      drop();
      await saving;
      const at = holder();
      const found = await acquireCursor(scope, name, at);
      if (!found) return null;
      // without another holder in between, the position in memory is newer
      seq = found.wasHeld ? Math.max(seq, found.seq) : found.seq;
      leaseUntil = new Date(at.now.getTime() + leaseMs);
      renewal = setInterval(() => {
        saving = save();
      }, leaseMs / 2).unref();
      return seq;
    },
    move(next) {
      seq = next;
    },
    async release() {
      clearInterval(renewal);
      await saving; // it would extend the lease afterwards
      const wasHeld = isHeld();
      drop();
      if (wasHeld) await releaseCursor(scope, name, id, seq);
    },
  };
}
