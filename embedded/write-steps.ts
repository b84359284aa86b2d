import { PAUSE } from './execute.ts';
import { HeldKey } from './transactions.ts';

/** Why a write stops between two documents: others should run, or an open transaction holds the next one. */
export type Stop = typeof PAUSE | HeldKey;

/** A write in steps. What was done before a stop stands; the write goes on after it. */
export type Steps<T> = Generator<Stop, T, undefined>;

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

/** Runs all steps without stopping; a held key is thrown, so that everything is undone and tried again later. */
export function runWhole<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (step.value !== PAUSE) throw step.value;
  }
}
