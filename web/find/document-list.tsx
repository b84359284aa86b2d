// The list of documents: virtual rows, chosen by mouse and keys, dragged onto folders.
// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned and virtual cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row (aria-activedescendant)
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { newestRevision, untilWords } from '../document/version-words.ts';
import type { DocumentSort } from '../generated/operations.ts';
import { mine } from '../reservations/mine.ts';
import { namesOf } from '../reservations/what-came.ts';
import { addressOf, go, withQuery } from '../shell/addresses.ts';
import { mayWrite, me } from '../shell/session.ts';
import { Icon } from '../ui/icon.tsx';
import { iconOf, Picture } from '../ui/picture.tsx';
import { Rows } from '../ui/rows.tsx';
import { Time } from '../ui/time.tsx';
import { dragDocuments } from './dragging.ts';
import { type Filter, sortWord } from './filter.ts';
import { choose, chooseAll, dragged, moveTo, NOTHING_CHOSEN, type Selection } from './selection.ts';
import type { Found } from './use-found.ts';

const ROW = 46;
const PAGE = 12;

type ListProps = {
  /** Tells one list from another: each has the place it was scrolled to. */
  list: string;
  rows: readonly Found[];
  total: number | null;
  filter: Filter;
  selection: Selection;
  onSelection: (selection: Selection) => void;
  onEnd: () => void;
};

// where each list was scrolled to, for whoever comes back to it
const places = new Map<string, number>();

const rowId = (id: string) => `found-${id}`;

export function DocumentList({ list, rows, total, filter, selection, onSelection, onEnd }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const ids = rows.map(({ id }) => id);
  useLayoutEffect(() => {
    const scrolled = box.current?.querySelector('.rows');
    if (!scrolled) return;
    scrolled.scrollTo({ top: places.get(list) ?? 0 });
    const remember = () => places.set(list, scrolled.scrollTop);
    scrolled.addEventListener('scroll', remember, { passive: true });
    return () => scrolled.removeEventListener('scroll', remember);
  }, [list]);
  const at = selection.active === null ? -1 : ids.indexOf(selection.active);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return;
    const to = placeAfter(event.key, at, ids.length);
    const id = to === undefined ? undefined : ids[to];
    const active = ids[at];
    if (id !== undefined)
      onSelection(event.shiftKey ? choose(selection, ids, id, { range: true }) : moveTo(selection, id));
    else if (event.key === 'Enter' && active) go(addressOf.document(active));
    else if (event.key === ' ' && active) onSelection(choose(selection, ids, active, { toggle: true }));
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelection(chooseAll(selection, ids));
    else if (event.key === 'Escape' && selection.chosen.size > 0)
      onSelection({ ...NOTHING_CHOSEN, active: selection.active });
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, id: string) => {
    if (event.target instanceof Element && event.target.closest('a')) return;
    const tick = event.target instanceof Element && event.target.closest('.found-tick') !== null;
    onSelection(choose(selection, ids, id, { range: event.shiftKey, toggle: tick || event.ctrlKey || event.metaKey }));
  };
  return (
    <div
      ref={box}
      class="found"
      role="grid"
      aria-label="Documents"
      aria-multiselectable="true"
      aria-rowcount={(total ?? rows.length) + 1}
      aria-activedescendant={selection.active !== null && at >= 0 ? rowId(selection.active) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) => event.target === box.current && at < 0 && ids[0] && onSelection(moveTo(selection, ids[0]))}
    >
      <div role="rowgroup" class="found-head">
        <div role="row" class="found-row">
          <span role="columnheader" class="found-tick">
            <span class="visually-hidden">Chosen</span>
          </span>
          <span role="columnheader">
            <span class="visually-hidden">Picture</span>
          </span>
          <Sorted filter={filter} field="number">
            Number
          </Sorted>
          <Sorted filter={filter} field="name">
            Name
          </Sorted>
          <span role="columnheader" class="state">
            State
          </span>
          <span role="columnheader" class="place">
            Folder
          </span>
          <Sorted filter={filter} field="updatedAt" class="changed">
            Changed
          </Sorted>
        </div>
      </div>
      <Rows rows={rows} height={ROW} keyOf={({ id }) => id} label="Documents" shown={at} onEnd={onEnd} inGrid>
        {(found, index) => (
          <div
            role="row"
            id={rowId(found.id)}
            class={`found-row ${index === at ? 'active' : ''} ${found.archived ? 'archived' : ''}`}
            aria-rowindex={index + 2}
            aria-selected={selection.chosen.has(found.id)}
            draggable={mayWrite()}
            onDragStart={(event) => {
              const carried = dragged(selection, found.id);
              dragDocuments(event, carried, carried.length === 1 ? found.number : `${carried.length} documents`);
            }}
            onClick={(event) => onClick(event, found.id)}
            onDblClick={() => go(addressOf.document(found.id))}
            onKeyDown={undefined}
          >
            <Cells found={found} chosen={selection.chosen.has(found.id)} />
          </div>
        )}
      </Rows>
    </div>
  );
}

function Cells({ found, chosen }: { found: Found; chosen: boolean }) {
  const { id, number, name, kind, thumbnailUrl, folder, updatedAt, updatedBy } = found;
  return (
    <>
      <span role="gridcell" class="found-tick">
        <span class={`box ${chosen ? 'ticked' : ''}`}>{chosen && <Icon name="done" />}</span>
      </span>
      <span role="gridcell">
        <Picture url={thumbnailUrl} kind={kind} />
      </span>
      <span role="gridcell" class="mono" title={number}>
        <span class="cut-here">{number}</span>
      </span>
      <span role="gridcell" class="name">
        <Icon name={iconOf(kind)} />
        <a class="cut-here" href={addressOf.document(id)} tabIndex={-1} title={name} draggable={false}>
          {name}
        </a>
        <span class="visually-hidden">{kind}</span>
      </span>
      <span role="gridcell" class="state">
        <State found={found} />
        <Held found={found} />
      </span>
      <span role="gridcell" class="place" title={folder?.path ?? 'Unfiled'}>
        <span class="cut-here">{folder?.path.split('/').at(-1) ?? 'Unfiled'}</span>
      </span>
      <span role="gridcell" class="changed" title={`by ${updatedBy.name}`}>
        <Time at={updatedAt} />
        <small class="cut-here">{updatedBy.name}</small>
      </span>
    </>
  );
}

/** Its newest version, and the revision that counts. */
function State({ found: { workspaces, revisions, archived } }: { found: Found }) {
  const newest = Math.max(0, ...workspaces.map(({ newestVersion }) => newestVersion?.n ?? 0));
  const revision = newestRevision(revisions);
  return (
    <>
      {revision && (
        <span
          class={`mark ${revision.obsolete ? 'bad' : 'good'}`}
          title={`v${revision.versionN}${revision.obsolete ? ', obsolete' : ''}`}
        >
          {revision.obsolete ? <s>Rev {revision.label}</s> : `Rev ${revision.label}`}
        </span>
      )}
      {newest === 0 ? <small>draft</small> : (!revision || newest > revision.versionN) && <small>v{newest}</small>}
      {archived && <span class="mark warn">archived</span>}
    </>
  );
}

function Held({ found: { workspaces } }: { found: Found }) {
  const held = workspaces.flatMap(({ id, name, reservation }) => (reservation ? [{ id, name, reservation }] : []));
  const [first] = held;
  if (!first) return null;
  const { by, expiresAt } = first.reservation;
  const own = by.id === me.value?.id;
  const wanted = mine.value?.held.find(
    ({ workspaceId, askedBy }) => askedBy.length > 0 && held.some(({ id }) => id === workspaceId),
  );
  return (
    <span
      class={`mark ${own && !wanted ? 'accent' : 'warn'}`}
      title={[
        ...held.map(({ name, reservation }) => `${name}: ${reservation.by.name} ${untilWords(reservation.expiresAt)}`),
        ...(wanted ? [`${namesOf(wanted.askedBy.map((asked) => asked.by))} asked for it`] : []),
      ].join('\n')}
    >
      <Icon name={wanted ? 'ask' : 'lock'} />
      <span class="cut-here">{wanted ? 'asked for' : own ? `you ${untilWords(expiresAt)}` : by.name}</span>
    </span>
  );
}

type SortedProps = { filter: Filter; field: DocumentSort; class?: string; children: ComponentChildren };

function Sorted({ filter, field, class: more, children }: SortedProps) {
  const { sort, descending } = filter;
  return (
    <span
      role="columnheader"
      class={more}
      aria-sort={sort === field ? (descending ? 'descending' : 'ascending') : 'none'}
    >
      <a href={withQuery({ sort: sortWord(filter, field) })}>
        {children}
        {sort === field && <Icon name="down" class={descending ? '' : 'turned'} />}
      </a>
    </span>
  );
}

function placeAfter(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const bound = (to: number) => Math.max(0, Math.min(count - 1, to));
  if (key === 'ArrowDown') return bound(at + 1);
  if (key === 'ArrowUp') return bound(at - 1);
  if (key === 'PageDown') return bound(at + PAGE);
  if (key === 'PageUp') return bound(at - PAGE);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
