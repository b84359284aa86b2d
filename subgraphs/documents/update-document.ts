// Updates the name and description of documents.
import { changesBetween } from '../core/domain/audit/audit-event.ts';
import { validateAll } from '../core/domain/errors.ts';
import { assertNotNull } from '../core/domain/text/assert-not-null.ts';
import { validateComment, validateName } from '../core/domain/text/text.ts';
import { assertWritableDocument } from '../core/domain/versions/lifecycle.ts';
import { lockDocument, searchFields } from '../core/store/documents.ts';
import { change } from '../core/store/query/records.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import type { Work } from '../core/work.ts';

type Input = { id: string; name?: string | null; description?: string | null };

/** Updates the name or description. Omitted fields stay; null clears the description. Number and kind never change. */
export async function updateDocument(work: Work, { id, name, description }: Input): Promise<DocumentRecord> {
  assertNotNull({ name });
  const before = await lockDocument(work, id);

  assertWritableDocument(before);
  const after = validateAll({
    number: () => before.number,
    name: () => (name == null ? before.name : validateName(name)),
    description: () => (description === undefined ? before.description : validateComment(description, 'description')),
  });
  if (after.name === before.name && after.description === before.description) {
    work.unchanged();
    return before;
  }

  const { name: newName, description: newDescription } = after;
  work.audit({
    action: 'document.updated',
    documentId: before._id,
    summary: `Document ${before.number} was updated.`,
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
