import { compareStore } from '../proof/compare-store.ts';
import { differenceError } from '../proof/verify-store.ts';
import type { Scope } from '../store/query/scope.ts';
import type { Violation } from './invariant.ts';

const MAX_VIOLATIONS = 1_000;

/** Compares each record with the audit log. Chains of an earlier version, whose state is not in the log, are skipped. */
export async function* checkRecordedValues(scope: Scope): AsyncGenerator<Violation> {
  const found: Violation[] = [];
  let more = 0;
  await compareStore(scope, {
    now: new Date(),
    report: (difference) => {
      const { id, message } = differenceError(difference);
      if (found.length < MAX_VIOLATIONS) found.push({ invariant: 'I22', id, message });
      else more += 1;
    },
  });
  yield* found;
  if (more) yield { invariant: 'I22', id: 'store', message: `There are ${more} more differences from the audit log.` };
}
