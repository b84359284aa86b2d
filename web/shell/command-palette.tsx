// The command palette: Ctrl K anywhere, then a few letters. Documents are found as one types, an exact number first, then folders; whatever else
// the view in sight can do is listed below.
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PaletteFoldersDocument } from '../generated/operations.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { kindIcon, Thumbnail } from '../ui/thumbnail.tsx';
import { urlFor, navigate } from './router.ts';
import { type FoundDocument, useDocumentSearch } from './use-document-search.ts';
import { isAdmin, signOut } from './session.ts';
import { useQuery } from './use-query.ts';

export type PaletteEntry = {
  id: string;
  label: string;
  hint?: string;
  icon: IconName;
  run: () => void;
  /** Of a document: its kind and picture stand in place of the icon. */
  thumbnail?: { kind: string; url: string | null };
};

const open = signal(false);
const offered = signal<ReadonlyMap<string, readonly PaletteEntry[]>>(new Map());

export const openPalette = (): void => {
  open.value = true;
};

/** Offers what a view can do for as long as it is in sight; `from` names the view. */
export function usePaletteCommands(from: string, entries: readonly PaletteEntry[]): void {
  const latest = useRef(entries);
  latest.current = entries; // what a deed does depends on what the view shows by then
  useEffect(() => {
    const offers = entries.map((entry) => ({
      ...entry,
      run: () => latest.current.find(({ id }) => id === entry.id)?.run(),
    }));
    offered.value = new Map(offered.value).set(from, offers);
    return () => {
      const rest = new Map(offered.value);
      rest.delete(from);
      offered.value = rest;
    };
  }, [from, entries.map(({ id, label }) => `${id} ${label}`).join()]);
}

const places = (): PaletteEntry[] => [
  { id: 'documents', label: 'Go to documents', icon: 'folder', run: () => navigate('/') },
  {
    id: 'reservations',
    label: 'Go to what I hold and asked for',
    icon: 'lock',
    run: () => navigate(urlFor.reservations()),
  },
  { id: 'jobs', label: 'Go to jobs', icon: 'jobs', run: () => navigate(urlFor.jobs()) },
  { id: 'audit', label: 'Go to the audit log', icon: 'audit', run: () => navigate(urlFor.audit()) },
  ...(isAdmin()
    ? [{ id: 'admin', label: 'Go to administration', icon: 'admin' as const, run: () => navigate(urlFor.admin()) }]
    : []),
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
  const [chosen, setChosen] = useState(0);
  useLayoutEffect(() => dialog.current?.showModal(), []); // before the next key: what is typed at once is not lost
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const commands = [...[...offered.value.values()].flat(), ...places()].filter(({ label }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  );
  const found = useDocumentSearch(text);
  const folders = useFolders(words);
  const entries = [...found.documents.map(entryOf), ...folders, ...commands, ...everything(text)];
  const close = () => {
    open.value = false;
  };
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    close();
    entry.run();
  };
  // whoever types a number and Enter is faster than the answer: it is waited for, lest the document of fewer letters is opened
  const entered = useRef(false);
  useEffect(() => {
    if (entered.current && found.query === text.trim()) run(entries[0]);
  }, [found.query]);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return; // Enter takes the word that an input method offers, and arrows choose among its words
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step) {
      event.preventDefault();
      setChosen((chosen + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (chosen === 0 && found.query !== text.trim()) entered.current = true;
      else run(entries[chosen]);
    }
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search or do something" onClose={close} closedby="any">
      <input
        type="text"
        role="combobox"
        aria-label="Search or do something"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries[chosen] ? `palette-${entries[chosen].id}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Number, name, folder, or what to do"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
          entered.current = false;
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id="palette-entries" aria-label="Found">
        {entries.map((entry, place) => (
          <div
            key={entry.id}
            id={`palette-${entry.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            onClick={() => run(entry)}
            onKeyDown={onKey}
            onPointerMove={() => setChosen(place)}
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

const entryOf = ({ id, number, name, kind, thumbnailUrl }: FoundDocument): PaletteEntry => ({
  id,
  label: name,
  hint: number,
  icon: kindIcon(kind),
  thumbnail: { kind, url: thumbnailUrl },
  run: () => navigate(urlFor.document(id)),
});

const MOST_FOLDERS = 5;

/** The folders whose paths hold all the words; those named so come before what lies in them. */
function useFolders(words: readonly string[]): PaletteEntry[] {
  const { data } = useQuery(PaletteFoldersDocument, {});
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = words.length > 0 ? (data?.folders.filter(({ path }) => holds(path)) ?? []) : [];
  const [named, below] = [found.filter(({ name }) => holds(name)), found.filter(({ name }) => !holds(name))];
  return [...named, ...below]
    .slice(0, MOST_FOLDERS)
    .map(({ id, name, path }) => ({
      id,
      label: name,
      hint: path,
      icon: 'folder',
      run: () => navigate(urlFor.documents(id)),
    }));
}

const everything = (text: string): PaletteEntry[] => {
  const q = text.trim();
  if (q === '') return [];
  return [
    {
      id: 'everything',
      label: `List everything found for “${q}”`,
      icon: 'search',
      run: () => navigate(`${urlFor.documents()}?${new URLSearchParams({ q })}`),
    },
  ];
};
