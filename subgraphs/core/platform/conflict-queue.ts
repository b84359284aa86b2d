// Serializes commands after a write conflict. Without it, the work wasted on repeated conflicts grows with the square
// of the number of concurrent commands.
import { Mutex } from 'async-mutex';

/** A queue for each command name. While one command of a name holds it, the others of that name wait. */
export type ConflictQueue = {
  /** Waits in the queue of `name` if it is in use. Returns a function that releases it, or null if it is not in use. */
  acquireIfBusy(name: string): Promise<(() => void) | null>;
  /** Waits in the queue of `name`, for a command that met a conflict. Returns a function that releases it. */
  acquire(name: string): Promise<() => void>;
};

export function createConflictQueue(): ConflictQueue {
  const mutexes = new Map<string, Mutex>();

  async function acquire(name: string): Promise<() => void> {
    const mutex = mutexes.get(name) ?? new Mutex();
    mutexes.set(name, mutex);
    const release = await mutex.acquire();
    return () => {
      release();
      if (!mutex.isLocked()) mutexes.delete(name);
    };
  }

  return { acquire, acquireIfBusy: async (name) => (mutexes.has(name) ? acquire(name) : null) };
}

const turns = new WeakMap<object, Mutex>();

/**
 * Returns the mutex of a database that each shared transaction holds, and each run of a command that has met several
 * conflicts. Who waits gets it in the order of arrival, so that neither starves.
 */
export function turnsOf(db: object): Mutex {
  const turn = turns.get(db) ?? new Mutex();
  turns.set(db, turn);
  return turn;
}
