import { hash } from 'node:crypto';
import { textsOfRecords } from '../store/query/record-texts.ts';
import type { Scope } from '../store/query/scope.ts';
import { everyRecord } from '../store/query/whole-collections.ts';
import type { Violation } from './invariant.ts';

const TOKEN = /\bpdm_[0-9A-Za-z]{8}_[0-9A-Za-z]{32,}\b/g;

/** No record of any collection holds a token of this service in clear, whoever wrote it there: a token is known by its hash. */
export async function* checkSecrets(scope: Scope): AsyncGenerator<Violation> {
  const hashes = new Set<string>();
  for await (const tokens of everyRecord(scope, 'tokens')) for (const { sha256 } of tokens) hashes.add(sha256);
  for await (const { collection, id, text } of textsOfRecords(scope)) {
    const found = text.match(TOKEN)?.find((token) => hashes.has(hash('sha256', token)));
    if (found)
      yield {
        invariant: 'I19',
        id,
        message: `Record ${id} of ${collection} holds the token ${found.slice(0, 12)}… in clear. Revoke it.`,
      };
  }
}
