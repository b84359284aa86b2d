// The command palette: Ctrl K anywhere, then a few letters. Documents are found as one types, an exact number first; whatever else the view in
// sight can do is listed below.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from '../ui/icon.tsx';
import { addressOf, go } from './addresses.ts';
import { isAdmin, signOut } from './session.ts';

export type PaletteEntry = { id: string; label: string; hint?: string; icon: IconName; run: () => void };

const open = signal(false);
const offered = signal<ReadonlyMap<string, readonly PaletteEntry[]>>(new Map());

export const openPalette = (): void => {
  open.value = true;
};

/** Offers what a view can do for as long as it is in sight; `from` names the view. */
export function useOffer(from: string, entries: readonly PaletteEntry[]): void {
  useEffect(() => {
    offered.value = new Map(offered.value).set(from, entries);
    return () => {
      const rest = new Map(offered.value);
      rest.delete(from);
      offered.value = rest;
    };
  }, [from, entries.map(({ id }) => id).join()]);
}

const places = (): PaletteEntry[] => [
  { id: 'documents', label: 'Go to documents', icon: 'folder', run: () => go('/') },
  { id: 'jobs', label: 'Go to jobs', icon: 'jobs', run: () => go(addressOf.jobs()) },
  { id: 'audit', label: 'Go to the audit log', icon: 'audit', run: () => go(addressOf.audit()) },
  ...(isAdmin() ? [{ id: 'admin', label: 'Go to administration', icon: 'admin' as const, run: () => go(addressOf.admin()) }] : []),
  { id: 'sign-out', label: 'Sign out', icon: 'out', run: () => void signOut() },
];

export function Palette() {
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
  useEffect(() => dialog.current?.showModal(), []);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = [...[...offered.value.values()].flat(), ...places()].filter(({ label }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  );
  const close = () => {
    open.value = false;
  };
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    close();
    entry.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step) {
      event.preventDefault();
      setChosen((chosen + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[chosen]);
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
        placeholder="Number, name, or what to do"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
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
            <Icon name={entry.icon} />
            <span>{entry.label}</span>
            {entry.hint && <small>{entry.hint}</small>}
          </div>
        ))}
      </div>
    </dialog>
  );
}
