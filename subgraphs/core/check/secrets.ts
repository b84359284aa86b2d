import { hash } from 'node:crypto';
import { recordTexts } from '../store/query/record-texts.ts';
import { scanCollection } from '../store/query/scan.ts';
import type { Scope } from '../store/query/scope.ts';
import type { Violation } from './invariant.ts';

const TOKEN = /\bpdm_[0-9A-Za-z]{8}_[0-9A-Za-z]{32,}\b/g;

/** Checks that no record contains a token of this service in plain text. Recognizes tokens by their hash. */
export async function* checkSecrets(scope: Scope): AsyncGenerator<Violation> {
  const hashes = new Set<string>();
  for await (const tokens of scanCollection(scope, 'tokens')) for (const { sha256 } of tokens) hashes.add(sha256);
  for await (const { collection, id, text } of recordTexts(scope)) {
    const found = text.match(TOKEN)?.find((token) => hashes.has(hash('sha256', token)));
    if (found)
      yield {
        invariant: 'I19',
        id,
        message: `Record ${id} of ${collection} contains the token ${found.slice(0, 12)}… in plain text. Revoke the token.`,
      };
  }
}
