import { checkStore } from '../../subgraphs/core/check/check-store.ts';
import type { Scope } from '../../subgraphs/core/store/query/scope.ts';

/** The invariant that the records equal the values in the audit log. */
const STORE_EQUALS_LOG = 'I22';

/**
 * Returns a message for every violated invariant of the store; empty when it is consistent. Reads all data, including
 * file contents. `hasDirectWrites`: the test prepared records without a command, so they may differ from the audit log.
 */
export async function violatedInvariants(scope: Scope, { hasDirectWrites = false } = {}): Promise<string[]> {
  const messages: string[] = [];
  for await (const { invariant, message } of checkStore({ db: scope.db }, { readData: true, verifiers: () => [] }))
    if (!(hasDirectWrites && invariant === STORE_EQUALS_LOG)) messages.push(`${invariant} ${message}`);
  return messages;
}
