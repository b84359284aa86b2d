import { parseGeneratedNumber } from '../domain/number.ts';
import { findAll } from '../store/query/records.ts';
import { collection, type Scope } from '../store/query/scope.ts';
import { everyRecord } from '../store/query/whole-collections.ts';
import type { Violation } from './invariant.ts';

/** Every document holds its number, every number that is held is held by a document, a deleted document has told its end. */
export async function* checkNumbers(scope: Scope): AsyncGenerator<Violation> {
  const fault = (id: string, says: string): Violation => ({ invariant: 'I2', id, message: says });
  const highest = new Map<string, number>();
  for await (const documents of everyRecord(scope, 'documents')) {
    const numbers = new Map(
      (
        await findAll(
          scope,
          'numbers',
          documents.map(({ number }) => number),
        )
      ).map((record) => [record._id, record]),
    );
    for (const { _id, number } of documents) {
      const held = numbers.get(number);
      if (held?.documentId !== _id || held.deleted)
        yield fault(_id, `Document ${_id} does not hold its number ${number}.`);
    }
  }
  for await (const numbers of everyRecord(scope, 'numbers')) {
    const documents = new Map(
      (
        await findAll(
          scope,
          'documents',
          numbers.map(({ documentId }) => documentId),
        )
      ).map((record) => [record._id, record]),
    );
    for (const { _id, documentId, deleted } of numbers) {
      const { prefix, ordinal } = parseGeneratedNumber(_id) ?? { prefix: '', ordinal: 0 };
      highest.set(prefix, Math.max(highest.get(prefix) ?? 0, ordinal));
      const holder = documents.get(documentId);
      if (!deleted && holder?.number !== _id)
        yield fault(_id, `Number ${_id} is held for ${documentId}, which does not have it.`);
      if (deleted && holder)
        yield { invariant: 'I7', id: documentId, message: `Document ${_id} was deleted, and is there.` };
      if (deleted && !(await toldItsEnd(scope, documentId)))
        yield {
          invariant: 'I7',
          id: documentId,
          message: `Document ${_id} was deleted, and its audit records do not end with that.`,
        };
    }
  }
  const counters = new Map(
    (await collection(scope, 'counters').find().toArray()).map(({ _id, value }) => [_id, value]),
  );
  for (const [prefix, ordinal] of highest)
    if (prefix && (counters.get(prefix) ?? 0) < ordinal)
      yield fault(prefix, `The counter ${prefix} is behind number ${ordinal}.`);
}

async function toldItsEnd(scope: Scope, documentId: string): Promise<boolean> {
  const last = await collection(scope, 'audit').findOne({ chain: documentId }, { sort: { chainSeq: -1 } });
  return last?.action === 'document.deleted';
}
