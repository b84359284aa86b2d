// What the page says for a moment: done, refused, lost. Read aloud by screen readers.
import { signal } from '@preact/signals';
import { Icon, type IconName } from './icon.tsx';

/** Something that can be done about a note, or a place to look at; either puts it away. */
export type NoteAction = { label: string } & ({ run: () => void; href?: never } | { href: string; run?: never });
type Note = {
  id: number;
  text: string;
  kind: 'done' | 'problem' | 'told';
  icon?: IconName;
  key?: string;
  actions?: readonly NoteAction[];
};

const notes = signal<readonly Note[]>([]);
let last = 0;
const STAYS_MS = 6_000;

/** Says that something was done; goes by itself. */
export function noteDone(text: string, action?: { label: string; run: () => void }): void {
  const id = show({ text, kind: 'done', actions: action && [action] });
  setTimeout(() => dismiss(id), action ? STAYS_MS * 2 : STAYS_MS);
}

/** Says what did not work, until it is put away. */
export function noteProblem(error: unknown): void {
  show({ text: error instanceof Error ? error.message : String(error), kind: 'problem' });
}

/** Tells what somebody else did, until it is put away or `unsay` is called with its key; told again under its key it takes the place of what was told before. */
export function noteTold(
  key: string,
  text: string,
  { icon, actions }: { icon?: IconName; actions?: readonly NoteAction[] } = {},
): void {
  unsay(key);
  show({ key, text, kind: 'told', icon, actions });
}

/** Takes back what was told under a key: it is so no longer. */
export function unsay(key: string): void {
  if (notes.value.some((note) => note.key === key)) notes.value = notes.value.filter((note) => note.key !== key);
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
      {notes.value.map(({ id, text, kind, icon = kind === 'problem' ? 'warning' : 'done', actions = [] }) => (
        <div key={id} class={`note ${kind}`}>
          <Icon name={icon} />
          <span>{text}</span>
          {actions.map(({ label, href, run }) =>
            href === undefined ? (
              <button
                key={label}
                type="button"
                class="link"
                onClick={() => {
                  run();
                  dismiss(id);
                }}
              >
                {label}
              </button>
            ) : (
              <a key={label} href={href} onClick={() => dismiss(id)}>
                {label}
              </a>
            ),
          )}
          <button type="button" class="bare" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
