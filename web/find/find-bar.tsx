// The toolbar above the document list: search, filters and actions on the selection.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate, urlFor, withQuery } from '../shell/router.ts';
import { canWrite } from '../shell/session.ts';
import { useTitle } from '../shell/use-title.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { formatNumber } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import type { MenuPosition } from '../ui/menu.tsx';
import { activeFilters, type Filter, KINDS } from './filter.ts';
import { FilterRow } from './filter-row.tsx';
import type { Folder } from './folder-rows.ts';

const DEBOUNCE_MS = 180;

type BarProps = {
  filter: Filter;
  folder: Folder | null;
  total: number | null;
  selected: ReadonlySet<string>;
  onMove: () => void;
  onArchive: () => void;
  /** Opens the menu of all actions on the selection. */
  onMenu: (position: MenuPosition) => void;
  onClear: () => void;
  /** The users who can be chosen as creators, by id. */
  creators: ReadonlyMap<string, string>;
  children: ComponentChildren;
};

function defaultTitle(folderId: string | null): string {
  if (folderId === null) return 'All documents';
  return folderId === 'unfiled' ? 'Unfiled' : 'Folder';
}

export function FindBar({
  filter,
  folder,
  total,
  selected,
  onMove,
  onArchive,
  onMenu,
  onClear,
  creators,
  children,
}: BarProps) {
  const { folderId, q, kind, includeArchived, includeSubfolders } = filter;
  const active = activeFilters(filter).filter(({ parameter }) => parameter !== 'kind').length;
  const [isOpen, setOpen] = useState(active > 0);
  useEffect(() => setOpen((before) => before || active > 0), [active > 0]); // e.g. after a saved search was opened
  const title = folder?.name ?? defaultTitle(folderId);
  useTitle(q ? `${q} – ${title}` : title);
  return (
    <div class="find-bar">
      <div class="row">
        <div class="grow">
          <h1 class="cut-here" title={folder?.path}>
            {title} {total !== null && <small>{formatNumber(total)}</small>}
          </h1>
        </div>
        {children}
      </div>
      <div class="row">
        <Search q={q} where={folder?.name ?? title} />
        <fieldset class="choice" aria-label="Kind">
          <button type="button" aria-pressed={kind === null} onClick={() => navigate(withQuery({ kind: null }))}>
            All
          </button>
          {KINDS.map((word) => (
            <button
              key={word}
              type="button"
              aria-pressed={kind === word}
              onClick={() => navigate(withQuery({ kind: word }))}
            >
              {word}
            </button>
          ))}
        </fieldset>
        {folder && (
          <label class="inline">
            <input
              type="checkbox"
              checked={includeSubfolders || q.trim() !== ''}
              disabled={q.trim() !== ''}
              onChange={({ currentTarget }) => navigate(withQuery({ below: currentTarget.checked ? '1' : null }))}
            />
            Include subfolders
          </label>
        )}
        <label class="inline">
          <input
            type="checkbox"
            checked={includeArchived}
            onChange={({ currentTarget }) => navigate(withQuery({ archived: currentTarget.checked ? '1' : null }))}
          />
          Include archived
        </label>
        <button
          type="button"
          class="bare"
          aria-expanded={isOpen}
          aria-controls="filters"
          onClick={() => setOpen(!isOpen)}
        >
          Filters{active > 0 && ` (${active})`} <Icon name={isOpen ? 'up' : 'down'} />
        </button>
        {q.trim() !== '' && folderId !== null && (
          <a href={`${urlFor.documents()}?q=${encodeURIComponent(q)}`}>Search all folders</a>
        )}
        {selected.size > 0 && (
          <div class="selected" role="status">
            <span>{selected.size} selected</span>
            <ActionButton
              permission={canWrite() ? undefined : { allowed: false, message: 'Viewers cannot move documents.' }}
              onClick={onMove}
            >
              Move…
            </ActionButton>
            <ActionButton
              permission={canWrite() ? undefined : { allowed: false, message: 'Viewers cannot archive documents.' }}
              onClick={onArchive}
            >
              Archive
            </ActionButton>
            <button
              type="button"
              aria-haspopup="menu"
              onClick={({ currentTarget }) => {
                const { left, bottom } = currentTarget.getBoundingClientRect();
                onMenu({ x: left, y: bottom });
              }}
            >
              More…
            </button>
            <button type="button" class="link" onClick={onClear}>
              Clear
            </button>
          </div>
        )}
      </div>
      <div id="filters">{isOpen && <FilterRow filter={filter} creators={creators} />}</div>
    </div>
  );
}

/** Searches while the user types. The URL follows, with one history entry per search. */
function Search({ q, where }: { q: string; where: string }) {
  const [text, setText] = useState(q);
  const field = useRef<HTMLInputElement>(null);
  const urlText = useRef(q); // the text that this field has put into the URL
  useEffect(() => {
    if (q === urlText.current) return;
    urlText.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    if (text === urlText.current) return;
    const timer = setTimeout(() => {
      const replace = urlText.current !== '' || text === '';
      urlText.current = text;
      navigate(withQuery({ q: text === '' ? null : text }), { replace });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select, dialog *');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="find-search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={`Search in ${where}`}
        placeholder={'Search by number, name or description; "exact phrase"'}
        title="Press / to search"
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  );
}
