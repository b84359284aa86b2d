import { MoveDocumentsDocument, MoveFolderDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { runWithToast, showSuccess, showUndoable } from '../ui/toasts.tsx';

type Target = { id: string | null; name: string };

/** Returns the folder of a document (null: Unfiled); undefined if it is not known. */
export type FolderOf = (documentId: string) => string | null | undefined;

/**
 * Moves documents into a folder (id null: Unfiled) and returns whether that succeeded. Offers to move them back if their
 * folders are known.
 */
export async function moveDocuments(ids: readonly string[], to: Target, folderOf: FolderOf): Promise<boolean> {
  const before = Map.groupBy(ids, folderOf);
  const moved = await runWithToast(() => execute(MoveDocumentsDocument, { ids: [...ids], folderId: to.id }));
  if (!moved) return false;
  const text = `Moved ${ids.length === 1 ? 'the document' : `${ids.length} documents`} to ${to.name}.`;
  const undo = async () => {
    for (const [folderId, documents] of before)
      if (folderId !== undefined) await execute(MoveDocumentsDocument, { ids: documents, folderId });
  };
  if (before.has(undefined) || (before.size === 1 && before.has(to.id))) showSuccess(text);
  else showUndoable(text, () => void runWithToast(undo, 'Move undone.'));
  return true;
}

/** Moves a folder with its contents (id null: top level). */
export const moveFolder = (id: string, to: Target): Promise<boolean> =>
  runWithToast(() => execute(MoveFolderDocument, { id, parentId: to.id }), `Moved the folder to ${to.name}.`);
