// Document numbers: generation, claims and tombstones.
import { DomainError } from '../domain/errors.ts';
import { counterPrefix, formatGeneratedNumber, parseGeneratedNumber } from '../domain/number.ts';
import { change, find, insert } from './query/records.ts';
import type { Scope } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { DocumentKind } from './schema/collections.ts';

/**
 * Claims a number for a document, forever, and returns it: the given one, or the next of its kind, e.g. PRT-000001.
 * Throws `number_taken` with the owner. If a given number has the form of a generated one, moves the counter past it.
 */
export function assignNumber(
  work: Write,
  { documentId, kind, given }: { documentId: string; kind: DocumentKind; given: string | null },
): Promise<string> {
  return given === null ? claimNext(work, kind, documentId) : claim(work, given, documentId);
}

// The counter is ahead of all numbers of its form, so a number is looked up only after a first run that found it taken.
async function claimNext(work: Write, kind: DocumentKind, documentId: string): Promise<string> {
  const prefix = counterPrefix(kind);
  for (let value = (await counterValue(work, prefix)) + 1; ; value++) {
    const number = formatGeneratedNumber(kind, value);
    if (work.isRetry && (await find(work, 'numbers', number))) continue;
    await moveCounter(work, prefix, value);
    await insert(work, 'numbers', { _id: number, documentId, deleted: false });
    return number;
  }
}

async function claim(work: Write, number: string, documentId: string): Promise<string> {
  const holder = await find(work, 'numbers', number);
  if (holder) throw await numberTaken(work, number, holder);
  const generated = parseGeneratedNumber(number);
  if (generated && generated.ordinal > (await counterValue(work, generated.prefix)))
    await moveCounter(work, generated.prefix, generated.ordinal);
  await insert(work, 'numbers', { _id: number, documentId, deleted: false });
  return number;
}

async function counterValue(work: Write, prefix: string): Promise<number> {
  return (await find(work, 'counters', prefix))?.value ?? 0;
}

async function moveCounter(work: Write, prefix: string, value: number): Promise<void> {
  if (await find(work, 'counters', prefix)) await change(work, 'counters', prefix, { value });
  else await insert(work, 'counters', { _id: prefix, value });
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
