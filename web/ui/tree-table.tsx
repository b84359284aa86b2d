// A table or tree table with virtual rows, keyboard navigation and folding.
// biome-ignore-all lint/a11y/useSemanticElements: absolutely positioned virtual rows cannot be table rows
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles the keys
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus (aria-activedescendant)
import type { ComponentChildren } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { type Folding, type TreeRow, toggleRow, treeKeyAction, type VisibleRow, visibleRows } from './tree-rows.ts';
import { VirtualList } from './virtual-list.tsx';

export type Column<Row> = {
  id: string;
  title: ComponentChildren;
  /** A track of a CSS grid, e.g. `minmax(12rem, 2fr)`. */
  width: string;
  class?: string;
  cell: (row: Row) => ComponentChildren;
};

type TreeTableProps<Row> = {
  label: string;
  /** Rows in depth-first order with levels from 1; a flat list has level 1 throughout. */
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** The first column is indented and has the fold button. Give links in cells tabIndex -1: Enter calls `onOpen`. */
  columns: readonly Column<Row>[];
  folding: Folding;
  onFolding: (folding: Folding) => void;
  /** Key of the selected row. Without `onSelect` the table keeps the selection itself. */
  selected?: string | null;
  onSelect?: (row: Row | null) => void;
  /** Called on Enter or a double click. */
  onOpen?: (row: Row) => void;
  /** Handles other keys on a row; returns true if it did. */
  onKey?: (key: string, row: Row) => boolean;
  rowClass?: (row: Row) => string;
  /** Row height in CSS pixels. */
  height?: number;
  onEndReached?: () => void;
  /** Hides the header row visually. */
  hideHeader?: boolean;
  class?: string;
};

export function TreeTable<Row extends TreeRow>(props: TreeTableProps<Row>) {
  const { label, rows, getKey, columns, folding, onFolding, height = 34, hideHeader = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [ownActive, setOwnActive] = useState<string | null>(null);
  const active = props.onSelect ? (props.selected ?? null) : ownActive;
  const visible = useMemo(() => visibleRows(rows, getKey, folding), [rows, folding]);
  const activeIndex = useMemo(
    () => (active === null ? -1 : visible.findIndex(({ row }) => getKey(row) === active)),
    [visible, active],
  );
  const isTree = useMemo(() => rows.some(({ level }) => level > 1), [rows]);
  const current = visible[activeIndex];

  const select = (entry: VisibleRow<Row> | undefined) => {
    if (!entry) return;
    setOwnActive(getKey(entry.row));
    props.onSelect?.(entry.row);
  };
  const fold = (entry: VisibleRow<Row>) => onFolding(toggleRow(folding, getKey(entry.row)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const pageSize = Math.max(1, Math.floor((box.current?.clientHeight ?? 340) / height) - 2);
    const step = treeKeyAction(event.key, visible, activeIndex, pageSize);
    const isHandled =
      step !== null ||
      (event.key === 'Enter' && current && props.onOpen) ||
      (current && props.onKey?.(event.key, current.row));
    if (!isHandled) return;
    event.preventDefault();
    if (step && 'to' in step) select(visible[step.to]);
    else if (step && current) fold(current);
    else if (event.key === 'Enter' && current) props.onOpen?.(current.row);
  };

  return (
    <div
      ref={box}
      class={`tree-table ${props.class ?? ''}`}
      role="treegrid"
      aria-label={label}
      aria-rowcount={visible.length + (hideHeader ? 0 : 1)}
      aria-activedescendant={current ? `${id}-${activeIndex}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) => event.target === box.current && activeIndex < 0 && !props.onSelect && select(visible[0])}
      style={{
        '--columns': columns.map(({ width }) => width).join(' '),
        '--min-width': `${totalMinWidth(columns)}rem`,
      }}
    >
      <div role="rowgroup" class={hideHeader ? 'visually-hidden' : 'tree-head'}>
        <div role="row" class="tree-row">
          {columns.map(({ id: column, title, class: className }) => (
            <span key={column} role="columnheader" class={className}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <VirtualList
        rows={visible}
        rowHeight={height}
        getKey={({ row }) => getKey(row)}
        label={label}
        scrollToRow={activeIndex}
        onEndReached={props.onEndReached}
        inGrid
      >
        {(entry, index) => (
          <div
            role="row"
            id={`${id}-${index}`}
            class={`tree-row ${props.rowClass?.(entry.row) ?? ''}`}
            aria-rowindex={index + (hideHeader ? 1 : 2)}
            aria-level={isTree ? entry.row.level : undefined}
            aria-expanded={entry.hasChildren ? entry.expanded : undefined}
            aria-posinset={isTree ? entry.position : undefined}
            aria-setsize={isTree ? entry.setSize : undefined}
            aria-selected={index === activeIndex}
            onClick={() => select(entry)}
            onDblClick={() => props.onOpen?.(entry.row)}
          >
            {columns.map((column, columnIndex) => (
              <div key={column.id} role="gridcell" class={column.class}>
                {columnIndex === 0 && isTree && <FoldButton entry={entry} onFold={() => fold(entry)} />}
                {column.cell(entry.row)}
              </div>
            ))}
          </div>
        )}
      </VirtualList>
    </div>
  );
}

/** Sum of the minimum column widths in rem; a narrower table scrolls horizontally. */
const totalMinWidth = (columns: readonly { width: string }[]): number =>
  columns.reduce((sum, { width }) => sum + Number(/[\d.]+/.exec(width)?.[0] ?? 0), 0);

function FoldButton<Row extends TreeRow>({ entry, onFold }: { entry: VisibleRow<Row>; onFold: () => void }) {
  const indent = { paddingLeft: `${(entry.row.level - 1) * 1.1}rem` };
  if (!entry.hasChildren) return <span class="fold" style={indent} />;
  return (
    <button
      type="button"
      class="bare fold"
      style={indent}
      tabIndex={-1}
      aria-label={entry.expanded ? 'Collapse' : 'Expand'}
      onClick={(event) => {
        event.stopPropagation();
        onFold();
      }}
    >
      <Icon name={entry.expanded ? 'down' : 'right'} />
    </button>
  );
}
