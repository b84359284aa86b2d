import { compareStore } from '../proof/compare-store.ts';
import { differenceError } from '../proof/verify-store.ts';
import type { Scope } from '../store/query/scope.ts';
import type { Violation } from './invariant.ts';

/** Compares each record with the audit log. Chains of an earlier version, whose state is not in the log, are skipped. */
export async function* checkRecordedValues(scope: Scope): AsyncGenerator<Violation> {
  const found: Violation[] = [];
  await compareStore(scope, {
    now: new Date(),
    report: (difference) => {
      const { id, message } = differenceError(difference);
      found.push({ invariant: 'I22', id, message });
    },
  });
  yield* found;
}
