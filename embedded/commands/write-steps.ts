// Write commands as generators with stops, and their progress.
import { int } from '../protocol/reply.ts';
import { PAUSE } from '../query/execute.ts';
import { LockConflict } from '../storage/transactions.ts';
import type { Doc } from '../values/bson.ts';

/** Why a write stops between two documents: its time slice is used up, or an open transaction has locked the next key. */
export type Stop = typeof PAUSE | LockConflict;

/** A write in steps. What it wrote before a stop is committed; it resumes after the stop. */
export type Steps<T> = Generator<Stop, T, undefined>;

/**
 * The progress of a write with several statements: the number of statements done, and counts and lists of its reply. A
 * retryable write resumes from a stored progress after a restart, so no other state may persist between two statements.
 */
export type Progress = { done: number; counts: { [name: string]: number }; lists: { [name: string]: Doc[] } };

export const emptyProgress = (): Progress => ({ done: 0, counts: {}, lists: {} });

export function addCount({ counts }: Progress, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

export function addEntry({ lists }: Progress, list: string, entry: Doc): void {
  lists[list] ??= [];
  lists[list].push(entry);
}

/** Returns these counts as fields of the reply. */
export function countFields({ counts }: Progress, names: readonly string[]): Doc {
  const fields: Doc = {};
  for (const name of names) fields[name] = int(counts[name] ?? 0);
  return fields;
}

/**
 * Runs `work`, and repeats it each time a transaction that has locked one of its keys ends. `work` claims its keys
 * before writing.
 */
export function* runWhenReleased<T>(work: () => T): Steps<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof LockConflict)) throw error;
      yield error;
    }
  }
}

/** Runs a write of a transaction with pauses. No commits are needed, because others do not see its writes yet. */
export async function runWithPauses<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (step.value !== PAUSE) throw step.value;
    await pause();
  }
}
