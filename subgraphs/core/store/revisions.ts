import type { RevisionRecord } from './collections.ts';
import { collection, type Scope, within } from './scope.ts';

/** The revisions of some documents, newest first. */
export function revisionsOf(scope: Scope, documentIds: readonly string[]): Promise<RevisionRecord[]> {
  return collection(scope, 'revisions')
    .find({ documentId: { $in: [...documentIds] } }, within(scope))
    .sort({ documentId: 1, ordinal: -1 })
    .toArray();
}
