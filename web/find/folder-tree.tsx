// The folders on the left: a tree as the W3C describes it, walked with the arrow keys; documents and folders are dropped on its items.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { addressOf, go } from '../shell/addresses.ts';
import { mayWrite } from '../shell/session.ts';
import { figure } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, type Spot } from '../ui/menu.tsx';
import { type Folding, opened, shownRows, toggled, treeKey } from '../ui/tree-rows.ts';
import { dragFolder, droppedDocuments, droppedFolder, heldOver } from './dragging.ts';
import type { FolderDeed } from './folder-dialogs.tsx';
import type { FolderRow } from './folder-rows.ts';
import { moveDocuments, moveFolder } from './moving.ts';

type TreeProps = {
  rows: readonly FolderRow[];
  /** Null: all documents; 'unfiled'; or the id of a folder. */
  current: string | null;
  onDeed: (deed: FolderDeed) => void;
  hrefOf: (folderId: string | null) => string;
  /** Where all documents that can be dragged come from, null is Unfiled; undefined when they come from several folders. */
  from?: string | null;
};
/** An item of the tree: a folder, or one of the two places above them. */
type Item = { id: string | null; name: string; row?: FolderRow };

const keyOf = ({ folder }: FolderRow) => folder.id;
const VIEWER = { allowed: false, message: 'Viewers cannot change folders.' };

export function FolderTree({ rows, current, onDeed, hrefOf, from }: TreeProps) {
  const [folding, setFolding] = useState<Folding>({ depth: 2, toggled: new Set() });
  const [active, setActive] = useState<string | null>(current);
  const [menu, setMenu] = useState<{ row: FolderRow; spot: Spot } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => shownRows(rows, keyOf, folding), [rows, folding]);
  const at = rows.findIndex(({ folder }) => folder.id === current);
  useEffect(() => {
    setActive(current);
    if (at >= 0) setFolding((before) => opened(rows, at, keyOf, before));
  }, [current, rows.length]);

  const items: Item[] = [
    { id: null, name: 'All documents' },
    { id: 'unfiled', name: 'Unfiled' },
    ...shown.map(({ row }) => ({ id: row.folder.id, name: row.folder.name, row })),
  ];
  const reachable = items.some(({ id }) => id === active) ? active : null;
  const focus = (id: string | null) => {
    setActive(id);
    box.current?.querySelector<HTMLElement>(`[data-folder="${id ?? ''}"]`)?.focus();
  };
  const deedsOf = (row: FolderRow, name: FolderDeed['name']) => onDeed({ name, folder: row.folder });
  const onKeyDown = (event: KeyboardEvent, item: Item) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const place = items.indexOf(item);
    const inTree = place - 2;
    const step = inTree < 0 ? null : treeKey(event.key, shown, inTree);
    if (event.key === 'ArrowDown') focus(items[Math.min(items.length - 1, place + 1)]?.id ?? null);
    else if (event.key === 'ArrowUp') focus(items[Math.max(0, place - 1)]?.id ?? null);
    else if (event.key === 'Home') focus(null);
    else if (event.key === 'End') focus(items.at(-1)?.id ?? null);
    else if (event.key === 'Enter' || event.key === ' ') go(hrefOf(item.id));
    else if (item.row && event.key === 'F2' && mayWrite()) deedsOf(item.row, 'rename');
    else if (item.row && event.key === 'Delete' && mayWrite()) deedsOf(item.row, 'delete');
    else if (item.row && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')))
      openMenu(item.row, event.currentTarget);
    else if (step && 'to' in step) focus(items[step.to + 2]?.id ?? null);
    else if (step && item.row) setFolding(toggled(folding, item.row.folder.id));
    else return;
    event.preventDefault();
  };
  const openMenu = (row: FolderRow, by: EventTarget | null) => {
    const { right = 0, bottom = 0 } = by instanceof Element ? by.getBoundingClientRect() : {};
    setMenu({ row, spot: { x: right - 24, y: bottom } });
  };

  return (
    <>
      <div ref={box} class="folder-tree" role="tree" aria-label="Folders">
        {items.map((item) => {
          const entry = shown.find(({ row }) => row === item.row);
          return (
            <TreeItem
              key={item.id ?? ''}
              item={item}
              hasMore={entry?.hasMore ?? false}
              open={entry?.open ?? false}
              place={item.row ? { position: entry?.place ?? 1, size: entry?.siblings ?? 1 } : null}
              chosen={item.id === current}
              reachable={item.id === reachable}
              href={hrefOf(item.id)}
              from={from}
              onFold={() => item.id && setFolding(toggled(folding, item.id))}
              onKeyDown={(event) => onKeyDown(event, item)}
              onMenu={(by) => item.row && openMenu(item.row, by)}
            />
          );
        })}
      </div>
      {menu && (
        <Menu
          label={`What to do with the folder ${menu.row.folder.name}`}
          spot={menu.spot}
          onClose={() => setMenu(null)}
          groups={[
            [
              {
                id: 'new',
                label: 'New folder inside…',
                icon: 'plus',
                may: mayWrite() ? undefined : VIEWER,
                run: () => deedsOf(menu.row, 'create'),
              },
              {
                id: 'rename',
                label: 'Rename…',
                icon: 'edit',
                may: mayWrite() ? undefined : VIEWER,
                run: () => deedsOf(menu.row, 'rename'),
              },
              {
                id: 'move',
                label: 'Move…',
                icon: 'right',
                may: mayWrite() ? undefined : VIEWER,
                run: () => deedsOf(menu.row, 'move'),
              },
            ],
            [
              {
                id: 'delete',
                label: 'Delete…',
                icon: 'trash',
                danger: true,
                may: mayDelete(menu.row),
                run: () => deedsOf(menu.row, 'delete'),
              },
            ],
          ]}
        />
      )}
    </>
  );
}

function mayDelete({ count }: FolderRow) {
  if (!mayWrite()) return VIEWER;
  return count > 0 ? { allowed: false, message: 'It is not empty: move or delete what is in it first.' } : undefined;
}

type ItemProps = {
  item: Item;
  hasMore: boolean;
  open: boolean;
  place: { position: number; size: number } | null;
  chosen: boolean;
  reachable: boolean;
  href: string;
  from: string | null | undefined;
  onFold: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onMenu: (by: EventTarget | null) => void;
};

function TreeItem({
  item: { id, name, row },
  hasMore,
  open,
  place,
  chosen,
  reachable,
  href,
  from,
  onFold,
  onKeyDown,
  onMenu,
}: ItemProps) {
  const [over, setOver] = useState(false);
  const target = { id: id === 'unfiled' ? null : id, name: id === null ? 'the top' : name };
  const takes = (event: DragEvent) => {
    const held = heldOver(event);
    return mayWrite() && ((held === 'documents' && id !== null) || (held === 'folder' && id !== 'unfiled'));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const folder = droppedFolder(event);
    const documents = droppedDocuments(event);
    if (folder && folder !== id) void moveFolder(folder, target);
    else if (documents.length > 0) void moveDocuments(documents, target, from);
  };
  return (
    <div
      role="treeitem"
      data-folder={id ?? ''}
      class={`folder-item ${over ? 'over' : ''}`}
      tabIndex={reachable ? 0 : -1}
      aria-level={row?.level ?? 1}
      aria-posinset={place?.position}
      aria-setsize={place?.size}
      aria-expanded={hasMore ? open : undefined}
      aria-selected={chosen}
      style={{ '--level': row?.level ?? 1 }}
      draggable={row !== undefined && mayWrite()}
      onDragStart={(event) => row && dragFolder(event, row.folder.id)}
      onDragOver={(event) => {
        if (!takes(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        if (!row) return;
        event.preventDefault();
        onMenu(event.currentTarget);
      }}
    >
      {hasMore ? (
        <button
          type="button"
          class="bare fold"
          tabIndex={-1}
          aria-label={open ? `Close ${name}` : `Open ${name}`}
          onClick={onFold}
        >
          <Icon name={open ? 'down' : 'right'} />
        </button>
      ) : (
        <span class="fold" />
      )}
      <a href={href} tabIndex={-1} title={row?.folder.path ?? name}>
        <Icon name={id === null ? 'table' : 'folder'} />
        <span>{name}</span>
      </a>
      {row && (
        <small title={`${figure(row.folder.documentCount)} in it, ${figure(row.count)} with what is below`}>
          {figure(row.count)}
        </small>
      )}
      {row && (
        <button
          type="button"
          class="bare folder-more"
          tabIndex={-1}
          aria-label={`What to do with ${name}`}
          onClick={(event) => onMenu(event.currentTarget)}
        >
          <Icon name="more" />
        </button>
      )}
    </div>
  );
}

/** The address of a folder, without what was looked for before. */
export const folderHref = (folderId: string | null): string => addressOf.documents(folderId);
