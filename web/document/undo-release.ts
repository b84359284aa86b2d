import { HistoryTakeBackDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { isAdmin } from '../shell/session.ts';
import { runWithToast, showSuccess, showUndoable } from '../ui/toasts.tsx';

/** Reports releases. Administrators, who may take a release back, can undo them for a minute. */
export function showReleased(text: string, revisionIds: readonly string[]): void {
  const undo = () =>
    runWithToast(
      async () => {
        for (const id of revisionIds) await execute(HistoryTakeBackDocument, { id });
      },
      `Took back ${revisionIds.length === 1 ? 'the release' : `${revisionIds.length} releases`}.`,
    );
  if (isAdmin()) showUndoable(text, () => void undo());
  else showSuccess(text);
}
