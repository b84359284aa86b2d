// Creates documents.
import { insertMainWorkspace } from '../core/commands/insert-main-workspace.ts';
import { validateAll } from '../core/domain/errors.ts';
import { validateNumber } from '../core/domain/number.ts';
import { validateComment, validateName } from '../core/domain/text/text.ts';
import { documentRecord } from '../core/store/documents.ts';
import { assignNumber } from '../core/store/numbers.ts';
import { insert, lock } from '../core/store/query/records.ts';
import type { DocumentKind, DocumentRecord } from '../core/store/schema/collections.ts';
import type { Work } from '../core/work.ts';

type Input = {
  input: {
    name: string;
    kind: DocumentKind;
    number?: string | null;
    description?: string | null;
    folderId?: string | null;
  };
};

/**
 * Creates a document with its main workspace and an empty draft. Throws `number_taken`, or `not_found` for an unknown
 * folder.
 */
export async function createDocument(work: Work, { input }: Input): Promise<DocumentRecord> {
  if (input.folderId != null) await lock(work, 'folders', input.folderId);

  const { name, description, ...given } = validateAll({
    name: () => validateName(input.name),
    description: () => validateComment(input.description, 'description'),
    number: () => (input.number == null ? null : validateNumber(input.number)),
  });
  const documentId = work.newId('doc');
  const number = await assignNumber(work, { documentId, kind: input.kind, given: given.number });

  const document = documentRecord(work, {
    _id: documentId,
    number,
    name,
    kind: input.kind,
    description,
    folderId: input.folderId ?? null,
    copiedFrom: null,
  });
  await insert(work, 'documents', document);
  const { workspaceId } = await insertMainWorkspace(work, document._id);
  work.audit({
    action: 'document.created',
    documentId: document._id,
    workspaceId,
    summary: `Document ${number} "${name}" was created with its main workspace.`,
    changes: {
      number: { from: null, to: number },
      name: { from: null, to: name },
      kind: { from: null, to: input.kind },
      folderId: { from: null, to: document.folderId },
    },
  });
  return document;
}
