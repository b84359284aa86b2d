// The command palette, opened by Ctrl K: finds documents (an exact number first), folders, and the commands of the
// current view.
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type KeptDocument, personalLists } from '../find/personal-lists.ts';
import { PaletteFoldersDocument } from '../generated/operations.ts';
import { arrowStep } from '../ui/arrow-step.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { kindIcon, Thumbnail } from '../ui/thumbnail.tsx';
import { navigate, urlFor } from './router.ts';
import { isAdmin, signOut } from './session.ts';
import { openShortcuts } from './shortcuts.tsx';
import { type FoundDocument, useDocumentSearch } from './use-document-search.ts';
import { useQuery } from './use-query.ts';

export type PaletteEntry = {
  id: string;
  label: string;
  hint?: string;
  icon: IconName;
  run: () => void;
  /** Kind and thumbnail of a document, shown instead of the icon. */
  thumbnail?: { kind: string; url: string | null };
};

const open = signal(false);
const viewCommands = signal<ReadonlyMap<string, readonly PaletteEntry[]>>(new Map());

export const openPalette = (): void => {
  open.value = true;
};

/** Adds commands to the palette while the calling view is mounted. `view` is a unique name. */
export function usePaletteCommands(view: string, entries: readonly PaletteEntry[]): void {
  const latest = useRef(entries);
  latest.current = entries;
  // a layout effect, because the cleanup of another one can run after the next view has added its commands
  useLayoutEffect(() => {
    const commands = entries.map((entry) => ({
      ...entry,
      run: () => latest.current.find(({ id }) => id === entry.id)?.run(),
    }));
    viewCommands.value = new Map(viewCommands.value).set(view, commands);
    return () => {
      const rest = new Map(viewCommands.value);
      rest.delete(view);
      viewCommands.value = rest;
    };
  }, [view, entries.map(({ id, label }) => `${id} ${label}`).join()]);
}

const globalCommands = (): PaletteEntry[] => [
  { id: 'documents', label: 'Go to documents', icon: 'folder', run: () => navigate('/') },
  {
    id: 'reservations',
    label: 'Go to my reservations',
    icon: 'lock',
    run: () => navigate(urlFor.reservations()),
  },
  { id: 'jobs', label: 'Go to jobs', icon: 'jobs', run: () => navigate(urlFor.jobs()) },
  { id: 'audit', label: 'Go to audit log', icon: 'audit', run: () => navigate(urlFor.audit()) },
  ...(isAdmin()
    ? [{ id: 'admin', label: 'Go to administration', icon: 'admin' as const, run: () => navigate(urlFor.admin()) }]
    : []),
  { id: 'help', label: 'Open the documentation', icon: 'help', run: () => openHelp('/docs') },
  { id: 'shortcuts', label: 'Show keyboard shortcuts', icon: 'ask', run: openShortcuts },
  { id: 'sign-out', label: 'Sign out', icon: 'out', run: () => void signOut() },
];

export function CommandPalette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open.value = !open.value;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return open.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  useLayoutEffect(() => dialog.current?.showModal(), []); // before the next key press, so that no typed text is lost
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const commands = [...[...viewCommands.value.values()].flat(), ...globalCommands()].filter(({ label }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  );
  const found = useDocumentSearch(text);
  const folders = useFolders(words);
  const kept = words.length === 0 ? keptDocuments() : [];
  const entries = [...kept, ...found.documents.map(documentEntry), ...folders, ...commands, ...listAllEntry(text)];
  const close = () => {
    open.value = false;
  };
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    close();
    entry.run();
  };
  // Enter before the results arrive waits for them, so that it does not open a result of the previous text
  const enterPending = useRef(false);
  useEffect(() => {
    if (enterPending.current && found.query === text.trim()) run(entries[0]);
  }, [found.query]);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return; // the input method handles the keys
    const step = arrowStep(event.key);
    if (step) {
      event.preventDefault();
      setSelected((selected + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (selected === 0 && found.query !== text.trim()) enterPending.current = true;
      else run(entries[selected]);
    }
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search or run a command" onClose={close} closedby="any">
      <input
        type="text"
        role="combobox"
        aria-label="Search or run a command"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries[selected] ? `palette-${entries[selected].id}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Find a document or folder, or type a command"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setSelected(0);
          enterPending.current = false;
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id="palette-entries" aria-label="Results">
        {entries.map((entry, index) => (
          <div
            key={entry.id}
            id={`palette-${entry.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            onClick={() => run(entry)}
            onKeyDown={onKey}
            onPointerMove={() => setSelected(index)}
          >
            {entry.thumbnail ? <Thumbnail {...entry.thumbnail} /> : <Icon name={entry.icon} />}
            <span>{entry.label}</span>
            {entry.hint && <small>{entry.hint}</small>}
          </div>
        ))}
      </div>
    </dialog>
  );
}

const documentEntry = ({ id, number, name, kind, thumbnailUrl }: FoundDocument): PaletteEntry => ({
  id,
  label: name,
  hint: number,
  icon: kindIcon(kind),
  thumbnail: { kind, url: thumbnailUrl },
  run: () => navigate(urlFor.document(id)),
});

/** The starred and recent documents, for an empty search. */
function keptDocuments(): PaletteEntry[] {
  const { starred, recent } = personalLists();
  const isNew = ({ id }: KeptDocument) => !starred.some((kept) => kept.id === id);
  return [...starred, ...recent.filter(isNew)].map(({ id, number, name, kind }) => ({
    id,
    label: name,
    hint: number,
    icon: kindIcon(kind),
    run: () => navigate(urlFor.document(id)),
  }));
}

const MAX_FOLDERS = 5;

/** The folders whose paths contain all words; folders whose own name matches come first. */
function useFolders(words: readonly string[]): PaletteEntry[] {
  const { data } = useQuery(PaletteFoldersDocument, {});
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = words.length > 0 ? (data?.folders.filter(({ path }) => matches(path)) ?? []) : [];
  const [named, nested] = [found.filter(({ name }) => matches(name)), found.filter(({ name }) => !matches(name))];
  return [...named, ...nested].slice(0, MAX_FOLDERS).map(({ id, name, path }) => ({
    id,
    label: name,
    hint: path,
    icon: 'folder',
    run: () => navigate(urlFor.documents(id)),
  }));
}

const listAllEntry = (text: string): PaletteEntry[] => {
  const q = text.trim();
  if (q === '') return [];
  return [
    {
      id: 'list-all',
      label: `List all results for “${q}”`,
      icon: 'search',
      run: () => navigate(`${urlFor.documents()}?${new URLSearchParams({ q })}`),
    },
    {
      id: 'search-help',
      label: `Search the documentation for “${q}”`,
      icon: 'help',
      run: () => openHelp(`/docs/search?${new URLSearchParams({ q })}`),
    },
  ];
};

const openHelp = (url: string): void => void window.open(url, '_blank', 'noreferrer');
