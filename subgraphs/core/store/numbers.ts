// Document numbers: generation, claims and tombstones.
import { DomainError } from '../domain/errors.ts';
import { counterPrefix, formatGeneratedNumber, parseGeneratedNumber } from '../domain/number.ts';
import { change, find, insert } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { DocumentKind } from './schema/collections.ts';

/** Returns the next free number of a kind, e.g. PRT-000001. */
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
 * Claims a number for a document, forever. Throws `number_taken` with the owner. If the number has the form of a
 * generated one, moves the counter past it.
 */
export async function claimNumber(scope: Scope, number: string, documentId: string): Promise<void> {
  const holder = await find(scope, 'numbers', number);
  if (holder) throw await numberTaken(scope, number, holder);
  await insert(scope, 'numbers', { _id: number, documentId, deleted: false });
  const generated = parseGeneratedNumber(number);
  if (generated)
    await collection(scope, 'counters').updateOne(
      { _id: generated.prefix },
      { $max: { value: generated.ordinal } },
      { upsert: true, ...within(scope) },
    );
}

/** Marks the number of a deleted document with a tombstone: it is never used again. */
export async function markNumberDeleted(scope: Scope, number: string): Promise<void> {
  await change(scope, 'numbers', number, { deleted: true });
}

async function numberTaken(
  scope: Scope,
  number: string,
  { documentId, deleted }: { documentId: string; deleted: boolean },
): Promise<DomainError> {
  const name = (await find(scope, 'documents', documentId))?.name ?? null;
  const message = deleted
    ? `The number ${number} belonged to a document that was deleted, and numbers are not reused. Choose another number.`
    : `The number ${number} is taken by the document "${name}". Choose another number, or omit it to get the next free one.`;
  return new DomainError('number_taken', message, { number, holder: { documentId, number, name, deleted } });
}
