// The folder tree: an ARIA tree view; documents and folders can be dropped on its items.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { navigate, urlFor } from '../shell/router.ts';
import { canWrite } from '../shell/session.ts';
import { formatNumber } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { expandTo, type Folding, toggleRow, treeKeyAction, visibleRows } from '../ui/tree-rows.ts';
import { hasFiles, receiveFiles } from '../upload/file-drop.ts';
import { dragFolder, draggedKind, droppedDocuments, droppedFolder } from './dragging.ts';
import type { FolderAction } from './folder-dialogs.tsx';
import type { FolderRow } from './folder-rows.ts';
import { type FolderOf, moveDocuments, moveFolder } from './move-items.ts';

type TreeProps = {
  rows: readonly FolderRow[];
  /** The number of documents without a folder, if it is shown. */
  unfiled?: number | null;
  /** Null: all documents; 'unfiled': documents without a folder; else a folder id. */
  current: string | null;
  onAction: (action: FolderAction) => void;
  /** Uploads files that were dropped on a folder (null: Unfiled). */
  onFiles: (files: File[], folder: { id: string | null; name: string }) => void;
  hrefOf: (folderId: string | null) => string;
  /** Returns the folder of a listed document, to undo a move. */
  folderOf: FolderOf;
};
/** A tree item: a folder, or one of "All documents" and "Unfiled". */
type Item = { id: string | null; name: string; row?: FolderRow; count?: number | null };

const keyOf = ({ folder }: FolderRow) => folder.id;
const FIXED_ITEMS = 2; // "All documents" and "Unfiled" precede the folders
const VIEWER = { allowed: false, message: 'Viewers cannot change folders.' };

export function FolderTree({ rows, unfiled, current, onAction, onFiles, hrefOf, folderOf }: TreeProps) {
  const [folding, setFolding] = useState<Folding>({ depth: 2, toggledKeys: new Set() });
  const [active, setActive] = useState<string | null>(current);
  const [menu, setMenu] = useState<{ row: FolderRow; position: MenuPosition } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const visible = useMemo(() => visibleRows(rows, keyOf, folding), [rows, folding]);
  const at = rows.findIndex(({ folder }) => folder.id === current);
  useEffect(() => {
    setActive(current);
    if (at >= 0) setFolding((before) => expandTo(rows, at, keyOf, before));
  }, [current, rows.length]);

  const items: Item[] = [
    { id: null, name: 'All documents' },
    { id: 'unfiled', name: 'Unfiled', count: unfiled },
    ...visible.map(({ row }) => ({ id: row.folder.id, name: row.folder.name, row })),
  ];
  const focusable = items.some(({ id }) => id === active) ? active : null;
  const focus = (id: string | null) => {
    setActive(id);
    box.current?.querySelector<HTMLElement>(`[data-folder="${id ?? ''}"]`)?.focus();
  };
  const runAction = (row: FolderRow, name: FolderAction['name']) => onAction({ name, folder: row.folder });
  const onKeyDown = (event: KeyboardEvent, item: Item) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = items.indexOf(item);
    const folderIndex = index - FIXED_ITEMS;
    const step = folderIndex < 0 ? null : treeKeyAction(event.key, visible, folderIndex);
    if (event.key === 'ArrowDown') focus(items[Math.min(items.length - 1, index + 1)]?.id ?? null);
    else if (event.key === 'ArrowUp') focus(items[Math.max(0, index - 1)]?.id ?? null);
    else if (event.key === 'Home') focus(null);
    else if (event.key === 'End') focus(items.at(-1)?.id ?? null);
    else if (event.key === 'Enter' || event.key === ' ') navigate(hrefOf(item.id));
    else if (item.row && event.key === 'F2' && canWrite()) runAction(item.row, 'rename');
    else if (item.row && event.key === 'Delete' && canWrite()) runAction(item.row, 'delete');
    else if (item.row && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')))
      openMenu(item.row, event.currentTarget);
    else if (step && 'to' in step) focus(items[step.to + FIXED_ITEMS]?.id ?? null);
    else if (step && item.row) setFolding(toggleRow(folding, item.row.folder.id));
    else return;
    event.preventDefault();
  };
  const openMenu = (row: FolderRow, anchor: EventTarget | null) => {
    const { right = 0, bottom = 0 } = anchor instanceof Element ? anchor.getBoundingClientRect() : {};
    setMenu({ row, position: { x: right - 24, y: bottom } });
  };

  return (
    <>
      <div ref={box} role="tree" aria-label="Folders">
        {items.map((item) => {
          const entry = visible.find(({ row }) => row === item.row);
          return (
            <TreeItem
              key={item.id ?? ''}
              item={item}
              hasChildren={entry?.hasChildren ?? false}
              open={entry?.expanded ?? false}
              position={item.row ? { position: entry?.position ?? 1, size: entry?.setSize ?? 1 } : null}
              selected={item.id === current}
              focusable={item.id === focusable}
              href={hrefOf(item.id)}
              folderOf={folderOf}
              onFiles={onFiles}
              onFold={() => item.id && setFolding(toggleRow(folding, item.id))}
              onKeyDown={(event) => onKeyDown(event, item)}
              onMenu={(anchor) => item.row && openMenu(item.row, anchor)}
            />
          );
        })}
      </div>
      {menu && (
        <Menu
          label={`Actions for folder ${menu.row.folder.name}`}
          position={menu.position}
          onClose={() => setMenu(null)}
          groups={[
            [
              {
                id: 'new',
                label: 'New subfolder…',
                icon: 'plus',
                permission: canWrite() ? undefined : VIEWER,
                run: () => runAction(menu.row, 'create'),
              },
              {
                id: 'rename',
                label: 'Rename…',
                icon: 'edit',
                permission: canWrite() ? undefined : VIEWER,
                run: () => runAction(menu.row, 'rename'),
              },
              {
                id: 'move',
                label: 'Move…',
                icon: 'right',
                permission: canWrite() ? undefined : VIEWER,
                run: () => runAction(menu.row, 'move'),
              },
            ],
            [
              {
                id: 'delete',
                label: 'Delete…',
                icon: 'trash',
                danger: true,
                permission: deletePermission(menu.row),
                run: () => runAction(menu.row, 'delete'),
              },
            ],
          ]}
        />
      )}
    </>
  );
}

function deletePermission({ count }: FolderRow) {
  if (!canWrite()) return VIEWER;
  return count > 0
    ? { allowed: false, message: 'The folder is not empty. Move or delete its documents first.' }
    : undefined;
}

type ItemProps = {
  item: Item;
  hasChildren: boolean;
  open: boolean;
  position: { position: number; size: number } | null;
  selected: boolean;
  focusable: boolean;
  href: string;
  folderOf: FolderOf;
  onFiles: TreeProps['onFiles'];
  onFold: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onMenu: (anchor: EventTarget | null) => void;
};

function TreeItem({
  item: { id, name, row, count },
  hasChildren,
  open,
  position,
  selected,
  focusable,
  href,
  folderOf,
  onFiles,
  onFold,
  onKeyDown,
  onMenu,
}: ItemProps) {
  const [isDropTarget, setIsDropTarget] = useState(false);
  const target = { id: id === 'unfiled' ? null : id, name: id === null ? 'the top level' : name };
  const acceptsDrop = (event: DragEvent) => {
    const kind = draggedKind(event);
    if (hasFiles(event)) return canWrite();
    return canWrite() && ((kind === 'documents' && id !== null) || (kind === 'folder' && id !== 'unfiled'));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsDropTarget(false);
    if (hasFiles(event)) {
      const folder = id === null ? { id: null, name: 'Unfiled' } : target;
      return receiveFiles(event, (files) => onFiles(files, folder));
    }
    const folder = droppedFolder(event);
    const documents = droppedDocuments(event);
    if (folder && folder !== id) void moveFolder(folder, target);
    else if (documents.length > 0) void moveDocuments(documents, target, folderOf);
  };
  return (
    <div
      role="treeitem"
      data-folder={id ?? ''}
      class={`folder-item ${isDropTarget ? 'drop-target' : ''}`}
      tabIndex={focusable ? 0 : -1}
      aria-level={row?.level ?? 1}
      aria-posinset={position?.position}
      aria-setsize={position?.size}
      aria-expanded={hasChildren ? open : undefined}
      aria-selected={selected}
      style={{ '--level': row?.level ?? 1 }}
      draggable={row !== undefined && canWrite()}
      onDragStart={(event) => row && dragFolder(event, row.folder.id)}
      onDragOver={(event) => {
        if (!acceptsDrop(event)) return;
        event.preventDefault();
        if (hasFiles(event) && event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
        setIsDropTarget(true);
      }}
      onDragLeave={() => setIsDropTarget(false)}
      onDrop={(event) => acceptsDrop(event) && drop(event)}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        if (!row) return;
        event.preventDefault();
        onMenu(event.currentTarget);
      }}
    >
      {hasChildren ? (
        <button
          type="button"
          class="bare folder-fold"
          tabIndex={-1}
          aria-label={open ? `Collapse ${name}` : `Expand ${name}`}
          onClick={onFold}
        >
          <Icon name={open ? 'down' : 'right'} />
        </button>
      ) : (
        <span class="folder-fold" />
      )}
      <a href={href} tabIndex={-1} title={row ? `${row.folder.path}: ${countText(row)}` : name}>
        <Icon name={id === null ? 'table' : 'folder'} />
        <span>{name}</span>
      </a>
      {row && <small title={countText(row)}>{formatNumber(row.count)}</small>}
      {typeof count === 'number' && <small>{formatNumber(count)}</small>}
      {row && (
        <button
          type="button"
          class="bare folder-more"
          tabIndex={-1}
          aria-label={`Actions for ${name}`}
          onClick={(event) => onMenu(event.currentTarget)}
        >
          <Icon name="more" />
        </button>
      )}
    </div>
  );
}

const countText = ({ folder, count }: FolderRow): string =>
  `${formatNumber(folder.documentCount)} here, ${formatNumber(count)} with subfolders`;

/** The URL of a folder, without the current search and filters. */
export const folderHref = (folderId: string | null): string => urlFor.documents(folderId);
