import { untilWords } from '../document/version-words.ts';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import { askFor } from './mine.ts';

type AskProps = {
  workspace: { id: string; name: string };
  reservation: { by: { name: string }; expiresAt: string; note?: string | null };
  /** What one wrote the last time, if one asked before. */
  said?: string | null;
  onClose: () => void;
};

/** Asks whoever holds a draft to give it back. */
export function AskForDialog({
  workspace: { id, name },
  reservation: { by, expiresAt, note },
  said,
  onClose,
}: AskProps) {
  const submit = async (form: FormData) => {
    await askFor(id, textOf(form, 'note') ?? null);
    noteDone(`${by.name} is asked. You are told here when it is free.`);
  };
  return (
    <FormDialog title={`Ask ${by.name} for ${name}`} deed="Ask" onClose={onClose} onSubmit={submit}>
      <p>
        {by.name} holds the draft {untilWords(expiresAt)}
        {note && ` (“${note}”)`}, is told at once, and sees that you asked until it is given back.
      </p>
      <label>
        What {by.name} should know
        <input name="note" maxLength={200} defaultValue={said ?? ''} autofocus />
      </label>
    </FormDialog>
  );
}
