import { parseGeneratedNumber } from '../domain/number.ts';
import { findAll } from '../store/query/records.ts';
import { scanCollection } from '../store/query/scan.ts';
import { collection, type Scope } from '../store/query/scope.ts';
import type { Violation } from './invariant.ts';

/** Checks numbers and counters, and that the audit records of each deleted document end with its deletion. */
export async function* checkNumbers(scope: Scope): AsyncGenerator<Violation> {
  const violation = (id: string, message: string): Violation => ({ invariant: 'I2', id, message });
  const highest = new Map<string, number>();
  for await (const documents of scanCollection(scope, 'documents')) {
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
      const record = numbers.get(number);
      if (record?.documentId !== _id || record.deleted)
        yield violation(_id, `Number ${number} of document ${_id} is not registered for it.`);
    }
  }
  for await (const numbers of scanCollection(scope, 'numbers')) {
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
      const owner = documents.get(documentId);
      if (!deleted && owner?.number !== _id)
        yield violation(_id, `Number ${_id} is registered for ${documentId}, which does not have it.`);
      if (deleted && owner)
        yield { invariant: 'I7', id: documentId, message: `Document ${_id} is marked as deleted but exists.` };
      if (deleted && !(await endsWithDeletion(scope, documentId)))
        yield {
          invariant: 'I7',
          id: documentId,
          message: `Document ${_id} was deleted, but its audit records do not end with the deletion.`,
        };
    }
  }
  const counters = new Map(
    (await collection(scope, 'counters').find().toArray()).map(({ _id, value }) => [_id, value]),
  );
  for (const [prefix, ordinal] of highest)
    if (prefix && (counters.get(prefix) ?? 0) < ordinal)
      yield violation(prefix, `Counter ${prefix} is behind the highest number ${ordinal}.`);
}

async function endsWithDeletion(scope: Scope, documentId: string): Promise<boolean> {
  const last = await collection(scope, 'audit').findOne({ chain: documentId }, { sort: { chainSeq: -1 } });
  return last?.action === 'document.deleted';
}
