import { oldestWaiting, type Wanted } from '../core/store/job-queue.ts';
import type { Scope } from '../core/store/scope.ts';

/** Hands out waiting jobs to the claims of this process, the oldest first and none to two of them. */
export type ClaimDesk = {
  /** The id of a job to claim, or null when none fits; `release` it when the claim has committed or failed. */
  next(wish: Wanted): Promise<string | null>;
  release(id: string): void;
};

type Line = { waiting: { give(id: string | null): void; fail(error: unknown): void }[]; serving: boolean };

/**
 * Claims that arrive while a query is under way share the next one, and each gets a job of its own: claimers that all went for the one oldest job
 * would spend their time in write conflicts. What is handed out here is a suggestion; the claim's own transaction decides, also between processes.
 */
export function claimDesk(scope: Scope, clock: () => Date): ClaimDesk {
  const lines = new Map<string, Line>();
  const taken = new Set<string>();

  async function serve(key: string, wish: Wanted, line: Line): Promise<void> {
    line.serving = true;
    while (line.waiting.length) {
      const served = line.waiting.splice(0);
      const takenBefore = new Set(taken);
      try {
        const oldest = await oldestWaiting(scope, wish, { now: clock(), limit: served.length + takenBefore.size });
        // What was taken when the query began may have been claimed since: the answer may be older than that.
        const free = oldest.filter((id) => !taken.has(id) && !takenBefore.has(id));
        for (const { give } of served) {
          const id = free.shift() ?? null;
          if (id) taken.add(id);
          give(id);
        }
      } catch (error) {
        for (const { fail } of served) fail(error);
      }
    }
    lines.delete(key);
  }

  return {
    next: (wish) =>
      new Promise((give, fail) => {
        const key = JSON.stringify([wish.types, wish.environments]);
        const line = lines.get(key) ?? { waiting: [], serving: false };
        lines.set(key, line);
        line.waiting.push({ give, fail });
        if (!line.serving) void serve(key, wish, line);
      }),
    release: (id) => void taken.delete(id),
  };
}
