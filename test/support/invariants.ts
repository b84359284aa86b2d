import { checkStore } from '../../subgraphs/core/check/check-store.ts';
import type { Scope } from '../../subgraphs/core/store/query/scope.ts';

/**
 * Returns a message for every violated invariant of the store; empty when it is consistent. Reads all data, including
 * file contents.
 */
export async function violatedInvariants(scope: Scope): Promise<string[]> {
  const messages: string[] = [];
  for await (const { invariant, message } of checkStore({ db: scope.db }, { readData: true, verifiers: () => [] }))
    messages.push(`${invariant} ${message}`);
  return messages;
}
