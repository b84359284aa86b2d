import { hash } from 'node:crypto';
import { refuse } from '../../domain/errors.ts';
import { findByIdOrNumber } from '../documents.ts';
import type { CollectionName } from '../schema/collections.ts';
import { INDEXES } from '../schema/indexes.ts';
import { find } from './records.ts';
import type { Scope } from './scope.ts';

/** A record as it was when somebody looked at it; `stamp` changes with every write of it. */
export type SeenRecord = { of: CollectionName; id: string; stamp: string };

/** Whether addresses that begin with this word lead to records of a collection of that name. */
export function isCollection(name: string): name is CollectionName {
  return Object.hasOwn(INDEXES, name);
}

/** Looks at a record, a document also by its number; null when there is none. */
export async function seenRecord(scope: Scope, of: CollectionName, id: string): Promise<SeenRecord | null> {
  const record = of === 'documents' ? await findByIdOrNumber(scope, id) : await find(scope, of, id);
  return record && { of, id: String(record._id), stamp: stampOf(record) };
}

/**
 * Refuses with `precondition_failed` when the record was written since it was seen. Within the transaction of a command that writes the record
 * itself this decides for good: of two that saw the same one conflicts, runs again and is refused.
 */
export async function stillAsSeen(scope: Scope, { of, id, stamp }: SeenRecord): Promise<void> {
  const record = await find(scope, of, id);
  const etag = record && stampOf(record);
  if (etag !== stamp)
    refuse('precondition_failed', 'The record has changed since it was read. Read it again, then decide anew.', {
      etag,
    });
}

/** The tag of a record: it changes with every write of it. */
export function stampOf(record: object): string {
  return hash('sha256', JSON.stringify(record), 'base64url');
}
