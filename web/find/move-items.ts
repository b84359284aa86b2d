import { MoveDocumentsDocument, MoveFolderDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { runWithToast, showSuccess } from '../ui/toasts.tsx';

type Target = { id: string | null; name: string };

/**
 * Moves documents into a folder (id null: Unfiled) and returns whether that succeeded. Offers to undo the move if all
 * documents come from the folder `from`.
 */
export async function moveDocuments(ids: readonly string[], to: Target, from?: string | null): Promise<boolean> {
  const move = (folderId: string | null) => execute(MoveDocumentsDocument, { ids: [...ids], folderId });
  const moved = await runWithToast(() => move(to.id));
  const undo =
    from === undefined || from === to.id
      ? undefined
      : { label: 'Undo', run: () => void runWithToast(() => move(from), 'Move undone.') };
  if (moved) showSuccess(`Moved ${ids.length === 1 ? 'the document' : `${ids.length} documents`} to ${to.name}.`, undo);
  return moved;
}

/** Moves a folder with its contents (id null: top level). */
export const moveFolder = (id: string, to: Target): Promise<boolean> =>
  runWithToast(() => execute(MoveFolderDocument, { id, parentId: to.id }), `Moved the folder to ${to.name}.`);
