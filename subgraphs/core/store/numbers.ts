import { DomainError } from '../domain/errors.ts';
import { counterPrefix, formatGeneratedNumber, parseGeneratedNumber } from '../domain/number.ts';
import { find, insert } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { DocumentKind } from './schema/collections.ts';

/** The next number of a kind, e.g. PRT-000001; taken numbers are passed over. */
export async function nextNumber(scope: Scope, kind: DocumentKind): Promise<string> {
  for (;;) {
    const counter = await collection(scope, 'counters').findOneAndUpdate(
      { _id: counterPrefix(kind) },
      { $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after', ...within(scope) },
    );
    const number = formatGeneratedNumber(kind, counter?.value ?? 1);
    if (!(await find(scope, 'numbers', number))) return number;
  }
}

/**
 * Takes a number for a document, forever. Refuses with `number_taken`, naming the holder. A number that looks generated moves
 * its counter past it.
 */
export async function claimNumber(scope: Scope, number: string, documentId: string): Promise<void> {
  const holder = await find(scope, 'numbers', number);
  if (holder) throw taken(number, holder);
  await insert(scope, 'numbers', { _id: number, documentId, deleted: false });
  const generated = parseGeneratedNumber(number);
  if (generated)
    await collection(scope, 'counters').updateOne(
      { _id: generated.prefix },
      { $max: { value: generated.ordinal } },
      { upsert: true, ...within(scope) },
    );
}

/** Keeps the number of a deleted document as a tombstone: it is never handed out again. */
export async function markNumberDeleted(scope: Scope, number: string): Promise<void> {
  await collection(scope, 'numbers').updateOne({ _id: number }, { $set: { deleted: true } }, within(scope));
}

function taken(number: string, { documentId, deleted }: { documentId: string; deleted: boolean }): DomainError {
  const message = deleted
    ? `The number ${number} belonged to a document that was deleted, and numbers are never used twice. Choose another.`
    : `The number ${number} is taken by document ${documentId}. Choose another, or leave it out to get the next one.`;
  return new DomainError('number_taken', message, { number, holder: { documentId, deleted } });
}
