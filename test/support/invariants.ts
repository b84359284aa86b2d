import { checkStore } from '../../subgraphs/core/check/check-store.ts';
import type { Scope } from '../../subgraphs/core/store/query/scope.ts';

/** Every broken promise of the store, in a sentence; empty when it is sound. Reads everything, the bytes too. */
export async function brokenInvariants(scope: Scope): Promise<string[]> {
  const faults: string[] = [];
  for await (const { invariant, message: says } of checkStore({ db: scope.db }, { readData: true, verifiers: () => [] }))
    faults.push(`${invariant} ${says}`);
  return faults;
}
