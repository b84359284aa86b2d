// What the page says for a moment: done, refused, lost. Read aloud by screen readers.
import { signal } from '@preact/signals';
import { Icon } from './icon.tsx';

type Note = { id: number; text: string; kind: 'done' | 'problem'; action?: { label: string; run: () => void } };

const notes = signal<readonly Note[]>([]);
let last = 0;
const STAYS_MS = 6_000;

/** Says that something was done; goes by itself. */
export function noteDone(text: string, action?: Note['action']): void {
  const id = show({ text, kind: 'done', action });
  setTimeout(() => dismiss(id), action ? STAYS_MS * 2 : STAYS_MS);
}

/** Says what did not work, until it is put away. */
export function noteProblem(error: unknown): void {
  show({ text: error instanceof Error ? error.message : String(error), kind: 'problem' });
}

/** Runs a deed of somebody's; says what it was when it worked, and why not when it did not. Answers whether it worked. */
export async function attempt(deed: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await deed();
    if (done) noteDone(done);
    return true;
  } catch (error) {
    noteProblem(error);
    return false;
  }
}

function show(note: Omit<Note, 'id'>): number {
  last += 1;
  notes.value = [...notes.value.slice(-4), { ...note, id: last }];
  return last;
}

const dismiss = (id: number) => {
  notes.value = notes.value.filter((note) => note.id !== id);
};

export function Notes() {
  return (
    <div class="notes" role="status" aria-live="polite">
      {notes.value.map(({ id, text, kind, action }) => (
        <div key={id} class={`note ${kind}`}>
          <Icon name={kind === 'done' ? 'done' : 'warning'} />
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="link"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="bare" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
