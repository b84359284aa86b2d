import { changesBetween } from '../core/domain/audit/audit-event.ts';
import { notNull } from '../core/domain/text/not-null.ts';
import { checkedComment, checkedName } from '../core/domain/text/text.ts';
import { writableDocument } from '../core/domain/versions/lifecycle.ts';
import { lockDocument, searchFields } from '../core/store/documents.ts';
import { change } from '../core/store/query/records.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import type { Work } from '../core/work.ts';

type Input = { id: string; name?: string | null; description?: string | null };

/** Changes name or description; what is left out stays, a null description is cleared. Number and kind never change. */
export async function updateDocument(work: Work, { id, name, description }: Input): Promise<DocumentRecord> {
  notNull({ name });
  const before = await lockDocument(work, id);

  writableDocument(before);
  const after = {
    number: before.number,
    name: name == null ? before.name : checkedName(name),
    description: description === undefined ? before.description : checkedComment(description, 'description'),
  };
  if (after.name === before.name && after.description === before.description) {
    work.unchanged();
    return before;
  }

  const { name: newName, description: newDescription } = after;
  work.audit({
    action: 'document.updated',
    documentId: before._id,
    summary: `Document ${before.number} was changed.`,
    changes: changesBetween(before, after, ['name', 'description']),
  });
  return change(work, 'documents', before._id, {
    name: newName,
    description: newDescription,
    ...searchFields(after),
    updatedAt: work.now,
    updatedBy: work.actor.id,
  });
}
