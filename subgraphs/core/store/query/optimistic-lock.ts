// Optimistic locking: writes a record only if its tag is the expected one.
import { hash } from 'node:crypto';
import { refuse } from '../../domain/errors.ts';
import { findByIdOrNumber } from '../documents.ts';
import type { CollectionName } from '../schema/collections.ts';
import { INDEXES } from '../schema/indexes.ts';
import { find } from './records.ts';
import type { Scope } from './scope.ts';

/** A record, identified by its collection (`of`) and id, and its tag, which changes with every write of the record. */
export type TaggedRecord = { of: CollectionName; id: string; tag: string };

export function isCollectionName(name: string): name is CollectionName {
  return Object.hasOwn(INDEXES, name);
}

/** Returns the tag of a record, or null if there is none. Documents are also found by number. */
export async function readTag(scope: Scope, of: CollectionName, id: string): Promise<TaggedRecord | null> {
  const record = of === 'documents' ? await findByIdOrNumber(scope, id) : await find(scope, of, id);
  return record && { of, id: String(record._id), tag: tagOf(record) };
}

/**
 * Throws `precondition_failed` if the record has another tag. In the transaction that writes the record this is final:
 * of two writers that expect the same tag one conflicts, runs again and fails.
 */
export async function assertUnchanged(scope: Scope, { of, id, tag }: TaggedRecord): Promise<void> {
  const record = await find(scope, of, id);
  const etag = record && tagOf(record);
  if (etag !== tag)
    refuse('precondition_failed', 'The record has changed since it was read. Read it again before you change it.', {
      etag,
    });
}

/** Returns the tag of a record: a hash of its content. */
export function tagOf(record: object): string {
  return hash('sha256', JSON.stringify(record), 'base64url');
}
