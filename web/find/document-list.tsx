// The document list: a grid of virtual rows with keyboard navigation, selection and drag and drop.
// biome-ignore-all lint/a11y/useSemanticElements: absolutely positioned virtual rows cannot be table rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus (aria-activedescendant)
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { currentRevision, formatUntil } from '../document/version-label.ts';
import type { DocumentSort } from '../generated/operations.ts';
import { myReservations } from '../reservations/my-reservations.ts';
import { formatNames } from '../reservations/reservation-changes.ts';
import { navigate, urlFor, withQuery } from '../shell/router.ts';
import { canWrite, currentUser } from '../shell/session.ts';
import { Icon } from '../ui/icon.tsx';
import type { MenuPosition } from '../ui/menu.tsx';
import { kindIcon, Thumbnail } from '../ui/thumbnail.tsx';
import { Time } from '../ui/time.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { dragDocuments } from './dragging.ts';
import { type Filter, nextSort } from './filter.ts';
import { draggedIds, EMPTY_SELECTION, moveActive, type Selection, selectAll, selectRow } from './selection.ts';
import type { ListedDocument } from './use-document-list.ts';

const ROW_HEIGHT = 46;
const PAGE_SIZE = 12;

type ListProps = {
  /** Identifies the list, to restore its scroll position. */
  list: string;
  rows: readonly ListedDocument[];
  total: number | null;
  /** The rows belong to the previous search. */
  stale: boolean;
  filter: Filter;
  selection: Selection;
  onSelection: (selection: Selection) => void;
  /** Opens the menu of the selection. */
  onMenu: (position: MenuPosition) => void;
  onEnd: () => void;
};

// scroll position by list
const scrollPositions = new Map<string, number>();

const rowId = (id: string) => `found-${id}`;

export function DocumentList({ list, rows, total, stale, filter, selection, onSelection, onMenu, onEnd }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const ids = rows.map(({ id }) => id);
  useLayoutEffect(() => {
    const scroller = box.current?.querySelector('.virtual-list');
    if (!scroller) return;
    scroller.scrollTo({ top: scrollPositions.get(list) ?? 0 });
    const remember = () => scrollPositions.set(list, scroller.scrollTop);
    scroller.addEventListener('scroll', remember, { passive: true });
    return () => scroller.removeEventListener('scroll', remember);
  }, [list]);
  const activeIndex = selection.active === null ? -1 : ids.indexOf(selection.active);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return;
    const to = nextIndex(event.key, activeIndex, ids.length);
    const id = to === undefined ? undefined : ids[to];
    const active = ids[activeIndex];
    if (id !== undefined)
      onSelection(event.shiftKey ? selectRow(selection, ids, id, { range: true }) : moveActive(selection, id));
    else if (event.key === 'Enter' && active) navigate(urlFor.document(active));
    else if (event.key === ' ' && active) onSelection(selectRow(selection, ids, active, { toggle: true }));
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelection(selectAll(selection, ids));
    else if (active && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) {
      if (!selection.selected.has(active)) onSelection(selectRow(selection, ids, active));
      const { left = 0, bottom = 0 } = document.getElementById(rowId(active))?.getBoundingClientRect() ?? {};
      onMenu({ x: left + 48, y: bottom });
    } else if (event.key === 'Escape' && selection.selected.size > 0)
      onSelection({ ...EMPTY_SELECTION, active: selection.active });
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, id: string) => {
    if (event.target instanceof Element && event.target.closest('a')) return;
    const isCheckbox = event.target instanceof Element && event.target.closest('.document-check') !== null;
    const toggle = isCheckbox || event.ctrlKey || event.metaKey;
    onSelection(selectRow(selection, ids, id, { range: event.shiftKey, toggle }));
  };
  return (
    <div
      ref={box}
      class={`document-list ${stale ? 'stale' : ''}`}
      role="grid"
      aria-busy={stale}
      aria-label="Documents"
      aria-multiselectable="true"
      aria-rowcount={(total ?? rows.length) + 1}
      aria-activedescendant={selection.active !== null && activeIndex >= 0 ? rowId(selection.active) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) =>
        event.target === box.current && activeIndex < 0 && ids[0] && onSelection(moveActive(selection, ids[0]))
      }
    >
      <div role="rowgroup" class="document-list-head">
        <div role="row" class="document-row">
          <span role="columnheader" class="document-check">
            <span class="visually-hidden">Selected</span>
          </span>
          <span role="columnheader">
            <span class="visually-hidden">Thumbnail</span>
          </span>
          <SortHeader filter={filter} field="number">
            Number
          </SortHeader>
          <SortHeader filter={filter} field="name">
            Name
          </SortHeader>
          <span role="columnheader" class="state">
            State
          </span>
          <span role="columnheader" class="folder">
            Folder
          </span>
          <SortHeader filter={filter} field="updatedAt" class="changed-at">
            Changed
          </SortHeader>
        </div>
      </div>
      <VirtualList
        rows={rows}
        rowHeight={ROW_HEIGHT}
        getKey={({ id }) => id}
        label="Documents"
        scrollToRow={activeIndex}
        onEndReached={onEnd}
        inGrid
      >
        {(document, index) => (
          <div
            role="row"
            id={rowId(document.id)}
            class={`document-row ${index === activeIndex ? 'current' : ''} ${document.archived ? 'archived' : ''}`}
            aria-rowindex={index + 2}
            aria-selected={selection.selected.has(document.id)}
            draggable={canWrite()}
            onDragStart={(event) => {
              const ids = draggedIds(selection, document.id);
              dragDocuments(event, ids, ids.length === 1 ? document.number : `${ids.length} documents`);
            }}
            onClick={(event) => onClick(event, document.id)}
            onContextMenu={(event) => {
              event.preventDefault();
              if (!selection.selected.has(document.id)) onSelection(selectRow(selection, ids, document.id));
              onMenu({ x: event.clientX, y: event.clientY });
            }}
            onDblClick={() => navigate(urlFor.document(document.id))}
            onKeyDown={undefined}
          >
            <Cells document={document} selected={selection.selected.has(document.id)} />
          </div>
        )}
      </VirtualList>
    </div>
  );
}

function Cells({ document, selected }: { document: ListedDocument; selected: boolean }) {
  const { id, number, name, kind, thumbnailUrl, folder, updatedAt, updatedBy } = document;
  return (
    <>
      <span role="gridcell" class="document-check">
        <span class={`box ${selected ? 'ticked' : ''}`}>{selected && <Icon name="done" />}</span>
      </span>
      <span role="gridcell">
        <Thumbnail url={thumbnailUrl} kind={kind} />
      </span>
      <span role="gridcell" class="mono" title={number}>
        <span class="cut-here">{number}</span>
      </span>
      <span role="gridcell" class="name">
        <Icon name={kindIcon(kind)} />
        <a class="cut-here" href={urlFor.document(id)} tabIndex={-1} title={name} draggable={false}>
          {name}
        </a>
        <span class="visually-hidden">{kind}</span>
      </span>
      <span role="gridcell" class="state">
        <State document={document} />
        <ReservationBadge document={document} />
      </span>
      <span role="gridcell" class="folder" title={folder?.path ?? 'Unfiled'}>
        <span class="cut-here">{folder?.path.split('/').at(-1) ?? 'Unfiled'}</span>
      </span>
      <span role="gridcell" class="changed-at" title={`by ${updatedBy.name}`}>
        <Time at={updatedAt} />
        <small class="cut-here">{updatedBy.name}</small>
      </span>
    </>
  );
}

/** The current revision and the newest version. */
function State({ document: { workspaces, revisions, archived } }: { document: ListedDocument }) {
  const newest = Math.max(0, ...workspaces.map(({ newestVersion }) => newestVersion?.n ?? 0));
  const revision = currentRevision(revisions);
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

function ReservationBadge({ document: { workspaces } }: { document: ListedDocument }) {
  const reserved = workspaces.flatMap(({ id, name, reservation }) => (reservation ? [{ id, name, reservation }] : []));
  const [first] = reserved;
  if (!first) return null;
  const { by, expiresAt } = first.reservation;
  const isOwn = by.id === currentUser.value?.id;
  const requested = myReservations.value?.held.find(
    ({ workspaceId, checkinRequests }) => checkinRequests.length > 0 && reserved.some(({ id }) => id === workspaceId),
  );
  let label = by.name;
  if (isOwn) label = `you ${formatUntil(expiresAt)}`;
  if (requested) label = 'check-in requested';
  return (
    <span
      class={`mark ${isOwn && !requested ? 'accent' : 'warn'}`}
      title={[
        ...reserved.map(
          ({ name, reservation }) => `${name}: ${reservation.by.name} ${formatUntil(reservation.expiresAt)}`,
        ),
        ...(requested ? [`Check-in requested by ${formatNames(requested.checkinRequests.map(({ by }) => by))}`] : []),
      ].join('\n')}
    >
      <Icon name={requested ? 'ask' : 'lock'} />
      <span class="cut-here">{label}</span>
    </span>
  );
}

type SortHeaderProps = { filter: Filter; field: DocumentSort; class?: string; children: ComponentChildren };

function SortHeader({ filter, field, class: className, children }: SortHeaderProps) {
  const { sort, descending } = filter;
  const order = descending ? 'descending' : 'ascending';
  return (
    <span role="columnheader" class={className} aria-sort={sort === field ? order : 'none'}>
      <a href={withQuery({ sort: nextSort(filter, field) })}>
        {children}
        {sort === field && <Icon name="down" class={descending ? '' : 'turned'} />}
      </a>
    </span>
  );
}

/** Returns the row that a key moves the focus to; undefined for other keys. */
function nextIndex(key: string, current: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const clamp = (index: number) => Math.max(0, Math.min(count - 1, index));
  if (key === 'ArrowDown') return clamp(current + 1);
  if (key === 'ArrowUp') return clamp(current - 1);
  if (key === 'PageDown') return clamp(current + PAGE_SIZE);
  if (key === 'PageUp') return clamp(current - PAGE_SIZE);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
