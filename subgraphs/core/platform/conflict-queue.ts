// Serializes commands after a write conflict. Without it, the work wasted on repeated conflicts grows with the square
// of the number of concurrent commands.

/** A queue for each command name. While one command of a name holds it, the others of that name wait. */
export type ConflictQueue = {
  /** Waits in the queue of `name` if it is in use. Returns a function that releases it, or null if it is not in use. */
  acquireIfBusy(name: string): Promise<(() => void) | null>;
  /** Waits in the queue of `name`, for a command that met a conflict. Returns a function that releases it. */
  acquire(name: string): Promise<() => void>;
};

export function createConflictQueue(): ConflictQueue {
  const queues = new Map<string, (() => void)[]>();

  const releaseOf = (name: string, queue: (() => void)[]) => () => {
    const next = queue.shift();
    if (next) next();
    else queues.delete(name);
  };

  async function acquire(name: string): Promise<() => void> {
    const busy = queues.get(name);
    if (busy) {
      await new Promise<void>((resolve) => busy.push(resolve));
      return releaseOf(name, busy);
    }
    const queue: (() => void)[] = [];
    queues.set(name, queue);
    return releaseOf(name, queue);
  }

  return { acquire, acquireIfBusy: async (name) => (queues.has(name) ? acquire(name) : null) };
}
