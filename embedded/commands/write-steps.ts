import { int } from '../protocol/reply.ts';
import { PAUSE } from '../query/execute.ts';
import { HeldKey } from '../storage/transactions.ts';
import type { Doc } from '../values/bson.ts';

/** Why a write stops between two documents: others should run, or an open transaction holds the next one. */
export type Stop = typeof PAUSE | HeldKey;

/** A write in steps. What was done before a stop stands; the write goes on after it. */
export type Steps<T> = Generator<Stop, T, undefined>;

/**
 * How far a write of several statements has come: how many are done, and what its answer will say. A numbered write that is sent again goes on from there, so
 * nothing about it may be kept elsewhere between two statements.
 */
export type Progress = { done: number; counts: { [name: string]: number }; lists: { [name: string]: Doc[] } };

export const noProgress = (): Progress => ({ done: 0, counts: {}, lists: {} });

export function count({ counts }: Progress, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

export function note({ lists }: Progress, list: string, entry: Doc): void {
  lists[list] ??= [];
  lists[list].push(entry);
}

/** The counts of these names, as an answer has them. */
export function countsOf({ counts }: Progress, names: readonly string[]): Doc {
  const told: Doc = {};
  for (const name of names) told[name] = int(counts[name] ?? 0);
  return told;
}

/** Does one piece of work, waiting as often as a transaction holds what it writes. The work claims its keys before it writes any. */
export function* onceFree<T>(work: () => T): Steps<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof HeldKey)) throw error;
      yield error;
    }
  }
}

/** Runs all steps of a write that only its own transaction sees, and lets others run between them. */
export async function runPausing<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (step.value !== PAUSE) throw step.value;
    await pause();
  }
}
