import { MoveFolderDocument, MoveToDocument } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { attempt, noteDone } from '../ui/notes.tsx';

/** Moves documents into a folder, null is Unfiled; offers to undo it where all came from one place. Answers whether they were moved. */
export async function moveDocuments(
  ids: readonly string[],
  to: { id: string | null; name: string },
  from?: string | null,
): Promise<boolean> {
  const move = (folderId: string | null) => ask(MoveToDocument, { ids: [...ids], folderId });
  const moved = await attempt(() => move(to.id));
  const what = ids.length === 1 ? 'The document is' : `${ids.length} documents are`;
  const back =
    from === undefined || from === to.id
      ? undefined
      : { label: 'Undo', run: () => void attempt(() => move(from), 'Moved back.') };
  if (moved) noteDone(`${what} in ${to.name} now.`, back);
  return moved;
}

/** Moves a folder with everything in it; null is the top. */
export const moveFolder = (id: string, to: { id: string | null; name: string }): Promise<boolean> =>
  attempt(() => ask(MoveFolderDocument, { id, parentId: to.id }), `The folder is in ${to.name} now.`);
