// Moves documents between folders.
import { refuse } from '../core/domain/errors.ts';
import { assertWritableDocument } from '../core/domain/versions/lifecycle.ts';
import { lockDocument } from '../core/store/documents.ts';
import { change, lock } from '../core/store/query/records.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import type { Work } from '../core/work.ts';

const MAX_DOCUMENTS = 200;

/**
 * Moves 1 to 200 documents, given by ids or numbers, into a folder, all or none. `folderId` is required; null means
 * Unfiled.
 */
export async function moveDocuments(
  work: Work,
  { ids, folderId }: { ids: string[]; folderId?: string | null },
): Promise<DocumentRecord[]> {
  if (folderId === undefined)
    refuse('validation_failed', 'folderId is required; null means Unfiled.', {
      errors: [{ path: '/folderId', message: 'is required' }],
    });
  if (!ids.length || ids.length > MAX_DOCUMENTS)
    refuse('validation_failed', `ids must contain 1 to ${MAX_DOCUMENTS} documents.`, {
      errors: [{ path: '/ids', message: `must have 1 to ${MAX_DOCUMENTS} entries` }],
    });
  const folder = folderId === null ? null : await lock(work, 'folders', folderId);
  const moved = new Map<string, DocumentRecord>();
  let changed = false;

  for (const id of ids) {
    const document = await lockDocument(work, id);
    assertWritableDocument(document);
    if (document.folderId === folderId) {
      moved.set(document._id, document);
      continue;
    }
    moved.set(
      document._id,
      await change(work, 'documents', document._id, { folderId, updatedAt: work.now, updatedBy: work.actor.id }),
    );
    changed = true;
    work.audit({
      action: 'document.moved',
      documentId: document._id,
      folderId,
      summary: `Document ${document.number} was moved to ${folder ? `folder "${folder.name}"` : 'Unfiled'}.`,
      changes: { folderId: { from: document.folderId, to: folderId } },
    });
  }
  if (!changed) work.unchanged();
  return [...moved.values()];
}
