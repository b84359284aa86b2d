import { refuse } from './domain/errors.ts';

/**
 * Counts what the fields of one operation read each for itself. Refuses what goes beyond, before it is read, with `validation_failed`: `limit` names
 * the limit, `allowed` its size.
 */
export function allowance(limit: string, allowed: number, unit: string): (amount?: number) => void {
  let used = 0;
  return (amount = 1) => {
    used += amount;
    if (used > allowed)
      refuse('validation_failed', `One operation reads at most ${allowed} ${unit}; ask for less at once.`, {
        limit,
        allowed,
      });
  };
}
