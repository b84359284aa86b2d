import { refuse } from './domain/errors.ts';

/**
 * Returns a function that counts the reads of one operation. Call it before each read, by default for one: it throws
 * `validation_failed` if the sum exceeds `allowed`. `limit` names the limit in the error details.
 */
export function operationLimit(limit: string, allowed: number, unit: string): (amount?: number) => void {
  let used = 0;
  return (amount = 1) => {
    used += amount;
    if (used > allowed)
      refuse('validation_failed', `One operation reads at most ${allowed} ${unit}. Request less in each operation.`, {
        limit,
        allowed,
      });
  };
}
