// Above the list: what is looked for, and what can be done with what is chosen.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { addressOf, go, withQuery } from '../shell/addresses.ts';
import { mayWrite } from '../shell/session.ts';
import { useTitle } from '../shell/title.ts';
import { Deed } from '../ui/deed.tsx';
import { figure } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { type Filter, KINDS } from './filter.ts';
import type { FolderOf } from './folder-rows.ts';

const SOON_MS = 180;

type BarProps = {
  filter: Filter;
  folder: FolderOf | null;
  total: number | null;
  chosen: ReadonlySet<string>;
  onMove: () => void;
  onClear: () => void;
  children: ComponentChildren;
};

export function FindBar({ filter, folder, total, chosen, onMove, onClear, children }: BarProps) {
  const { folderId, q, kind, archived, below } = filter;
  const title = folder?.name ?? (folderId === 'unfiled' ? 'Unfiled' : folderId === null ? 'All documents' : 'Folder');
  useTitle(q ? `${q} – ${title}` : title);
  return (
    <div class="find-bar">
      <div class="row">
        <div class="grow">
          <h1 class="cut-here" title={folder?.path}>
            {title} {total !== null && <small>{figure(total)}</small>}
          </h1>
        </div>
        {children}
      </div>
      <div class="row">
        <Search q={q} where={folder?.name ?? title} />
        <fieldset class="choice" aria-label="Kind">
          <button type="button" aria-pressed={kind === null} onClick={() => go(withQuery({ kind: null }))}>
            all
          </button>
          {KINDS.map((word) => (
            <button key={word} type="button" aria-pressed={kind === word} onClick={() => go(withQuery({ kind: word }))}>
              {word}
            </button>
          ))}
        </fieldset>
        {folder && (
          <label class="inline">
            <input
              type="checkbox"
              checked={below || q.trim() !== ''}
              disabled={q.trim() !== ''}
              onChange={({ currentTarget }) => go(withQuery({ below: currentTarget.checked ? '1' : null }))}
            />
            Folders below
          </label>
        )}
        <label class="inline">
          <input
            type="checkbox"
            checked={archived}
            onChange={({ currentTarget }) => go(withQuery({ archived: currentTarget.checked ? '1' : null }))}
          />
          Archived
        </label>
        {q.trim() !== '' && folderId !== null && (
          <a href={`${addressOf.documents()}?q=${encodeURIComponent(q)}`}>Search everywhere</a>
        )}
        {chosen.size > 0 && (
          <div class="chosen" role="status">
            <span>{chosen.size} chosen</span>
            <Deed
              may={mayWrite() ? undefined : { allowed: false, message: 'Viewers cannot move documents.' }}
              onClick={onMove}
            >
              Move…
            </Deed>
            <button type="button" class="link" onClick={onClear}>
              Clear
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Searches as one types; the address follows, without a step for every letter. */
function Search({ q, where }: { q: string; where: string }) {
  const [text, setText] = useState(q);
  const field = useRef<HTMLInputElement>(null);
  const typed = useRef(q); // what this field has put into the address
  useEffect(() => {
    if (q === typed.current) return;
    typed.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    if (text === typed.current) return;
    const soon = setTimeout(() => {
      const stepBack = typed.current !== '' || text === '';
      typed.current = text;
      go(withQuery({ q: text === '' ? null : text }), { replace: stepBack });
    }, SOON_MS);
    return () => clearTimeout(soon);
  }, [text]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.matches('input, textarea, select, dialog *');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return;
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
        placeholder={'Number or words; "in quotes" as it stands'}
        title="Press / to search"
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  );
}
